/** Go: the results of its built-in functions, and which part of a value each of several declared names has. */
import type { Expression } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ValueReaders } from "../language.ts";

/** `new(Node)`, `make([]Node, 3)`, `append(nodes, node)`. */
export function builtInCall(call: Node, readers: ValueReaders): Expression | undefined {
  const callee = call.childForFieldName("function");
  const first = call.childForFieldName("arguments")?.namedChildren[0];
  if (callee?.type !== "identifier" || !first) return undefined;
  if (callee.text === "append") return readers.value(first);
  return callee.text === "new" || callee.text === "make" ? readers.type(first) : undefined;
}

/** `a, b := f()` gives each name one of the results, `a, b := x, y` one of the values, and `a, ok := m[k]` the value and whether there is one. */
export function declaredPart(declaration: Node, name: Node): number | "whole" | "unknown" {
  const left = declaration.childForFieldName("left")?.namedChildren ?? declaration.childrenForFieldName("name");
  if (left.length < 2) return "whole";
  const values =
    (declaration.childForFieldName("right") ?? declaration.childForFieldName("value"))?.namedChildren ?? [];
  const at = left.findIndex(({ id }) => id === name.id);
  if (values.length > 1 || values[0]?.type === "call_expression") return at;
  return at === 0 || values.length === 0 ? "whole" : "unknown";
}

/** The type that a definition is another name for, or is made of. */
export function definedType(definition: Node): Node | null {
  return /^type_(spec|alias)$/.test(definition.type) ? definition.childForFieldName("type") : null;
}
