/**
 * Doc comments: the comment that ends on the line above a definition, or above its attributes and decorators, without its
 * comment markers. A comment behind code belongs to that code.
 */
import { dedented } from "../../../../text/indent.ts";
import type { Node } from "../../../syntax/tree.ts";

const MAX_DOC_CHARS = 1200;
/** `#[inline]`, `@log`, `@log("x")`, `[Test]` on a line of its own */
const ATTRIBUTE =
  /^[ \t]*(?:#!?\[.{0,200}\]|@[\w.]{1,100}(?:\(.{0,200}\))?|\[[\w.]{1,100}(?:\(.{0,200}\))?\])[ \t]*\r?$/;
const MAX_ATTRIBUTES = 20;

interface Comment {
  first: number;
  last: number;
  text: string;
}

/** Comments by the line they end on. */
export function commentsByLine(nodes: readonly Node[]): Map<number, Comment> {
  const comments = new Map<number, Comment>();
  for (const node of nodes) {
    if (!beginsLine(node)) continue;
    const first = node.startPosition.row + 1;
    // Some grammars include the newline in a line comment.
    const last = node.endPosition.column === 0 ? node.endPosition.row : node.endPosition.row + 1;
    comments.set(last, { first, last, text: node.text.trimEnd() });
  }
  return comments;
}

function beginsLine({ tree, startIndex }: Node): boolean {
  let at = startIndex - 1;
  while (at >= 0 && (tree.text[at] === " " || tree.text[at] === "\t")) at -= 1;
  return at < 0 || tree.text[at] === "\n";
}

/** The comment between the head of a function and its body, on a line of its own. */
export function docAboveBody(body: Node | null): string {
  const comment = body?.previousNamedSibling;
  return comment?.type === "comment" && beginsLine(comment) ? strip(comment.text) : "";
}

/** `lines`: those of the file. */
export function docBefore(comments: ReadonlyMap<number, Comment>, line: number, lines: readonly string[]): string {
  if (comments.size === 0) return "";
  const parts: string[] = [];
  let at = line - 1;
  for (let count = 0; count < MAX_ATTRIBUTES && ATTRIBUTE.test(lines[at - 1] ?? ""); count += 1) at -= 1;
  for (let comment = comments.get(at); comment && comment.last === at; comment = comments.get(at)) {
    parts.unshift(comment.text);
    at = comment.first - 1;
    if (!/^(\/\/|#|--)/.test(comment.text)) break;
  }
  return parts.length === 0 ? "" : strip(parts.join("\n"));
}

/** The string literal at the start of a body, without the indentation of the body. */
export function docstringOf(body: Node | null): string {
  const first = body?.namedChildren[0];
  const string = first?.type === "expression_statement" ? first.namedChildren[0] : first;
  if (string?.type !== "string") return "";
  const text = string.text.replace(/^[rRuUbB]*("""|'''|"|')/, "").replace(/("""|'''|"|')$/, "");
  const [opening = "", ...rest] = text.split("\n");
  return bounded([opening.trim(), ...dedented(rest).map((line) => line.trimEnd())].join("\n").trim());
}

function strip(comment: string): string {
  return bounded(
    comment
      .replaceAll(/^\s*(\/\*\*?|\*\/|\*(?!\/)|\/\/[/!]?|#+!?|--)[ \t]?/gm, "")
      .replaceAll(/\s*\*\/\s*$/g, "")
      .trim(),
  );
}

/** Truncated at the end of a line; of a single long line, within it. */
function bounded(doc: string): string {
  if (doc.length <= MAX_DOC_CHARS) return doc;
  const end = doc.lastIndexOf("\n", MAX_DOC_CHARS);
  return doc.slice(0, end < 0 ? MAX_DOC_CHARS : end).trimEnd();
}
