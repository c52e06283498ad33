/** Python: the types that a condition checks with `isinstance`. */
import type { Node } from "../../syntax/tree.ts";
import type { TypeCheck } from "../language.ts";

/** Parts of a condition that are read. */
const MAX_PARTS = 8;

export function typeChecks(condition: Node): TypeCheck[] {
  const found: TypeCheck[] = [];
  const open = [condition];
  for (let read = 0; open.length > 0 && read < MAX_PARTS; read += 1) {
    const node = open.pop() as Node;
    if (node.type === "parenthesized_expression") open.push(...node.namedChildren.slice(0, 1));
    else if (node.type === "boolean_operator" && node.childForFieldName("operator")?.type === "and")
      open.push(...["left", "right"].map((field) => node.childForFieldName(field)).filter((each) => each !== null));
    else if (node.type === "call" && node.childForFieldName("function")?.text === "isinstance") {
      const [of, type] = node.childForFieldName("arguments")?.namedChildren ?? [];
      if (of && type)
        found.push({ of, types: type.type === "tuple" ? type.namedChildren.slice(0, MAX_PARTS) : [type] });
    }
  }
  return found;
}
