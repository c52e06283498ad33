/**
 * Writes the readable text of an HTML page line by line as Markdown: headings, lists, tables, fenced code. Line numbers
 * are known while writing, so headings and anchors can refer to them.
 */
import { oneLine } from "../../../kernel/text.ts";
import type { BoldParagraph, FoundAnchor, FoundHeading } from "../../structure.ts";
import { isFurniture } from "./furniture.ts";

/** Paragraphs are wrapped, because citations refer to lines and long texts are split between lines. */
const LINE_WIDTH = 120;
/** Longer words are cut. */
const MAX_WORD_CHARS = 2000;
const MAX_LIST_DEPTH = 20;

export class HtmlWriter {
  readonly headings: FoundHeading[] = [];
  readonly boldParagraphs: BoldParagraph[] = [];
  readonly anchors: FoundAnchor[] = [];
  readonly #lines: string[] = [];
  /** Anchors of the next line. */
  #pendingAnchors: string[] = [];
  #inline = "";
  /** Whether the paragraph so far has text that is not bold. */
  #hasPlain = false;
  readonly #lists: (number | undefined)[] = [];
  /** `- ` or `3. `, written before the next line. */
  #marker = "";
  /** Whether the paragraph so far is a label: the next block goes on with it. */
  #isLabel = false;
  /** The line below which the list is, while it has only links. */
  #links: number | undefined;
  readonly #menus: { from: number; to: number }[] = [];

  /** Adds text to the paragraph; runs of white space become one space. */
  write(text: string, isLink = false, isBold = false): void {
    if (this.#isLabel && /\S/.test(text)) this.#isLabel = false;
    if (!isLink && this.#links !== undefined && /[\p{L}\p{N}]/u.test(text)) this.#links = undefined;
    if (!isBold && !this.#hasPlain) this.#hasPlain = /[^\s`]/.test(text);
    this.#inline += text;
  }

  /** Makes the paragraph so far a label ("Tip", a term) of the text that follows, if that is not a list, code or a heading. */
  endLabel(): void {
    const text = this.takeInline();
    if (text === "") return;
    this.#inline = /[\p{L}\p{N}`)\]"'>*]$/u.test(text) ? `${text}: ` : `${text} `;
    this.#hasPlain = true;
    this.#isLabel = true;
  }

  name(anchor: string): void {
    this.#pendingAnchors.push(anchor);
  }

  /** Ends a paragraph; `spaced` adds a blank line. */
  endBlock(spaced: boolean, keepsLabel = false): void {
    if (keepsLabel && this.#isLabel) return;
    const isBold = !this.#hasPlain && !this.#isLabel;
    this.#isLabel = false;
    const text = this.takeInline();
    if (text !== "" && !isFurniture(text)) {
      if (isBold) this.boldParagraphs.push({ text: text.replaceAll("`", ""), line: this.#lines.length + 1 });
      const indent = "  ".repeat(Math.max(0, Math.min(this.#lists.length, MAX_LIST_DEPTH) - 1));
      const others = this.#lists.length > 0 ? `${indent}  ` : "";
      const first = this.#marker === "" ? others : indent + this.#marker;
      this.#marker = "";
      for (const [at, line] of wrap(text).entries()) this.#line((at === 0 ? first : others) + line);
    }
    if (spaced) this.gap();
  }

  openList(ordered: boolean): void {
    this.endBlock(this.#lists.length === 0);
    if (this.#lists.length === 0 && this.headings.length === 0) this.#links = this.#lines.length;
    this.#lists.push(ordered ? 0 : undefined);
  }

  closeList(): void {
    this.endBlock(false);
    this.#lists.pop();
    if (this.#lists.length > 0) return;
    if (this.#links !== undefined) this.#menus.push({ from: this.#links, to: this.#lines.length });
    this.#links = undefined;
    this.gap();
  }

  /** Lists of links above the first heading are the menus of the site. */
  #dropMenus(): void {
    for (const { from, to } of this.#menus.reverse()) {
      const isGap = this.#lines[from - 1] === "" || from === 0;
      this.#lines.splice(from, to - from + (isGap && this.#lines[to] === "" ? 1 : 0));
    }
    this.#menus.length = 0;
    this.boldParagraphs.length = 0;
    for (const anchor of this.anchors) anchor.line = Math.min(anchor.line, Math.max(1, this.#lines.length));
  }

  openItem(): void {
    this.endBlock(false);
    const count = this.#lists.at(-1);
    if (count !== undefined) this.#lists[this.#lists.length - 1] = count + 1;
    this.#marker = count === undefined ? "- " : `${count + 1}. `;
  }

  heading(level: number, text: string): void {
    this.endBlock(true);
    if (text === "") return;
    if (this.headings.length === 0) this.#dropMenus();
    const at = this.#line(`${"#".repeat(level)} ${text}`);
    this.headings.push({ heading: text, level, first_line: at, last_line: at });
    this.gap();
  }

  /** Code verbatim, in a fence longer than any in the code. */
  code(text: string, language: string): void {
    this.endBlock(true);
    const body = text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
    if (body === "") return;
    let longest = 2;
    for (const [run] of body.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
    const fence = "`".repeat(longest + 1);
    // Deeper, Markdown would not see the fence of a code block.
    const indent = this.#lists.length > 0 ? "  " : "";
    for (const line of [fence + language, ...body.split("\n"), fence]) this.#line(line === "" ? "" : indent + line);
    this.gap();
  }

  row(cells: readonly string[], head: boolean): void {
    this.#line(`| ${cells.join(" | ")} |`);
    if (head) this.#line(`|${" --- |".repeat(cells.length)}`);
  }

  gap(): void {
    if (this.#lines.length > 0 && this.#lines.at(-1) !== "") this.#lines.push("");
  }

  hasInline(): boolean {
    return /\S/.test(this.#inline);
  }

  /** Whether the paragraph so far is such a text. */
  isParagraph(text: RegExp): boolean {
    return this.#inline.length < 100 && !this.#isLabel && text.test(this.#inline.trim());
  }

  takeInline(): string {
    if (this.#inline === "") return "";
    this.#hasPlain = false;
    const text = oneLine(this.#inline);
    this.#inline = "";
    return text;
  }

  finish(): string {
    this.endBlock(false);
    for (const name of this.#pendingAnchors) this.anchors.push({ name, line: Math.max(1, this.#lines.length) });
    while (this.#lines.at(-1) === "") this.#lines.pop();
    return this.#lines.join("\n");
  }

  /** Returns the line number. */
  #line(text: string): number {
    this.#lines.push(text);
    const at = this.#lines.length;
    for (const name of this.#pendingAnchors) this.anchors.push({ name, line: at });
    this.#pendingAnchors = [];
    return at;
  }
}

function wrap(text: string): string[] {
  if (text.length <= LINE_WIDTH) return [text];
  const lines: string[] = [];
  let start = 0;
  while (text.length - start > LINE_WIDTH) {
    let end = text.lastIndexOf(" ", start + LINE_WIDTH);
    if (end <= start) end = text.indexOf(" ", start + LINE_WIDTH);
    if (end < 0 || end - start > MAX_WORD_CHARS) end = Math.min(text.length, start + MAX_WORD_CHARS);
    lines.push(text.slice(start, end));
    start = text[end] === " " ? end + 1 : end;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}
