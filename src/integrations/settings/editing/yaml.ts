/**
 * Changes one entry of a YAML file. The parser says where things are; the text itself is edited, so comments, order,
 * quotes and blank lines keep their bytes.
 */
import { type Document, isMap, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from "yaml";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { applyEdits, BadConfig, type Editor, eolOf } from "./editor.ts";

export const YAML_EDITOR: Editor = {
  read: (text, path) => path.reduce<Json | undefined>(child, (documentOf(text).toJS() ?? {}) as Json),
  put,
  change: (text, path, fields) => {
    const before = YAML_EDITOR.read(text, path);
    return put(text, path, { ...(isRecord(before) ? before : {}), ...fields });
  },
  remove,
  isBlank: (text) => text.trim() === "" || text.trim() === "{}",
};

function isRecord(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function child(value: Json | undefined, key: string): Json | undefined {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function documentOf(text: string): Document {
  const document = parseDocument(text, { keepSourceTokens: true });
  const [error] = document.errors;
  if (error) {
    const line = error.linePos?.[0].line;
    throw new BadConfig(`is not valid YAML${line === undefined ? "" : `, in line ${line}`}`);
  }
  if (document.contents !== null && !isMap(document.contents) && document.toJS() !== null) {
    throw new BadConfig("does not hold a YAML mapping");
  }
  return document;
}

/** The pairs that lead to the entry, as far as they exist. */
function pairsTo(document: Document, path: readonly string[]): Pair[] {
  const found: Pair[] = [];
  let at: unknown = document.contents;
  for (const key of path) {
    const pair: Pair | undefined = isMap(at) ? at.items.find((each) => keyOf(each) === key) : undefined;
    if (!pair) break;
    found.push(pair);
    at = pair.value;
  }
  return found;
}

function keyOf(pair: Pair): unknown {
  return isScalar(pair.key) ? pair.key.value : pair.key;
}

function put(text: string, path: readonly string[], entry: JsonObject): string {
  const document = documentOf(text);
  const known = pairsTo(document, path);
  const eol = eolOf(text);
  const last = known.at(-1);
  if (last && known.length === path.length) {
    const { start, end } = spanOf(text, last);
    if (isInFlow(document, known))
      return flowEdit(text, last, `${JSON.stringify(path.at(-1))}: ${JSON.stringify(entry)}`);
    const written = block(path.slice(-1), entry, columnOf(text, start), eol);
    return applyEdits(text, [{ start, end, text: text[end - 1] === "\n" ? written : written.slice(0, -eol.length) }]);
  }
  const rest = path.slice(known.length);
  if (!last) return text + (text === "" || text.endsWith("\n") ? "" : eol) + block(rest, entry, 0, eol);
  const { value } = last;
  if (isMap(value) && value.flow) return intoFlow(text, value, rest, entry);
  if (isMap(value)) {
    const first = value.items[0] as Pair;
    const end = spanOf(text, value.items.at(-1) as Pair).end;
    const line = end > 0 && text[end - 1] !== "\n" ? eol : "";
    const added = block(rest, entry, columnOf(text, spanOf(text, first).start), eol);
    // A file that did not end with a line break does not end with one afterwards, either.
    return applyEdits(text, [{ start: end, end, text: line === "" ? added : line + added.slice(0, -eol.length) }]);
  }
  if (isScalar(value) ? value.value !== null : value !== null) {
    throw new BadConfig(`has something else at "${path.slice(0, known.length).join(".")}" where an object belongs`);
  }
  const { start, end } = spanOf(text, last);
  const line = text[end - 1] === "\n" ? "" : eol;
  return applyEdits(text, [{ start: end, end, text: line + block(rest, entry, columnOf(text, start) + 2, eol) }]);
}

/** The lines of an entry, each with a line break. */
function block(path: readonly string[], entry: JsonObject, column: number, eol: string): string {
  const value = path.reduceRight<Json>((inner, key) => ({ [key]: inner }), entry);
  return stringify(value, { lineWidth: 0 })
    .trimEnd()
    .split("\n")
    .map((line) => `${" ".repeat(column)}${line}${eol}`)
    .join("");
}

/** JSON is valid inside braces. */
function intoFlow(text: string, map: YAMLMap, path: readonly string[], entry: JsonObject): string {
  const value = path.slice(1).reduceRight<Json>((inner, key) => ({ [key]: inner }), entry);
  const added = `${JSON.stringify(path[0])}: ${JSON.stringify(value)}`;
  const close = text.lastIndexOf("}", (map.range?.[1] ?? 0) - 1);
  return applyEdits(text, [{ start: close, end: close, text: map.items.length === 0 ? added : `, ${added}` }]);
}

function isInFlow(document: Document, pairs: readonly Pair[]): boolean {
  const parent = pairs.length > 1 ? pairs.at(-2)?.value : document.contents;
  return isMap(parent) && parent.flow === true;
}

function flowEdit(text: string, pair: Pair, replacement: string): string {
  const { start, end } = rangeOf(pair);
  return applyEdits(text, [{ start, end, text: replacement }]);
}

function rangeOf(pair: Pair): { start: number; end: number } {
  const key = (pair.key as { range?: readonly number[] | null } | null)?.range;
  const value = (pair.value as { range?: readonly number[] | null } | null)?.range;
  const start = key?.[0] ?? 0;
  return { start, end: Math.max(value?.[1] ?? 0, key?.[1] ?? start) };
}

/** From the key to the end of the value's last line, with the line break. */
function spanOf(text: string, pair: Pair): { start: number; end: number } {
  const { start, end } = rangeOf(pair);
  const at = text[end - 1] === "\n" ? end - 1 : text.indexOf("\n", end);
  return { start: text.lastIndexOf("\n", start - 1) + 1, end: at < 0 ? text.length : at + 1 };
}

function columnOf(text: string, lineStart: number): number {
  return /^ */.exec(text.slice(lineStart))?.[0].length ?? 0;
}

function remove(text: string, path: readonly string[], prune: number): string {
  const document = documentOf(text);
  const pairs = pairsTo(document, path);
  if (pairs.length < path.length) return text;
  let depth = path.length;
  const alone = (at: number): boolean => {
    const parent = pairs[at - 2]?.value;
    return isMap(parent) && parent.items.length === 1;
  };
  while (depth > 1 && path.length - depth < prune && alone(depth)) depth -= 1;
  const pair = pairs[depth - 1] as Pair;
  if (isInFlow(document, pairs.slice(0, depth))) return withoutFlow(text, pair);
  const { start, end } = spanOf(text, pair);
  const left = applyEdits(text, [{ start, end, text: "" }]);
  if (depth === 1 || !alone(depth)) return left;
  // An empty mapping is written out: a key without a value would mean nothing.
  const parent = pairs[depth - 2] as Pair;
  const at = (parent.key as { range?: readonly number[] | null }).range?.[1] ?? 0;
  return applyEdits(left, [{ start: at + 1, end: at + 1, text: " {}" }]);
}

function withoutFlow(text: string, pair: Pair): string {
  const { start, end } = rangeOf(pair);
  const before = /,\s*$/.exec(text.slice(0, start));
  if (before) return applyEdits(text, [{ start: start - before[0].length, end, text: "" }]);
  const after = /^\s*,\s*/.exec(text.slice(end))?.[0].length ?? 0;
  return applyEdits(text, [{ start, end: end + after, text: "" }]);
}
