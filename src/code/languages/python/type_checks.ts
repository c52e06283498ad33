/** Python: the types that a condition checks with `isinstance`. */
import type { Node } from "../../syntax/tree.ts";
import type { TypeCheck } from "../language.ts";
import { allOf, MAX_PARTS } from "../type_checks.ts";

export function typeChecks(condition: Node): TypeCheck[] {
  return allOf(condition, isAnd).flatMap((node) => {
    if (node.type !== "call" || node.childForFieldName("function")?.text !== "isinstance") return [];
    const [of, type] = node.childForFieldName("arguments")?.namedChildren ?? [];
    if (!of || !type) return [];
    return [{ of, types: type.type === "tuple" ? type.namedChildren.slice(0, MAX_PARTS) : [type] }];
  });
}

function isAnd(node: Node): boolean {
  return node.type === "boolean_operator" && node.childForFieldName("operator")?.type === "and";
}
