/**
 * Removes parts of Markdown, HTML and reStructuredText that a reader of the rendered page does not see: comments, elements
 * that are hidden by an attribute or a style, and link definitions that serve as comments. Code stays as it is.
 * Newlines stay, so lines keep their number.
 */

const FENCED = /^([ \t]{0,3})(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t]{0,3}\2[`~]*[ \t]*$|(?![\s\S]))/gm;
const INLINE_CODE = /(`{1,3})(?!`)[^`\n]{1,300}\1(?!`)/g;
/** A tag that is indented like code is an example. */
const UNSEEN_TAG = /(?:^([ \t]{0,40}))?<(script|style|template|noscript)\b[^<>]{0,1000}>/gim;
const HIDDEN_TAG =
  /<([a-z][a-z0-9-]{0,20})\b(?=[^<>]{0,1000}(?:\shidden(?=[\s=/>])|\saria-hidden\s*=\s*["']?true|style\s*=\s*["'][^"'<>]{0,500}(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|["'])|font-size\s*:\s*0|(?:^|[;"'\s])color\s*:\s*(?:white|#fff(?:fff)?|transparent))))[^<>]{0,1000}>/gi;
/** `[//]: # (text)`, `[comment]: <> (text)`. */
const COMMENT_LINK = /^[ \t]{0,3}\[(?:\/\/|comment|_metadata_[^\]]{0,60})\]:[ \t]*(?:#|<>)[^\n]*$/gim;
/** Only so many hidden elements are removed. */
const MAX_ELEMENTS = 1000;
const VOID = /^(?:img|br|hr|input|meta|link|area|base|col|embed|source|track|wbr)$/i;

export function hiddenRemoved(text: string): string {
  if (!/<|\[\/\/\]:|\[comment\]:|^\.\. /im.test(text)) return text;
  const fences: string[] = [];
  const keep = (code: string): string => `\u0000${fences.push(code) - 1}\u0000`;
  const kept = text.replace(FENCED, keep).replace(INLINE_CODE, keep);
  const uncommented = between(kept, "<!--", "-->").replace(COMMENT_LINK, "");
  const seen = rstCommentsRemoved(elementsRemoved(elementsRemoved(uncommented, UNSEEN_TAG), HIDDEN_TAG));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL marks the place of a code block; texts do not contain it
  return seen.replace(/\u0000(\d{1,6})\u0000/g, (_, index: string) => fences[Number(index)] ?? "");
}

function newlinesOf(part: string): string {
  return part.replace(/[^\n]+/g, "");
}

/** Removes everything from each `start` to the next `end`, or to the end of the text. */
function between(text: string, start: string, end: string): string {
  let done = "";
  let at = 0;
  for (let from = text.indexOf(start); from >= 0; from = text.indexOf(start, at)) {
    const to = text.indexOf(end, from);
    const next = to < 0 ? text.length : to + end.length;
    done += text.slice(at, from) + newlinesOf(text.slice(from, next));
    at = next;
  }
  return done + text.slice(at);
}

/** Removes elements with a matching tag, up to the closing tag or else to the end of the paragraph. */
function elementsRemoved(text: string, tag: RegExp): string {
  let done = "";
  let at = 0;
  for (let count = 0; count < MAX_ELEMENTS; count += 1) {
    tag.lastIndex = at;
    const match = tag.exec(text);
    if (!match) break;
    const name = match[2] ?? match[1] ?? "";
    const from = match.index;
    const start = from + match[0].length;
    const isExample = match[2] !== undefined && /^(?: {4}|\t)/.test(match[1] ?? "");
    const end = isExample || VOID.test(name) || match[0].endsWith("/>") ? start : closingOf(text, name, start);
    done += text.slice(at, from) + (isExample ? match[0] : newlinesOf(text.slice(from, end)));
    at = end;
  }
  return done + text.slice(at);
}

function closingOf(text: string, name: string, from: number): number {
  const tags = new RegExp(`<(/?)${name}\\b[^<>]{0,1000}>`, "gi");
  tags.lastIndex = from;
  let depth = 1;
  for (let match = tags.exec(text); match; match = tags.exec(text)) {
    depth += match[1] === "/" ? -1 : match[0].endsWith("/>") ? 0 : 1;
    if (depth === 0) return match.index + match[0].length;
  }
  const paragraph = text.indexOf("\n\n", from);
  return paragraph < 0 ? text.length : paragraph;
}

/**
 * Removes comments of reStructuredText: `.. text` that is not a directive, target or footnote, with the indented lines
 * below it. In the same paragraph as `. text` it is an item of a numbered AsciiDoc list.
 */
function rstCommentsRemoved(text: string): string {
  let inComment = false;
  let inItems = false;
  return text
    .split("\n")
    .map((line) => {
      if (inComment && (line.trim() === "" || /^\s/.test(line))) return "";
      inComment = !inItems && /^\.\.(?:\s*$|\s+(?!_|\[|\||[\w:.+-]{1,60}::))/.test(line);
      inItems = line.trim() !== "" && (inItems || /^\.\s+\S/.test(line));
      return inComment ? "" : line;
    })
    .join("\n");
}
