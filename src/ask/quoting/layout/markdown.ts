/** Extensions of Markdown by site generators: boxes, tabs, definition lists, and MDX components. */
import { oneLine } from "../../../kernel/text.ts";
import { dedented, indentOf } from "../../../text/indent.ts";
import { announced, type Block } from "./block.ts";

/** `:::note Title`, `:::tip[Title]`, `:::` */
const COLONS = /^\s{0,6}:{3,}\s*(?:\{?[\w-]*\}?(?:\s*\[([^\]\n]*)\]|\s+([^{\n]*?))?\s*(?:\{[^}\n]*\})?)?\s*$/;
/** `!!! note "Title"`, `??? tip`, `=== "Tab"`: the indented text below belongs to it. */
const FOLDED = /^(?:(?:!!!|\?\?\?\+?)(?:\s+[\w-]+)+(?=\s*$|\s+")|===[!+]?(?=\s+"))(?:\s+"([^"\n]*)")?\s*$/;
const MDX_STATEMENT = /^(?:import\s.*\sfrom\s+["'][^"']+["'];?|import\s+["'][^"']+["'];?)\s*$/;
const MDX_COMMENT = /^\s*\{\/\*/;
const MDX_COMMENT_END = /\*\/\}\s*$/;
const BADGES = /^\s*(?:\[!\[[^\]\n]*\]\([^)\n]*\)\](?:\([^)\n]*\)|\[[^\]\n]*\])\s*)+$/;
/** A component without text, on a line of its own. */
const COMPONENT = /^\s*<\/?([A-Z][\w.]*)((?:\s[^<>]*)?)\/?>\s*$/;
const ONE_LINE = /^\s*<([A-Z][\w.]*)((?:\s[^<>]*)?)>(.+)<\/\1>\s*$/;
/** Tags of Liquid, Hugo and GitBook on a line of their own. */
const TEMPLATE = /^\s*(?:\{%(.*)%\}|\{\{[<%](.*)[%>]\}\})\s*$/;
const COMPONENT_START = /^\s*<[A-Z][\w.]*\s*$/;
const ATTRIBUTE =
  /\s(label|title|name|path|query|summary|description)=(?:"([^"]*)"|'([^']*)'|\{["'`]([^"'`]*)["'`]\})/g;
