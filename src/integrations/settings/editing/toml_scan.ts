/**
 * Splits a TOML text into statements with their positions: enough to know where a table begins and ends, whatever
 * strings, arrays and comments contain. Numbers and dates stay text; strings, booleans, arrays and tables are parsed.
 */
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { BadConfig, lineOf } from "./editor.ts";

export interface TomlValue {
  start: number;
  end: number;
  value: Json;
  /** The pairs of an inline table. */
  pairs?: TomlPair[];
  /** The items of an array. */
  items?: TomlValue[];
}

export interface TomlPair {
  key: string[];
  start: number;
  value: TomlValue;
}

export interface TomlStatement {
  kind: "table" | "array" | "pair";
  /** From the root of the file. */
  path: string[];
  start: number;
  /** End of the statement itself; a comment may follow on the line. */
  end: number;
  /** After the line break, or the end of the text. */
  lineEnd: number;
  value?: TomlValue;
}

interface Cursor {
  text: string;
  at: number;
}

/** Settings files are never nested deeper. */
const MAX_DEPTH = 100;

export function scanToml(text: string): TomlStatement[] {
  const cursor: Cursor = { text, at: text.startsWith("\ufeff") ? 1 : 0 };
  const statements: TomlStatement[] = [];
  let table: string[] = [];
  for (skipBlank(cursor); cursor.at < text.length; skipBlank(cursor)) {
    const start = cursor.at;
    if (text[start] === "[") {
      const kind = text[start + 1] === "[" ? "array" : "table";
      cursor.at += kind === "array" ? 2 : 1;
      table = readKey(cursor);
      expect(cursor, kind === "array" ? "]]" : "]");
      statements.push({ kind, path: table, start, end: cursor.at, lineEnd: endLine(cursor) });
      continue;
    }
    const { key, value } = readPair(cursor, 0);
    statements.push({ kind: "pair", path: [...table, ...key], start, end: cursor.at, lineEnd: endLine(cursor), value });
  }
  return statements;
}

function bad(cursor: Cursor, what: string): BadConfig {
  return new BadConfig(`is not valid TOML: ${what} in line ${lineOf(cursor.text, cursor.at)}`);
}

function expect(cursor: Cursor, mark: string): void {
  skipSpaces(cursor);
  if (!cursor.text.startsWith(mark, cursor.at)) throw bad(cursor, `"${mark}" expected`);
  cursor.at += mark.length;
}

function skip(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0] ?? "";
  cursor.at += found.length;
  return found;
}

function skipSpaces(cursor: Cursor): void {
  skip(cursor, /[ \t]*/y);
}

/** White space, line breaks and comments. */
function skipBlank(cursor: Cursor): void {
  skip(cursor, /(?:[ \t\r\n]+|#[^\n]*)*/y);
}

/** Only a comment may follow on a statement's line. */
function endLine(cursor: Cursor): number {
  skip(cursor, /[ \t]*(?:#[^\n]*)?\r?/y);
  if (cursor.at < cursor.text.length && cursor.text[cursor.at] !== "\n") throw bad(cursor, "unexpected text");
  cursor.at = Math.min(cursor.text.length, cursor.at + 1);
  return cursor.at;
}

function readKey(cursor: Cursor): string[] {
  const parts: string[] = [];
  for (;;) {
    skipSpaces(cursor);
    const mark = cursor.text[cursor.at];
    if (mark === '"' || mark === "'") {
      parts.push(readString(cursor));
    } else {
      const bare = skip(cursor, /[A-Za-z0-9_-]+/y);
      if (bare === "") throw bad(cursor, "a key expected");
      parts.push(bare);
    }
    skipSpaces(cursor);
    if (cursor.text[cursor.at] !== ".") return parts;
    cursor.at += 1;
  }
}

function readPair(cursor: Cursor, depth: number): TomlPair {
  const start = cursor.at;
  const key = readKey(cursor);
  expect(cursor, "=");
  skipSpaces(cursor);
  return { key, start, value: readValue(cursor, depth) };
}

function readValue(cursor: Cursor, depth: number): TomlValue {
  if (depth > MAX_DEPTH) throw bad(cursor, "values nested too deeply");
  const start = cursor.at;
  const mark = cursor.text[start];
  if (mark === '"' || mark === "'") {
    const value = readString(cursor);
    return { start, end: cursor.at, value };
  }
  if (mark === "[") {
    const items = readItems(cursor, "]", () => readValue(cursor, depth + 1));
    return { start, end: cursor.at, value: items.map(({ value }) => value), items };
  }
  if (mark === "{") {
    const pairs = readItems(cursor, "}", () => readPair(cursor, depth + 1));
    const value: JsonObject = {};
    for (const pair of pairs) assignAt(value, pair.key, pair.value.value);
    return { start, end: cursor.at, value, pairs };
  }
  const bare = skip(cursor, /[A-Za-z0-9_+.:-]+(?: \d{2}:[0-9:.]+(?:Z|[+-]\d{2}:\d{2})?)?/y);
  if (bare === "") throw bad(cursor, "a value expected");
  return { start, end: cursor.at, value: bare === "true" ? true : bare === "false" ? false : bare };
}

function readItems<T>(cursor: Cursor, close: string, read: () => T): T[] {
  const items: T[] = [];
  cursor.at += 1;
  for (;;) {
    skipBlank(cursor);
    if (cursor.text[cursor.at] === close) break;
    items.push(read());
    skipBlank(cursor);
    if (cursor.text[cursor.at] === ",") cursor.at += 1;
    else if (cursor.text[cursor.at] !== close) throw bad(cursor, `"${close}" expected`);
  }
  cursor.at += 1;
  return items;
}

function readString(cursor: Cursor): string {
  const { text, at } = cursor;
  const mark = text[at] ?? "";
  if (text.startsWith(mark.repeat(3), at)) {
    // Up to two more quotes may precede the closing three.
    const pattern = mark === '"' ? /"""(?:[^\\"]|\\[\s\S]|"(?!""))*"{3,5}/y : /'''(?:[^']|'(?!''))*'{3,5}/y;
    const whole = skip(cursor, pattern);
    if (whole === "") throw bad(cursor, "an unclosed string");
    const body = whole.slice(3, -3).replace(/^\r?\n/, "");
    return mark === '"' ? unescaped(body.replace(/\\[ \t]*\r?\n\s*/g, "")) : body;
  }
  const whole = skip(cursor, mark === '"' ? /"(?:[^\\"\n]|\\[^\n])*"/y : /'[^'\n]*'/y);
  if (whole === "") throw bad(cursor, "an unclosed string");
  return mark === '"' ? unescaped(whole.slice(1, -1)) : whole.slice(1, -1);
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\u001b" };

function unescaped(body: string): string {
  return body.replace(
    /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([\s\S]))/g,
    (_, short, long, byte, one) => {
      const code = Number.parseInt(short ?? long ?? byte ?? "", 16);
      if (Number.isNaN(code)) return ESCAPES[String(one)] ?? String(one);
      return code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
    },
  );
}

/** Puts a value into nested objects. Later ones win; duplicates in a file are up to its agent. */
export function assignAt(object: JsonObject, path: readonly string[], value: Json): void {
  const [key = "", ...rest] = path;
  // The one key with a meaning for every object; dex never looks for it.
  if (key === "__proto__") return;
  if (rest.length === 0) {
    object[key] = value;
    return;
  }
  const known = object[key];
  const inner: JsonObject = typeof known === "object" && known !== null && !Array.isArray(known) ? known : {};
  object[key] = inner;
  assignAt(inner, rest, value);
}
