/**
 * Markdown and MDX. Only the block rules of markdown-it run: they tell headings from code. Each token is processed when it
 * is created and then dropped, so a document of many small blocks needs no memory for them.
 */
import MarkdownParser, { type Env, type MarkdownIt, type Token } from "markdown-it";
import { oneLine } from "../../kernel/text.ts";
import { linesOf } from "../lines.ts";
import type { ParsedDocument } from "../model.ts";
import { buildSections, isHeading, MAX_SECTIONS } from "../sections.ts";
import type { BoldParagraph, FoundAnchor, FoundHeading } from "../structure.ts";
import { readFrontMatter } from "./front_matter.ts";

/** Deeper lists and quotes are read as paragraphs; markdown-it itself would give up on the rest of the document. */
const MAX_NESTING = 60;
/** Longer headings skip the inline rules, whose time may grow faster than the text. */
const MAX_INLINE_CHARS = 2000;
const MAX_BRACKETS = 50;
const MAX_HTML_HEADING_CHARS = 4000;
const MAX_HTML_HEADINGS = 20;

const ANCHOR_HINT = /<[a-z][^<>]*\s(?:id|name)\s*=/i;
const ANCHOR = /<[a-z][^<>]*?\s(?:id|name)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>=`]+))/gi;
/** `## Name {#id}`, and `{/* #id *\/}` as MDX writes it. */
const EXPLICIT_ID = /\{(?:\/\*\s*)?#([^\s{}]+)(?:\s[^{}]*)?\}\s*$/;
const HTML_HEADING = /^[ \t]*<h([1-6])(?:\s[^<>]*)?>/gim;
/** HTML blocks whose content is literal. */
const LITERAL_HTML = /^\s*<(?:pre|script|style|textarea|!|\?)/i;
/** A paragraph of bold text alone. */
const BOLD = /^(?:\*\*(?=\S)([^*\n]+)\*\*|__(?=\S)([^_\n]+)__)$/;
const MARKUP = /[\\`*_~[\]<>&!]/;

const TOKEN = {};

/**
 * Block-rule state that passes on each token when the next one is created, because only then is it complete. Tokens get
 * only the fields that the rules write and `take` reads: markdown-it's own constructor takes a third of the time.
 */
class StreamingState extends new MarkdownParser().block.State {
  take: ((token: Token) => void) | undefined;
  #current: Token | undefined;

  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    this.finish();
    if (nesting < 0) this.level -= 1;
    const token: Token = Object.create(TOKEN);
    token.type = type;
    token.tag = tag;
    token.level = this.level;
    token.map = null;
    token.content = "";
    if (nesting > 0) this.level += 1;
    this.#current = token;
    return token;
  }

  finish(): void {
    if (this.#current) this.take?.(this.#current);
    this.#current = undefined;
  }
}

export function parseMarkdown(text: string, format: "markdown" | "mdx" = "markdown"): ParsedDocument {
  const front = readFrontMatter(text);
  const lines = linesOf(text);
  const source = front.from > 1 ? text.slice(lines.starts[front.from - 1] ?? text.length) : text;
  const found = findHeadings(source, format, front.from);
  const sections = buildSections(lines, { ...found, from: front.from });
  const title = front.title ?? sections.find(({ level }) => level === 1)?.heading ?? sections[0]?.heading ?? "";
  return { format, title, text, sections, ...(front.description && { description: front.description }) };
}

/** `firstLine`: the number of the source's first line. */
function findHeadings(source: string, format: "markdown" | "mdx", firstLine: number) {
  const parser = parserFor(format);
  const headings: FoundHeading[] = [];
  const anchors: FoundAnchor[] = [];
  const withAnchors = ANCHOR_HINT.test(source);
  const env: Env = {};
  let openHeading: Token | undefined;
  let openParagraph: Token | undefined;
  const boldParagraphs: BoldParagraph[] = [];

  const addHeading = (token: Token, content: string): void => {
    if (content.length > MAX_INLINE_CHARS || !token.map || headings.length >= MAX_SECTIONS) return;
    const first_line = token.map[0] + firstLine;
    const last_line = token.map[1] - 1 + firstLine;
    headings.push({ heading: content, level: Number(token.tag[1]), first_line, last_line });
  };
  /** Runs at the end: a link in a heading may be defined further down. */
  const finish = (found: FoundHeading): FoundHeading => {
    const explicit = EXPLICIT_ID.exec(found.heading);
    if (explicit?.[1]) anchors.push({ name: explicit[1], line: found.first_line });
    const content = explicit ? found.heading.slice(0, explicit.index) : found.heading;
    return { ...found, heading: plainText(parser, content, env) };
  };
  const take = (token: Token): void => {
    if (token.type === "inline" && openHeading) addHeading(openHeading, token.content);
    if (token.type === "inline" && openParagraph?.map) {
      const bold = BOLD.exec(token.content);
      if (bold) boldParagraphs.push({ text: bold[1] ?? bold[2] ?? "", line: openParagraph.map[0] + firstLine });
    }
    openHeading = token.type === "heading_open" && token.level === 0 ? token : undefined;
    openParagraph = token.type === "paragraph_open" && token.level === 0 ? token : undefined;
    const raw = token.type === "html_block" || token.type === "inline";
    if (!raw || !token.map) return;
    const line = token.map[0] + firstLine;
    if (token.type === "html_block" && token.level === 0) addHtmlHeadings(token.content, line, headings);
    if (withAnchors && token.content.includes("<")) addAnchors(token.content, line, anchors);
  };
  streamTokens(parser, source, env, take);
  const plain = headings.map(finish).filter(({ heading }) => isHeading(heading));
  const bold = boldParagraphs.map(({ text, line }) => ({ text: plainText(parser, text, env), line }));
  return { headings: plain, boldParagraphs: bold, anchors: leadInAnchors(anchors, plain, source, firstLine) };
}

function streamTokens(parser: MarkdownIt, source: string, env: Env, take: (token: Token) => void): void {
  const state = new StreamingState(source, parser, env, []);
  state.take = take;
  parser.block.tokenize(state, state.line, state.lineMax);
  state.finish();
}

/** An `<h1 align="center">` as in a README, perhaps inside a `<div>`: a heading if it has its lines to itself. */
function addHtmlHeadings(content: string, line: number, headings: FoundHeading[]): void {
  if (LITERAL_HTML.test(content)) return;
  let from = 0;
  let height = 0;
  let count = 0;
  for (const opening of content.matchAll(HTML_HEADING)) {
    count += 1;
    if (opening.index < from || count > MAX_HTML_HEADINGS) continue;
    const start = opening.index + opening[0].length;
    const rest = content.slice(start, start + MAX_HTML_HEADING_CHARS);
    const closing = new RegExp(`</h${opening[1]}\\s*>[ \\t]*(?:\\n|$)`, "i").exec(rest);
    if (!closing) continue;
    const inner = rest.slice(0, closing.index);
    const heading = inner.replace(/<[^<>]*>/g, "");
    height += newlines(content.slice(from, opening.index));
    from = opening.index;
    if (heading.length > MAX_INLINE_CHARS || headings.length >= MAX_SECTIONS) continue;
    const first_line = line + height;
    headings.push({ heading, level: Number(opening[1]), first_line, last_line: first_line + newlines(inner) });
  }
}

function newlines(text: string): number {
  return text.split("\n").length - 1;
}

function addAnchors(content: string, line: number, anchors: FoundAnchor[]): void {
  let atLine = line;
  let newline = content.indexOf("\n");
  for (const match of content.matchAll(ANCHOR)) {
    for (; newline >= 0 && newline < match.index; newline = content.indexOf("\n", newline + 1)) atLine += 1;
    const name = match[1] ?? match[2] ?? match[3] ?? "";
    anchors.push({ name, line: atLine });
  }
}

/** An anchor on a line of its own names the heading that follows it. */
function leadInAnchors(
  anchors: FoundAnchor[],
  headings: FoundHeading[],
  source: string,
  firstLine: number,
): FoundAnchor[] {
  if (anchors.length === 0) return anchors;
  const lines = source.split("\n");
  const bare = (line: number): boolean => {
    const text = lines[line - firstLine] ?? "";
    return text.length < 1000 && text.replace(/<[^<>]*>/g, "").trim() === "";
  };
  let at = 0;
  return anchors
    .sort((one, other) => one.line - other.line)
    .map(({ name, line }) => {
      while (at < headings.length && (headings[at]?.first_line ?? 0) < line) at += 1;
      const next = headings[at]?.first_line;
      if (next === undefined || next - line > 10) return { name, line };
      for (let between = line; between < next; between += 1) if (!bare(between)) return { name, line };
      return { name, line: next };
    });
}

/** A heading without its markup, as readers see it; its slug is derived from it. */
function plainText(parser: MarkdownIt, content: string, env: Env): string {
  if (!MARKUP.test(content) || content.split("[").length > MAX_BRACKETS) return oneLine(content);
  let text = "";
  for (const token of parser.parseInline(content, env)[0]?.children ?? []) {
    if (token.type === "text" || token.type === "code_inline" || token.type === "image") text += token.content;
    else if (token.type === "softbreak" || token.type === "hardbreak") text += " ";
  }
  return oneLine(text);
}

/** One parser per dialect, created for the first document. */
const parsers = new Map<string, MarkdownIt>();

function parserFor(format: "markdown" | "mdx"): MarkdownIt {
  const known = parsers.get(format);
  if (known) return known;
  const parser = new MarkdownParser({ html: true, maxNesting: MAX_NESTING * 2 });
  limitNesting(parser);
  if (format === "mdx") readMdx(parser);
  parsers.set(format, parser);
  return parser;
}

function limitNesting(parser: MarkdownIt): void {
  const { ruler } = parser.block;
  for (const { name, fn, alt } of [...ruler.__rules__]) {
    if (name !== "list" && name !== "blockquote") continue;
    ruler.at(name, (state, ...rest) => state.level < MAX_NESTING && fn(state, ...rest), { alt });
  }
}

/** MDX has no indented code; its comments, imports and exports contain no headings. */
function readMdx(parser: MarkdownIt): void {
  parser.disable("code");
  parser.block.ruler.before("table", "mdx", (state, startLine, endLine) => {
    if (state.level > 0) return false;
    const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
    const head = state.src.slice(start, start + 8);
    const comment = head.startsWith("{/*");
    if (!comment && !/^(?:import|export)\s/.test(head)) return false;
    const end = comment ? state.src.indexOf("*/}", start) : -1;
    if (comment && end < 0) return false;
    let line = startLine;
    if (comment) while (line + 1 < endLine && (state.eMarks[line] ?? 0) < end) line += 1;
    else while (line + 1 < endLine && !state.isEmpty(line + 1)) line += 1;
    state.line = line + 1;
    return true;
  });
}
