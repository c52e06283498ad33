/**
 * Markdown as HTML, from the tokens of markdown-it and not by its renderer: only the tags listed here can arise, links
 * lead only to the web or to mail, and an image is shown as its text, so that opening the page loads nothing.
 */
import MarkdownParser, { type Token } from "markdown-it";
import { element, escaped, openTag, safeLink } from "./markup.ts";

/** Longer texts are pastes, and the time of the inline rules may grow faster than the text: shown as plain text. */
const MAX_MARKDOWN_CHARS = 60_000;
const MAX_NESTING = 40;
/** A message stands below the title and its own head. */
const HEADING_SHIFT = 2;
const LAST_HEADING = 6;
const TAGS = new Set("p em strong s blockquote ul ol li table thead tbody tr th td hr br h1 h2 h3 h4 h5 h6".split(" "));
const VOID_TAGS = new Set(["hr", "br"]);

const parser = new MarkdownParser({ html: false, linkify: false, maxNesting: MAX_NESTING });
parser.validateLink = (address) => safeLink(address) !== undefined;

export function markdownHtml(text: string): string {
  if (text.length > MAX_MARKDOWN_CHARS) return element("pre", { class: "plain" }, escaped(text));
  return tokensHtml(parser.parse(text, {}));
}

function tokensHtml(tokens: readonly Token[]): string {
  const closing: string[] = [];
  let html = "";
  for (const token of tokens) {
    if (token.nesting === 1) {
      const [start, end] = opened(token);
      html += start;
      closing.push(end);
    } else if (token.nesting === -1) html += closing.pop() ?? "";
    else html += leafHtml(token);
  }
  return html + closing.reverse().join("");
}

/** The start and the end of an element. A token of an unknown kind shows only its content. */
function opened(token: Token): [start: string, end: string] {
  // In a tight list the paragraph exists only as a token.
  if (token.hidden) return ["", ""];
  if (token.type === "link_open") {
    const href = safeLink(String(token.attrGet("href") ?? ""));
    return href === undefined ? ["", ""] : [openTag("a", { href, rel: "noreferrer noopener" }), "</a>"];
  }
  const tag = shownTag(token.tag);
  if (tag === undefined) return ["", ""];
  const start = Number(token.attrGet("start"));
  const numbered = tag === "ol" && Number.isSafeInteger(start) && start > 1;
  return [openTag(tag, numbered ? { start: String(start) } : {}), `</${tag}>`];
}

function shownTag(tag: string): string | undefined {
  if (!TAGS.has(tag)) return undefined;
  const level = /^h([1-6])$/.exec(tag)?.[1];
  return level === undefined ? tag : `h${Math.min(LAST_HEADING, Number(level) + HEADING_SHIFT)}`;
}

function leafHtml(token: Token): string {
  if (token.type === "inline") return tokensHtml(token.children ?? []);
  if (token.type === "code_inline") return element("code", {}, escaped(token.content));
  if (token.type === "fence" || token.type === "code_block") return codeHtml(token);
  if (token.type === "softbreak") return "\n";
  if (token.type === "image") return escaped(imageText(token));
  if (VOID_TAGS.has(token.tag)) return openTag(token.tag);
  return escaped(token.content);
}

function codeHtml(token: Token): string {
  const language = token.info.trim().split(/\s+/, 1)[0] ?? "";
  const label = language === "" ? "" : element("span", { class: "language" }, escaped(language.slice(0, 40)));
  return element("pre", {}, label + element("code", {}, escaped(token.content)));
}

function imageText(token: Token): string {
  const text = token.content.trim();
  return `[image: ${text === "" ? String(token.attrGet("src") ?? "") : text}]`;
}
