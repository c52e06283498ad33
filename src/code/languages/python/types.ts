/** Python: types that are written by brackets but are not generic classes: functions, and tuples of any length. */
import { type Expression, listOf, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";

const CALLABLE = /^(?:\w+\.)*Callable$/;
const TUPLE = /^(?:\w+\.)*[Tt]uple$/;
const MAX_HEAD_CHARS = 40;
const MAX_PARAMETERS = 8;

/** Undefined for other types. */
export function readPythonType(node: Node, read: (part: Node) => Expression | undefined): Expression | undefined {
  if (node.type !== "generic_type" && node.type !== "subscript") return undefined;
  const head = node.namedChildren[0];
  if (!head || head.endIndex - head.startIndex > MAX_HEAD_CHARS) return undefined;
  const isCallable = CALLABLE.test(head.text);
  if (!isCallable && !TUPLE.test(head.text)) return undefined;
  const [first, second, ...others] = partsOf(node);
  if (!isCallable)
    return first && second?.type === "ellipsis" && others.length === 0 ? listOf(read(first) ?? null) : undefined;
  const parameters = first?.type === "list" ? first.namedChildren.slice(0, MAX_PARAMETERS) : [];
  return [TAG.functionType, parameters.map((each) => read(each) ?? null), (second && read(second)) ?? null, null];
}

/** The types in the brackets. */
function partsOf(node: Node): Node[] {
  const stated =
    node.type === "subscript"
      ? node.childrenForFieldName("subscript")
      : (node.namedChildren.find(({ type }) => type === "type_parameter")?.namedChildren ?? []);
  return stated.map((each) => (each.type === "type" ? (each.namedChildren[0] ?? each) : each));
}
