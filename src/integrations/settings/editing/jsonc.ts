/**
 * Changes one entry of a JSON file that may contain comments and trailing commas. A new entry goes after the last one,
 * in the file's own indentation; removing it again restores the same bytes.
 */
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode, stripComments } from "jsonc-parser";
import type { Json } from "../../../kernel/json.ts";
import { applyEdits, BadConfig, type Edit, type Editor, eolOf, lineOf } from "./editor.ts";

export const JSONC_EDITOR: Editor = {
  read: (text, path) => {
    const node = find(rootOf(text), path);
    return node && (getNodeValue(node) as Json);
  },
  put: putValue,
  change: (text, path, fields) => {
    const entry = find(rootOf(text), path);
    const edits = Object.entries(fields).flatMap(([key, value]): Edit[] => {
      const node = child(entry, key);
      return node ? [{ start: node.offset, end: endOf(node), text: inline(styleOf(text), value) }] : [];
    });
    return applyEdits(text, edits);
  },
  remove: (text, path, prune) => {
    const root = rootOf(text);
    let depth = path.length;
    let node = find(root, path);
    if (!node) return text;
    // A parent without anything else, not even a comment, is removed with it.
    while (depth > 1 && path.length - depth < prune) {
      const parent = find(root, path.slice(0, depth - 1));
      if (parent?.children?.length !== 1 || hasComments(text, parent, node)) break;
      node = parent;
      depth -= 1;
    }
    return cut(text, node);
  },
  isBlank: (text) =>
    stripComments(text)
      .trim()
      .replace(/^\ufeff/, "") === "" || /^\ufeff?\s*\{\s*\}\s*$/.test(text),
};

export function putValue(text: string, path: readonly string[], entry: Json): string {
  const root = rootOf(text);
  if (!root) return text + block(styleOf(text), nest(path, entry), "") + (text === "" ? eolOf(text) : "");
  const known = find(root, path);
  if (known) {
    const style = styleOf(text);
    const written = text.includes("\n") ? block(style, entry, lead(text, known)) : inline(style, entry);
    return applyEdits(text, [{ start: known.offset, end: endOf(known), text: written }]);
  }
  let depth = 0;
  let parent = root;
  for (let next = child(parent, path[0]); next && depth < path.length - 1; next = child(parent, path[depth])) {
    parent = next;
    depth += 1;
    if (parent.type !== "object") throw notAnObject(text, path.slice(0, depth), parent);
  }
  return insert(text, parent, path[depth] ?? "", nest(path.slice(depth + 1), entry));
}

export function rootOf(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const body = text.startsWith("\ufeff") ? ` ${text.slice(1)}` : text;
  if (stripComments(body).trim() === "") return undefined;
  const root = parseTree(body, errors, { allowTrailingComma: true });
  const first = errors[0];
  if (first || !root) {
    const what = first ? printParseErrorCode(first.error).replace(/([a-z])([A-Z])/g, "$1 $2") : "no value";
    throw new BadConfig(`is not valid JSON: ${what.toLowerCase()} in line ${lineOf(text, first?.offset ?? 0)}`);
  }
  if (root.type !== "object") throw new BadConfig(`does not hold a JSON object, but ${root.type}`);
  return root;
}

/**
 * The syntax that the agent accepts in its own file. `json`: neither comments nor trailing commas.
 * `json_with_comments`: no trailing commas. `jsonc`: both.
 */
export type JsonFormat = "json" | "json_with_comments" | "jsonc";

/** Throws if a file has comments or trailing commas, and the agent that owns it rejects them. */
export function checkFormat(text: string, format: JsonFormat, reader: string): void {
  const errors: ParseError[] = [];
  const body = text.startsWith("\ufeff") ? ` ${text.slice(1)}` : text;
  if (body.trim() === "" || format === "jsonc") return;
  parseTree(body, errors, { allowTrailingComma: false, disallowComments: format === "json" });
  const [first] = errors;
  if (!first) return;
  const what = printParseErrorCode(first.error)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  throw new BadConfig(`is not valid JSON for ${reader}: ${what} in line ${lineOf(text, first.offset)}`);
}

/** Of a duplicate key the last counts, as it does for JSON.parse. */
function child(object: Node | undefined, key: string | undefined): Node | undefined {
  if (object?.type !== "object" || key === undefined) return undefined;
  return object.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
}

export function find(root: Node | undefined, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((node, key) => child(node, key), root);
}

export function endOf(node: Node): number {
  return node.offset + node.length;
}

function notAnObject(text: string, path: readonly string[], node: Node): BadConfig {
  return new BadConfig(
    `has ${node.type === "array" ? "an array" : node.type} at "${path.join(".")}" where an object belongs, in line ${lineOf(text, node.offset)}`,
  );
}

function nest(path: readonly string[], entry: Json): Json {
  return path.reduceRight<Json>((value, key) => ({ [key]: value }), entry);
}

interface Style {
  eol: string;
  unit: string;
  /** Between a key's colon and its value, and inside braces on one line. */
  gap: string;
}

export function styleOf(text: string): Style {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1];
  const compact = !text.includes("\n") && /":\S/.test(text);
  return { eol: eolOf(text), unit: indent ?? "  ", gap: compact ? "" : " " };
}

/** White space at the beginning of the node's line. */
export function lead(text: string, node: Node): string {
  const start = text.lastIndexOf("\n", node.offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, node.offset))?.[0] ?? "";
}

