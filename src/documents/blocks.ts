/**
 * Finds the blocks between which a long section may be split: paragraphs, list items and tables, with code blocks whole.
 * One pass over the lines for every format: headings are already known, and a wrong guess only moves a split.
 */
import { indentOf } from "../text/indent.ts";
import { isBlank, type Lines, lineAt, skipBlank, skipBlankBack } from "./lines.ts";
import type { DocumentFormat } from "./model.ts";

export interface TextBlock {
  /** Lines, from 1, both inclusive. */
  first: number;
  last: number;
  code: boolean;
}

/** Quote and list markers may precede a fence. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/;
const LIST_ITEM = /^[ \t>]*(?:[-*+•]|\d{1,9}[.)]|#\.|\*{2,5}|\.{1,5})[ \t]+\S/;
const INDENTED = /^(?: {4}| {0,3}\t)/;
/** AsciiDoc: listing, literal, passthrough. Other delimited blocks are prose. */
const ASCIIDOC_CODE = /^(-{4,}|\.{4,}|\+{4,})[ \t]*$|^(`{3,})[^`]*$/;
const ASCIIDOC_LEAD = /^(?:\[.*\]|\.[^\s.].*)$/;
/** reStructuredText: a paragraph that announces a literal block, or a directive whose content is code. */
const RST_LITERAL = /(?:^|[^:])::[ \t]*$/;
const RST_DIRECTIVE = /^[ \t]*\.\. [\w-]+(?::[\w-]+)*::/;
const RST_CODE = /^[ \t]*\.\. (?:code|code-block|sourcecode|parsed-literal|math|highlight|doctest|prompt|ipython)::/;
/** Only this much of a line is matched. */
const MAX_MATCHED_CHARS = 400;

const FENCED: ReadonlySet<DocumentFormat> = new Set(["markdown", "mdx", "html", "notebook", "manual", "pdf"]);

export function blocksOf(lines: Lines, first: number, last: number, format: DocumentFormat): TextBlock[] {
  return new BlockFinder(lines, first, last, format).find();
}

class BlockFinder {
  readonly #lines: Lines;
  readonly #first: number;
  readonly #last: number;
  readonly #format: DocumentFormat;
  readonly #blocks: TextBlock[] = [];
  #inList = false;

  constructor(lines: Lines, first: number, last: number, format: DocumentFormat) {
    this.#lines = lines;
    this.#first = first;
    this.#last = last;
    this.#format = format;
  }

  find(): TextBlock[] {
    let line = skipBlank(this.#lines, this.#first, this.#last);
    while (line <= this.#last) {
      const end = this.#codeEnd(line) ?? this.#paragraphEnd(line);
      line = skipBlank(this.#lines, end + 1, this.#last);
    }
    return this.#blocks;
  }

  /** Adds the code block that starts at `line` and returns its last line; undefined: none starts there. */
  #codeEnd(line: number): number | undefined {
    const end = this.#endOfCode(line, this.#head(line));
    if (end !== undefined) this.#addCode(line, end);
    return end;
  }

  /** Adds the paragraph or list item that starts at `line` and returns its last line. */
  #paragraphEnd(line: number): number {
    const text = this.#head(line);
    if (LIST_ITEM.test(text)) this.#inList = true;
    else if (!/^\s/.test(text)) this.#inList = false;
    let at = line + 1;
    while (at <= this.#last && !isBlank(this.#lines, at)) {
      const next = this.#head(at);
      if (LIST_ITEM.test(next) || startsCode(next, this.#format)) break;
      at += 1;
    }
    this.#blocks.push({ first: line, last: at - 1, code: false });
    return at - 1;
  }

  #head(line: number): string {
    return lineAt(this.#lines, line).slice(0, MAX_MATCHED_CHARS);
  }

  #endOfCode(line: number, text: string): number | undefined {
    const format = this.#format;
    if (FENCED.has(format)) {
      const fence = FENCE.exec(text);
      if (fence?.[1] && !(fence[1][0] === "`" && fence[2]?.includes("`"))) return this.#fenceEnd(line, text, fence[1]);
    }
    if (format === "asciidoc") {
      const [, delimiter, fence] = ASCIIDOC_CODE.exec(text) ?? [];
      if (delimiter || fence) return this.#delimitedEnd(line, delimiter ?? fence ?? "");
    }
    if (format === "rst" && (RST_DIRECTIVE.test(text) ? RST_CODE.test(text) : RST_LITERAL.test(text))) {
      return this.#indentedEnd(line, (next) => indentOf(next) > indentOf(text));
    }
    const afterBlank = line === this.#first || isBlank(this.#lines, line - 1);
    if (format !== "rst" && format !== "mdx" && !this.#inList && afterBlank && INDENTED.test(text)) {
      return this.#indentedEnd(line, (next) => INDENTED.test(next));
    }
    return undefined;
  }

  #fenceEnd(line: number, opening: string, fence: string): number {
    const quoted = /^[ \t]*>/.test(opening);
    for (let at = line + 1; at <= this.#last; at += 1) {
      const text = this.#head(at);
      if (quoted && !/^[ \t]*>/.test(text)) return at - 1;
      const closing = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/.exec(text)?.[1];
      if (closing && closing[0] === fence[0] && closing.length >= fence.length) return at;
    }
    return this.#last;
  }

  #delimitedEnd(line: number, delimiter: string): number {
    for (let at = line + 1; at <= this.#last; at += 1) if (this.#head(at).trimEnd() === delimiter) return at;
    return this.#last;
  }

  #indentedEnd(line: number, inside: (text: string) => boolean): number {
    let at = line + 1;
    while (at <= this.#last && (isBlank(this.#lines, at) || inside(this.#head(at)))) at += 1;
    return skipBlankBack(this.#lines, at - 1, line);
  }

  /** Lines that announce an AsciiDoc block (`[source,ruby]`, `.Title`) stay with it. */
  #addCode(first: number, last: number): void {
    const before = this.#blocks.at(-1);
    const leads = before && !before.code && before.last === first - 1 && ASCIIDOC_LEAD.test(this.#head(before.first));
    if (leads) this.#blocks.pop();
    this.#blocks.push({ first: leads ? before.first : first, last, code: true });
  }
}

/** Code that may directly follow a line of a paragraph. */
function startsCode(text: string, format: DocumentFormat): boolean {
  if (format === "asciidoc") return ASCIIDOC_CODE.test(text);
  if (format === "rst") return RST_DIRECTIVE.test(text) || RST_LITERAL.test(text);
  return FENCED.has(format) && FENCE.test(text);
}
