/**
 * Lists in a JSON file that may contain comments: dex adds one item after the others, or removes it, and every other
 * byte stays.
 */
import { getNodeValue, type Node } from "jsonc-parser";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { applyEdits, BadConfig, type ListEditor, lineOf } from "./editor.ts";
import { endOf, find, inline, lead, putValue, rootOf, styleOf, tokensBetween } from "./jsonc.ts";

export const JSONC_LIST_EDITOR: ListEditor = { read: readList, add: addItem, remove: removeItem };

function readList(text: string, path: readonly string[]): Json[] | undefined {
  const list = listAt(text, path);
  return list && (getNodeValue(list) as Json[]);
}

function addItem(text: string, path: readonly string[], item: JsonObject): string {
  const list = listAt(text, path);
  if (!list) return putValue(text, path, [item]);
  const style = styleOf(text);
  const written = inline(style, item);
  const last = list.children?.at(-1);
  if (!last) return applyEdits(text, [{ start: list.offset + 1, end: endOf(list) - 1, text: written }]);
  const onOwnLine = text.slice(list.offset, list.children?.[0]?.offset).includes("\n");
  const gap = onOwnLine ? style.eol + lead(text, last) : style.gap;
  return applyEdits(text, [{ start: endOf(last), end: endOf(last), text: `,${gap}${written}` }]);
}

function removeItem(text: string, path: readonly string[], at: number): string {
  const list = listAt(text, path);
  const items = list?.children ?? [];
  const [before, item, after] = [items[at - 1], items[at], items[at + 1]];
  if (!list || !item) return text;
  if (!before && !after) {
    const inside = text.slice(list.offset + 1, item.offset) + text.slice(endOf(item), endOf(list) - 1);
    const kept = inside.replace(",", "").trim() === "" ? "" : inside;
    return applyEdits(text, [{ start: list.offset + 1, end: endOf(list) - 1, text: kept }]);
  }
  const comma = (from: number, to: number): { start: number; end: number } | undefined =>
    tokensBetween(text, from, to).find(({ kind }) => kind === "comma");
  if (before && /^\s*,\s*$/.test(text.slice(endOf(before), item.offset))) {
    return applyEdits(text, [{ start: endOf(before), end: endOf(item), text: "" }]);
  }
  // There are comments around it: they stay, and one comma is removed.
  const own = after ? comma(endOf(item), after.offset) : comma(endOf(before ?? item), item.offset);
  const edits = [{ start: item.offset, end: endOf(item), text: "" }];
  return applyEdits(text, own ? [...edits, { ...own, text: "" }] : edits);
}

function listAt(text: string, path: readonly string[]): Node | undefined {
  const node = find(rootOf(text), path);
  if (node && node.type !== "array") {
    throw new BadConfig(`has no list at "${path.join(".")}", in line ${lineOf(text, node.offset)}`);
  }
  return node;
}
