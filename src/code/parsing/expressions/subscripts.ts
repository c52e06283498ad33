/** The value of `list[index]`. */
import { type Expression, TAG } from "../../expression.ts";
import type { Language } from "../../languages/language.ts";
import type { Node } from "../../syntax/tree.ts";
import { childOf } from "./child_of.ts";
import type { Scope } from "./scopes.ts";
import type { ShapeReader } from "./types/shapes.ts";

/** Python: an index that says which part of a tuple or of a dictionary is meant. */
const STATED_INDEX = /^(?:\d{1,2}|"[A-Za-z_]\w{0,40}"|'[A-Za-z_]\w{0,40}')$/;

interface ValueReader {
  language: Language;
  shapes: ShapeReader | undefined;
  value(node: Node, scope: Scope, depth?: number): Expression | undefined;
}

export function subscriptValue(
  reader: ValueReader,
  node: Node,
  field: string,
  scope: Scope,
  depth: number,
): Expression | undefined {
  const object = childOf(node, field, 0);
  const of = object ? reader.value(object, scope, depth + 1) : undefined;
  // Python: a part of a list is a list.
  const index = node.childForFieldName("subscript");
  if (index?.type === "slice") return of;
  // Rust: so is a part of a slice.
  if (node.type === "index_expression" && node.namedChildren[1]?.type === "range_expression") return of;
  const at = reader.shapes ? node.childForFieldName("index") : null;
  if (of && at && /^\d{1,3}$/.test(at.text)) return [TAG.elementAt, of, Number(at.text)];
  const stated = index && of && reader.language.explicitSelf ? (STATED_INDEX.exec(index.text)?.[0] ?? "") : "";
  return of ? [TAG.call, [TAG.member, of, `[${stated}]`]] : undefined;
}
