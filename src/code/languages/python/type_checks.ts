/** Python: the types that a condition checks with `isinstance`, or with a function whose result is a `TypeGuard`. */
import type { Node } from "../../syntax/tree.ts";
import type { TypeCheck } from "../language.ts";
import { allOf, MAX_PARTS } from "../type_checks.ts";

/** Any function may be one, but hardly any has another name. */
const CHECKING = /^_*(?:is|has)(?:_|[A-Z])/;
const MAX_NAME_CHARS = 80;
const VERDICT = /^(?:\w+\.)?(?:TypeGuard|TypeIs)$/;

export function typeChecks(condition: Node): TypeCheck[] {
  return allOf(condition, isAnd).flatMap((node) => {
    if (node.type === "comparison_operator") return comparedClass(node);
    const by = node.type === "call" ? node.childForFieldName("function") : null;
    if (!by || by.endIndex - by.startIndex > MAX_NAME_CHARS) return [];
    const [of, type] = node.childForFieldName("arguments")?.namedChildren ?? [];
    if (!of) return [];
    if (by.text !== "isinstance") {
      const name = by.type === "attribute" ? by.childForFieldName("attribute") : by;
      return name && CHECKING.test(name.text) ? [{ of, types: [], by }] : [];
    }
    return type ? [{ of, types: type.type === "tuple" ? type.namedChildren.slice(0, MAX_PARTS) : [type] }] : [];
  });
}

/** `type(x) is Item`. */
function comparedClass(node: Node): TypeCheck[] {
  const [left, right] = node.namedChildren;
  const [, operator] = node.children;
  if (left?.type !== "call" || !right || !/^(is|==)$/.test(operator?.type ?? "")) return [];
  const [of, other] = left.childForFieldName("arguments")?.namedChildren ?? [];
  const isType = left.childForFieldName("function")?.text === "type";
  return of && !other && isType ? [{ of, types: [right] }] : [];
}

/** `Item` in the stated result `TypeGuard[Item]`. */
export function readVerdict(stated: Node): Node | undefined {
  const [type] = stated.namedChildren;
  const head = type?.childForFieldName("value") ?? type?.namedChildren[0];
  if (!type || !head || head.endIndex - head.startIndex > MAX_NAME_CHARS || !VERDICT.test(head.text)) return undefined;
  const argument = type.childForFieldName("subscript") ?? type.namedChildren[1];
  return argument?.type === "type_parameter" ? argument.namedChildren[0] : argument;
}

function isAnd(node: Node): boolean {
  return node.type === "boolean_operator" && node.childForFieldName("operator")?.type === "and";
}
