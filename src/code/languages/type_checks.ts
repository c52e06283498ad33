/** Types that a condition checks with `instanceof`. */
import type { Node } from "../syntax/tree.ts";
import type { TypeCheck } from "./language.ts";

/** Parts of a condition that are read. */
export const MAX_PARTS = 8;

/** Operators of PHP that have two forms. */
const WORDS: Readonly<Record<string, string>> = { and: "&&", or: "||" };

/** The parts of a condition that all hold if it does. */
export function allOf(condition: Node, isAnd: (node: Node) => boolean): Node[] {
  const parts: Node[] = [];
  const open = [condition];
  for (let read = 0; open.length > 0 && read < MAX_PARTS; read += 1) {
    const node = open.pop() as Node;
    if (node.type === "parenthesized_expression") open.push(...node.namedChildren.slice(0, 1));
    else if (isAnd(node))
      open.push(...["left", "right"].map((field) => node.childForFieldName(field)).filter((each) => each !== null));
    else parts.push(node);
  }
  return parts;
}

/** The sides of `a && b && c`. */
export function partsOf(condition: Node): Node[] {
  return allOf(condition, (node) => operatorOf(node) === "&&");
}

/** `x instanceof T`, in grammars that have it among the operators. */
export function instanceofChecks(condition: Node): TypeCheck[] {
  return partsOf(condition).flatMap((node) => {
    // `x instanceof T || x instanceof U`
    const sides = allOf(node, (each) => operatorOf(each) === "||").map(instanceofCheck);
    const [first] = sides;
    const isOfOne = first && sides.every((side) => side?.of.text === first.of.text);
    return isOfOne ? [{ of: first.of, types: sides.flatMap((side) => side?.types ?? []).reverse() }] : [];
  });
}

function instanceofCheck(node: Node): TypeCheck | undefined {
  if (operatorOf(node) !== "instanceof") return undefined;
  const [of, type] = ["left", "right"].map((field) => node.childForFieldName(field));
  return of && type ? { of, types: [type] } : undefined;
}

function operatorOf(node: Node): string {
  const operator = node.type === "binary_expression" ? (node.childForFieldName("operator")?.type ?? "") : "";
  return WORDS[operator] ?? operator;
}