/** On one line, as in short lists and one-line files. */
export function inline(style: Style, value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item) => inline(style, item)).join(`,${style.gap}`)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([key, field]) => `${JSON.stringify(key)}:${style.gap}${inline(style, field)}`,
  );
  return `{${style.gap}${fields.join(`,${style.gap}`)}${style.gap}}`;
}

/** An object over several lines; its first line is inserted as it is, the others begin with `indent`. */
function block(style: Style, value: Json, indent: string): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return inline(style, value);
  const inner = indent + style.unit;
  const fields = Object.entries(value).map(
    ([key, field]) => `${inner}${JSON.stringify(key)}: ${block(style, field ?? null, inner)}`,
  );
  return `{${style.eol}${fields.join(`,${style.eol}`)}${style.eol}${indent}}`;
}

function insert(text: string, object: Node, key: string, value: Json): string {
  const style = styleOf(text);
  const name = JSON.stringify(key);
  const last = object.children?.at(-1);
  const close = endOf(object) - 1;
  if (!last) {
    const inner = text.slice(object.offset + 1, close);
    const outer = lead(text, object);
    const at = object.offset + 1 + inner.trimEnd().length;
    // One line stays one line only if the whole file is one.
    if (!text.includes("\n") && text.trim() !== "{}") {
      return applyEdits(text, [
        { start: at, end: close, text: `${style.gap}${name}:${style.gap}${inline(style, value)}${style.gap}` },
      ]);
    }
    const added = `${style.eol}${outer}${style.unit}${name}: ${block(style, value, outer + style.unit)}`;
    const tail = inner.slice(inner.trimEnd().length);
    return applyEdits(text, [
      { start: at, end: close, text: added + (tail.includes("\n") ? tail : style.eol + outer) },
    ]);
  }
  const { comma, end, inLineComment } = afterValue(text, endOf(last), close);
  const oneLine = !inLineComment && !text.slice(object.offset, object.children?.[0]?.offset).includes("\n");
  const written = oneLine
    ? `${style.gap}${name}:${style.gap}${inline(style, value)}`
    : `${style.eol}${lead(text, last)}${name}: ${block(style, value, lead(text, last))}`;
  const edits: Edit[] = comma ? [] : [{ start: endOf(last), end: endOf(last), text: "," }];
  return applyEdits(text, [...edits, { start: end, end, text: written + (comma ? "," : "") }]);
}

/** The text between values. A line comment extends to the end of its line. */
interface Token {
  kind: "comma" | "line" | "block";
  start: number;
  end: number;
}

export function tokensBetween(text: string, from: number, to: number): Token[] {
  const tokens: Token[] = [];
  let at = from;
  while (at < to) {
    const start = at;
    if (text.startsWith("//", at)) {
      at += /[^\r\n]*/.exec(text.slice(at, to))?.[0].length ?? 0;
      tokens.push({ kind: "line", start, end: at });
    } else if (text.startsWith("/*", at)) {
      at = text.indexOf("*/", at + 2) + 2;
      tokens.push({ kind: "block", start, end: at });
    } else {
      at += 1;
      if (text[start] === ",") tokens.push({ kind: "comma", start, end: at });
    }
  }
  return tokens;
}

/** The text after a value that belongs to its property: its comma, and comments that begin on the same line. */
function afterValue(
  text: string,
  from: number,
  close: number,
): { comma: boolean; end: number; inLineComment: boolean } {
  const tokens = tokensBetween(text, from, close);
  const comma = tokens.findIndex(({ kind }) => kind === "comma");
  let end = tokens[comma]?.end ?? from;
  let inLineComment = false;
  for (const token of tokens.slice(comma + 1)) {
    if (text.slice(end, token.start).includes("\n")) break;
    end = token.end;
    inLineComment = token.kind === "line";
  }
  return { comma: comma >= 0, end, inLineComment };
}

function hasComments(text: string, parent: Node, only: Node): boolean {
  const property = only.parent;
  if (!property) return true;
  const around = [
    ...tokensBetween(text, parent.offset + 1, property.offset),
    ...tokensBetween(text, endOf(property), endOf(parent) - 1),
  ];
  return around.some(({ kind }) => kind !== "comma");
}

/** Removes a property with the white space before it and one comma: its own, or that of the property before. */
function cut(text: string, value: Node): string {
  const property = value.parent;
  const object = property?.parent;
  if (!property || !object) return text;
  const siblings = object.children ?? [];
  const place = siblings.indexOf(property);
  const previous = siblings[place - 1];
  const close = endOf(object) - 1;
  const from = previous ? endOf(previous) : object.offset + 1;
  const before = tokensBetween(text, from, property.offset);
  const own = tokensBetween(text, endOf(property), siblings[place + 1]?.offset ?? close).find(isComma);
  const end = own?.end ?? endOf(property);
  // Otherwise the rest of the line would become part of a line comment.
  const swallowed = before.at(-1)?.kind === "line" && /^[ \t]*[^\s]/.test(text.slice(end));
  const start = swallowed ? property.offset : (before.at(-1)?.end ?? from);
  const comma = previous && !own ? before.find(isComma) : undefined;
  const edits: Edit[] = [{ start, end, text: "" }];
  if (comma && comma.end < start) edits.push({ start: comma.start, end: comma.end, text: "" });
  else if (comma) edits[0] = { start: comma.start, end, text: "" };
  const left = text.slice(object.offset + 1, start) + text.slice(end, close);
  if (siblings.length > 1 || left.trim() !== "") return applyEdits(text, edits);
  return applyEdits(text, [{ start: object.offset + 1, end: close, text: "" }]);
}

function isComma({ kind }: Token): boolean {
  return kind === "comma";
}
