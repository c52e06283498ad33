/** Ruby: conditions that check the class of a value: `x.is_a?(A)`, `A === x`, `case x when A`. */
import type { Node } from "../../syntax/tree.ts";
import type { TypeCheck } from "../language.ts";
import { allOf } from "../type_checks.ts";

const ASKS = /^(?:is_a|kind_of|instance_of)\?$/;

export function rubyTypeChecks(condition: Node): TypeCheck[] {
  if (condition.type === "when") return checkedCase(condition);
  const isAnd = (node: Node): boolean =>
    node.type === "binary" && /^(?:&&|and)$/.test(node.childForFieldName("operator")?.text ?? "");
  return allOf(condition, isAnd).flatMap((node) => {
    const inner = node.type === "parenthesized_statements" ? node.namedChildren[0] : node;
    return inner ? checkedBy(inner) : [];
  });
}

function checkedBy(node: Node): TypeCheck[] {
  const isCall = node.type === "call" && ASKS.test(node.childForFieldName("method")?.text ?? "");
  const isSame = node.type === "binary" && node.childForFieldName("operator")?.text === "===";
  const of = isCall ? node.childForFieldName("receiver") : isSame ? node.childForFieldName("right") : null;
  const [type] = isCall
    ? (node.childForFieldName("arguments")?.namedChildren ?? [])
    : node.childrenForFieldName("left").slice(0, 1);
  return of && type && isClass(type) ? [{ of, types: [type] }] : [];
}

/** A case that names one class. With several, the value may be an instance of any. */
function checkedCase(when: Node): TypeCheck[] {
  const of = when.parent?.type === "case" ? when.parent.childForFieldName("value") : null;
  const types = when.childrenForFieldName("pattern").map(({ namedChildren }) => namedChildren[0]);
  const [type] = types;
  return of && type && types.length === 1 && isClass(type) ? [{ of, types: [type] }] : [];
}

export function isClass({ type }: Node): boolean {
  return type === "constant" || type === "scope_resolution";
}
