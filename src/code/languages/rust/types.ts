/** Rust: types of functions, and types that leave a part to the value. */
import { type Expression, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";

const MAX_TYPE_CHARS = 200;
/** `Vec<_>` is what the value is; the pairs of a list become a map. */
const OPEN = /[<,(\s]_\s*[,>)]/;
const OPEN_MAP = /^(?:\w+::)*(HashMap|BTreeMap|IndexMap)</;

/** `dyn Fn(A) -> B`. */
export function readRustType(node: Node, read: (part: Node) => Expression | undefined): Expression | undefined {
  if (node.type !== "function_type") return undefined;
  const result = node.childForFieldName("return_type");
  return [TAG.functionType, [], (result && read(result)) ?? null, null];
}

/** The value of a variable whose type has a part that only the value tells; undefined for other types. */
export function openType(type: Node, value: () => Expression | undefined): Expression | undefined {
  if (type.endIndex - type.startIndex > MAX_TYPE_CHARS || !OPEN.test(type.text)) return undefined;
  const [, map] = OPEN_MAP.exec(type.text) ?? [];
  const whole = value();
  if (map === undefined || !whole) return whole;
  const pair: Expression = [TAG.element, whole];
  const parts = [0, 1].map((at): Expression => [TAG.elementAt, pair, at]);
  return [TAG.ofType, [TAG.freeName, map], parts];
}
