/**
 * Changes one table of a TOML file as text: `[mcp_servers.dex]` with its sub-tables, or the same written as dotted keys
 * or inside an inline table. A new table goes to the end of the file; every other byte is kept.
 */
import { asObject, type Json, type JsonObject } from "../../../kernel/json.ts";
import { applyEdits, BadConfig, type Edit, type Editor, eolOf, lineOf, type Span } from "./editor.ts";
import { assignAt, scanToml, type TomlPair, type TomlStatement, type TomlValue } from "./toml_scan.ts";

export const TOML_EDITOR: Editor = {
  read: (text, path) => readAt(scanToml(text), path),
  put: (text, path, entry) => {
    const rest = removeAt(text, path);
    const statements = scanToml(rest);
    const blocking = statements.find(({ kind, path: at }) => kind === "array" && isWithin(path, at));
    const parent = readAt(statements, path.slice(0, -1));
    if (blocking || (parent !== undefined && (typeof parent !== "object" || Array.isArray(parent)))) {
      const line = lineOf(rest, blocking?.start ?? 0);
      throw new BadConfig(
        `has something other than a table at "${path.slice(0, -1).join(".")}"${blocking ? ` in line ${line}` : ""}`,
      );
    }
    const inline = inlineParent(statements, path);
    return inline ? addInline(rest, inline.value, inline.rest, entry) : append(rest, path, entry);
  },
  change: (text, path, fields) => {
    const edits = Object.entries(fields).flatMap(([key, value]): Edit[] => {
      const found = valuesAt(scanToml(text), [...path, key])[0];
      return found ? [{ start: found.start, end: found.end, text: write(value) }] : [];
    });
    return applyEdits(text, edits);
  },
  // A table needs no parent: apart from an empty header, there is none to remove.
  remove: (text, path) => removeAt(text, path),
  isBlank: (text) => text.replace(/^\ufeff/, "").trim() === "",
};

/** `path` is at or below `base`. */
export function isWithin(path: readonly string[], base: readonly string[]): boolean {
  return base.length <= path.length && base.every((key, i) => path[i] === key);
}

function readAt(statements: readonly TomlStatement[], path: readonly string[]): Json | undefined {
  const root: JsonObject = {};
  for (const { kind, path: at, value } of statements) {
    if (!isWithin(at, path) && !isWithin(path, at)) continue;
    if (kind === "pair") assignAt(root, at, value?.value ?? null);
    else if (kind === "table" && lookUp(root, at) === undefined) assignAt(root, at, {});
    else if (kind === "array") assignAt(root, at, []);
  }
  return lookUp(root, path);
}

function lookUp(root: JsonObject, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((value, key) => (value === undefined ? undefined : asObject(value)[key]), root);
}

/** Where a value is written: as a pair of its own, or inside the inline table of a parent pair. */
function valuesAt(statements: readonly TomlStatement[], path: readonly string[]): TomlValue[] {
  return statements.flatMap(({ path: at, value }) =>
    value && isWithin(path, at) ? within(value, path.slice(at.length)) : [],
  );
}

function within(value: TomlValue, path: readonly string[]): TomlValue[] {
  if (path.length === 0) return [value];
  return (value.pairs ?? []).flatMap((pair) =>
    isWithin(path, pair.key) ? within(pair.value, path.slice(pair.key.length)) : [],
  );
}

/** The inline table that must contain the entry, because TOML allows no additions to one from outside. */
function inlineParent(
  statements: readonly TomlStatement[],
  path: readonly string[],
): { value: TomlValue; rest: readonly string[] } | undefined {
  for (let depth = path.length - 1; depth > 0; depth -= 1) {
    const value = valuesAt(statements, path.slice(0, depth)).find(({ pairs }) => pairs);
    if (value) return { value, rest: path.slice(depth) };
  }
  return undefined;
}

function addInline(text: string, table: TomlValue, path: readonly string[], entry: JsonObject): string {
  const written = `${path.map(writeKey).join(".")} = ${write(entry)}`;
  const last = table.pairs?.at(-1);
  if (!last) return applyEdits(text, [{ start: table.start + 1, end: table.end - 1, text: ` ${written} ` }]);
  return applyEdits(text, [{ start: last.value.end, end: last.value.end, text: `, ${written}` }]);
}

