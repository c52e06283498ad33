/**
 * Lists of tables in a TOML file: `[[hooks]]` for each item, or an array of inline tables. dex adds one item after the
 * others, or removes it, and every other byte stays.
 */
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { applyEdits, BadConfig, type ListEditor, lineOf } from "./editor.ts";
import { appendTable, cutOne, cutStatements, isWithin, write, writeKey } from "./toml.ts";
import { assignAt, scanToml, type TomlStatement, type TomlValue } from "./toml_scan.ts";

export const TOML_LIST_EDITOR: ListEditor = {
  read: (text, path) => {
    const { array, items } = listAt(text, path);
    if (array) return array.value as Json[];
    return items.length > 0 ? items.map((statements) => tableOf(statements, path)) : undefined;
  },
  add: (text, path, item) => {
    const { array } = listAt(text, path);
    if (!array) return appendTable(text, `[[${path.map(writeKey).join(".")}]]`, item);
    const last = array.items?.at(-1);
    const [start, end] = last ? [last.end, last.end] : [array.start + 1, array.end - 1];
    return applyEdits(text, [{ start, end, text: last ? `, ${write(item)}` : write(item) }]);
  },
  remove: (text, path, at) => {
    const { array, items } = listAt(text, path);
    if (array) return array.items?.[at] ? applyEdits(text, [cutOne(array.items, at, array)]) : text;
    const item = items[at];
    return item ? applyEdits(text, [cutStatements(text, item[0], item.at(-1))]) : text;
  },
};

interface TomlList {
  /** The list as one value. */
  array?: TomlValue;
  /** The statements of each item, if each has a header of its own. */
  items: TomlStatement[][];
}

function listAt(text: string, path: readonly string[]): TomlList {
  const list: TomlList = { items: [] };
  let open: TomlStatement[] | undefined;
  for (const statement of scanToml(text)) {
    const { kind, path: at, value } = statement;
    const isHere = at.length === path.length && isWithin(at, path);
    if (isHere && kind === "array") {
      open = [statement];
      list.items.push(open);
    } else if (isHere && kind === "pair" && Array.isArray(value?.value)) {
      list.array = value;
    } else if (open && isWithin(at, path) && !isHere) {
      open.push(statement);
    } else if (isWithin(at, path) || (kind !== "table" && isWithin(path, at))) {
      throw new BadConfig(`has no list of tables at "${path.join(".")}", in line ${lineOf(text, statement.start)}`);
    } else {
      open = undefined;
    }
  }
  return list;
}

function tableOf(statements: readonly TomlStatement[], path: readonly string[]): JsonObject {
  const item: JsonObject = {};
  for (const { kind, path: at, value } of statements) {
    if (kind === "pair") assignAt(item, at.slice(path.length), value?.value ?? null);
  }
  return item;
}
