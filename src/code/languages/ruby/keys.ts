/** Ruby: keys and numbers that tell which element of a collection a call means. */
import { type Expression, TAG, UNKNOWN } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";

const KEY = /^(?:hash_key_symbol|simple_symbol|integer|string|range)$/;
const MAX_KEY_CHARS = 60;

export function isKey({ type }: Node): boolean {
  return KEY.test(type);
}

/** `:a` for a symbol, `"a"` for a text, `1`; `..` for several elements. */
export function keyOf(node: Node): Expression {
  const text = keyText(node);
  return text === undefined ? UNKNOWN : [TAG.freeName, text];
}

export function keyText(node: Node): string | undefined {
  if (node.type === "range") return "..";
  if (!isKey(node) || node.endIndex - node.startIndex > MAX_KEY_CHARS || /[#\\]/.test(node.text)) return undefined;
  if (node.type === "hash_key_symbol") return `:${node.text}`;
  return node.type === "string" ? `"${node.text.slice(1, -1)}"` : node.text;
}