function append(text: string, path: readonly string[], entry: JsonObject): string {
  return appendTable(text, `[${path.map(writeKey).join(".")}]`, entry);
}

/** A blank line, then the table; with a line break at the end only if the file had one. */
export function appendTable(text: string, header: string, entry: JsonObject): string {
  const eol = eolOf(text);
  const lines = [header, ...Object.entries(entry).map(([key, value]) => `${writeKey(key)} = ${write(value)}`)];
  const body = lines.join(eol);
  if (text === "" || text === "\ufeff") return text + body + eol;
  return text.endsWith("\n") ? text + eol + body + eol : text + eol + eol + body;
}

export function writeKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : write(key);
}

export function write(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, field]) => `${writeKey(key)} = ${write(field)}`)
      .join(", ")} }`;
  }
  // A JSON string is a TOML basic string, except for the one character that TOML escapes and JSON does not.
  return JSON.stringify(value ?? "").replaceAll("\u007f", "\\u007f");
}

function removeAt(text: string, path: readonly string[]): string {
  const statements = scanToml(text);
  const edits: Edit[] = [];
  for (const [i, statement] of statements.entries()) {
    const { kind, path: at, value } = statement;
    if (kind !== "pair") {
      if (isWithin(at, path)) edits.push(wholeTable(text, statements, i));
      continue;
    }
    if (isWithin(at, path)) {
      // Pairs below a header of the entry were removed with that header.
      if (!edits.some(({ start, end }) => start <= statement.start && statement.end <= end))
        edits.push(wholeLine(text, statement));
    } else if (value && isWithin(path, at)) {
      const edit = insideTable(text, value, path.slice(at.length));
      if (edit) edits.push(edit);
    }
  }
  return applyEdits(text, edits);
}

/** From the header to its last pair. Comments after the last pair belong to the next table. */
function wholeTable(text: string, statements: readonly TomlStatement[], index: number): Edit {
  let last = index;
  while (statements[last + 1]?.kind === "pair") last += 1;
  return cutStatements(text, statements[index], statements[last]);
}

/** From the line of one statement to that of another, with one blank line before it. */
export function cutStatements(text: string, header: TomlStatement | undefined, final: TomlStatement | undefined): Edit {
  if (!header || !final) return { start: 0, end: 0, text: "" };
  const start = lineStart(text, header.start);
  const blank = /(?:^\ufeff?|\n)([ \t]*\r?\n)$/.exec(text.slice(0, start))?.[1] ?? "";
  return withoutLastBreak(text, start - blank.length, final.lineEnd);
}

function wholeLine(text: string, statement: TomlStatement): Edit {
  return withoutLastBreak(text, lineStart(text, statement.start), statement.lineEnd);
}

/** If the removed text ended without a line break, the file ends without one again. */
function withoutLastBreak(text: string, start: number, end: number): Edit {
  if (end < text.length || text.endsWith("\n")) return { start, end, text: "" };
  const before = text.slice(0, start);
  return { start: before.length - (/\r?\n$/.exec(before)?.[0].length ?? 0), end, text: "" };
}

function lineStart(text: string, offset: number): number {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return start === 0 && text.startsWith("\ufeff") ? 1 : start;
}

function insideTable(text: string, table: TomlValue, path: readonly string[]): Edit | undefined {
  const pairs = table.pairs ?? [];
  const index = pairs.findIndex(({ key }) => isWithin(path, key) || isWithin(key, path));
  const pair = pairs[index];
  if (!pair) return undefined;
  if (pair.key.length < path.length) return insideTable(text, pair.value, path.slice(pair.key.length));
  return cutPair(pairs, index, table);
}

function cutPair(pairs: readonly TomlPair[], index: number, table: TomlValue): Edit {
  const spans = pairs.map(({ start, value: { end } }) => ({ start, end }));
  return cutOne(spans, index, table);
}

/** Cuts one of several values between brackets, with one comma. */
export function cutOne(spans: readonly Span[], index: number, brackets: Span): Edit {
  const [previous, { start, end } = brackets, next] = [spans[index - 1], spans[index], spans[index + 1]];
  if (previous) return { start: previous.end, end, text: "" };
  if (next) return { start, end: next.start, text: "" };
  return { start: brackets.start + 1, end: brackets.end - 1, text: "" };
}