const FIELD = /\b(name|title|type|description)\s*:\s*(?:'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`)/g;
const SAID_BY_TERM = /^:\s+(?=\S)/;
const MAX_COMPONENT_LINES = 400;

export function markdownAt(lines: readonly string[], at: number): Block | undefined {
  const line = lines[at] ?? "";
  const first = line.trimStart()[0] ?? "";
  if (first === "" || first === "|") return undefined;
  if (first === ":" && COLONS.test(line)) {
    const [, bracketed, plain] = COLONS.exec(line) ?? [];
    return titled(bracketed ?? plain ?? "", at + 1);
  }
  if ("!?=".includes(first) && FOLDED.test(line)) return folded(lines, at);
  if (first === "i" && MDX_STATEMENT.test(line)) return { lines: [""], end: at + 1 };
  const template = first === "{" ? TEMPLATE.exec(line) : undefined;
  if (template) return titled(titleIn(template[1] ?? template[2] ?? ""), at + 1);
  if (first === "{" && MDX_COMMENT.test(line)) return comment(lines, at);
  if (first === "[" && BADGES.test(line)) return { lines: [""], end: at + 1 };
  return first === "<" ? component(lines, at) : terms(lines, at);
}

function titled(title: string, end: number): Block {
  return { lines: title.trim() === "" ? [""] : ["", announced(title), ""], end };
}

function folded(lines: readonly string[], at: number): Block | undefined {
  let end = at + 1;
  while (end < lines.length && ((lines[end] ?? "").trim() === "" || indentOf(lines[end] ?? "") >= 4)) end += 1;
  const body = dedented(lines.slice(at + 1, end));
  if (body.every((line) => line.trim() === "")) return undefined;
  return { lines: [...titled(FOLDED.exec(lines[at] ?? "")?.[1] ?? "", at).lines, ...body, ""], end };
}

function titleIn(attributes: string): string {
  const said = [...attributes.matchAll(ATTRIBUTE)].map((found) => found[2] ?? found[3] ?? found[4] ?? "");
  return said.filter((text) => text.trim() !== "").join(": ");
}

function closingTag(lines: readonly string[], at: number, name: string): number | undefined {
  const tag = `${" ".repeat(indentOf(lines[at] ?? ""))}</${name}>`;
  const last = Math.min(lines.length, at + MAX_COMPONENT_LINES);
  for (let end = at + 1; end < last; end += 1) if ((lines[end] ?? "").trimEnd() === tag) return end;
  return undefined;
}

function comment(lines: readonly string[], at: number): Block | undefined {
  const last = Math.min(lines.length, at + MAX_COMPONENT_LINES);
  let end = at;
  while (end < last && !MDX_COMMENT_END.test(lines[end] ?? "")) end += 1;
  return end === last ? undefined : { lines: [""], end: end + 1 };
}

function component(lines: readonly string[], at: number): Block | undefined {
  const line = lines[at] ?? "";
  const [, whole, given, text = ""] = ONE_LINE.exec(line) ?? [];
  if (whole !== undefined) {
    const title = titleIn(given ?? "");
    return { lines: [title === "" ? text : `${announced(title)} ${text}`], end: at + 1 };
  }
  const [, name = "", attributes] = COMPONENT.exec(line) ?? [];
  if (attributes !== undefined) {
    const { lines: title } = titled(titleIn(attributes), at + 1);
    const closing = /^\s*<\/|\/>\s*$/.test(line) ? undefined : closingTag(lines, at, name);
    if (closing === undefined) return { lines: title, end: at + 1 };
    // The content of a component may be indented, which does not make it code.
    return { lines: [...title, ...dedented(lines.slice(at + 1, closing)), ""], end: closing + 1 };
  }
  if (!COMPONENT_START.test(lines[at] ?? "")) return undefined;
  const last = Math.min(lines.length, at + MAX_COMPONENT_LINES);
  let end = at + 1;
  while (end < last && !/^\s*\/?>\s*$/.test(lines[end] ?? "")) end += 1;
  if (end === last) return undefined;
  const properties = lines.slice(at + 1, end);
  const items = itemsOf(properties.join("\n"));
  if (items.length > 0) return { lines: ["", ...items, ""], end: end + 1 };
  return { lines: properties.length > 2 ? ["", "```", ...dedented(properties), "```", ""] : [""], end: end + 1 };
}

/** The attributes of a component may contain the rows of a table: objects with a name and a description. */
function itemsOf(properties: string): string[] {
  const items: string[] = [];
  let name = "";
  for (const [, key = "", single, double, long] of properties.matchAll(FIELD)) {
    const value = oneLine(single ?? double ?? long ?? "");
    if (key === "name" || key === "title") name = value;
    else if (name === "" || value === "") continue;
    else if (key === "type") name = `${name} (${value})`;
    else {
      items.push(`- ${name}: ${value}`);
      name = "";
    }
  }
  return items;
}

/** A term with its descriptions: `: text` below it, or, as in reStructuredText, indented text. */
function terms(lines: readonly string[], at: number): Block | undefined {
  const term = lines[at] ?? "";
  if (at > 0 && (lines[at - 1] ?? "").trim() !== "") return undefined;
  let next = at + 1;
  if ((lines[next] ?? "x").trim() === "") next += 1;
  if (SAID_BY_TERM.test(lines[next] ?? "") && /^[^\s:#>|-]/.test(term)) return describedByColons(lines, at, next);
  return next === at + 1 && isTerm(term) && isDescription(lines, next) ? describedBelow(lines, at) : undefined;
}

function describedByColons(lines: readonly string[], at: number, from: number): Block {
  const term = oneLine(lines[at] ?? "");
  const found: string[] = [];
  let end = from;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    if (SAID_BY_TERM.test(line)) found.push(`- ${term}: ${line.replace(SAID_BY_TERM, "")}`);
    else if (line.trim() === "" && (SAID_BY_TERM.test(lines[end + 1] ?? "") || indentOf(lines[end + 1] ?? "") >= 2))
      found.push("");
    else if (line.trim() === "" || (!/^\s/.test(line) && (lines[end - 1] ?? "").trim() === "")) break;
    else found.push(`  ${line.trim()}`);
  }
  return { lines: ["", ...found, ""], end };
}

const MAX_TERM_CHARS = 60;

/** A short line that is not a sentence, item, heading or directive. */
function isTerm(line: string): boolean {
  return (
    line.length <= MAX_TERM_CHARS && /^[\p{L}\p{N}`*<$_-]/u.test(line) && !/^(?:[-*]|\d+[.)])\s|[.!?:;,]\s*$/.test(line)
  );
}

/** Several words that begin like a sentence, or a second indented paragraph further down. */
function isDescription(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  const indent = indentOf(line);
  if (line.startsWith("\t") || indent < 2 || indent > 8 || !/^[\p{Lu}`*:"(]/u.test(line.trim())) return false;
  let end = at;
  const isShort = / : /.test(lines[at - 1] ?? "");
  while ((lines[end] ?? "").trim() !== "") {
    if (indentOf(lines[end] ?? "") !== indent) return false;
    end += 1;
  }
  return isShort || (/[.!?]\s*$/.test(lines[end - 1] ?? "") && /\s\p{L}{2,}\s\p{L}{2,}/u.test(line));
}

function describedBelow(lines: readonly string[], at: number): Block {
  let end = at + 1;
  while (end < lines.length && ((lines[end] ?? "").trim() === "" || /^\s/.test(lines[end] ?? ""))) end += 1;
  const term = oneLine((lines[at] ?? "").replace(/\s:\s.*$/, ""));
  const body = dedented(lines.slice(at + 1, end)).map((line) => (line === "" ? "" : `  ${line}`));
  const [opening = "", ...rest] = body;
  return { lines: ["", `- ${term}: ${opening.trim()}`, ...rest, ""], end };
}
