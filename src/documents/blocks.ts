/**
 * Where a long section may be parted: paragraphs, list items and tables, with code blocks whole. Only lines are looked
 * at, in one pass for every format: that a heading is none was settled before, and a wrong guess here only moves a cut.
 */
import { isBlank, type Lines, lineAt, skipBlank, skipBlankBack } from "./lines.ts";
import type { DocumentFormat } from "./model.ts";

export interface Block {
  /** Lines, from 1, both inclusive. */
  first: number;
  last: number;
  code: boolean;
}

/** Quotes and list markers may stand before a fence. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/;
const LIST_ITEM = /^[ \t>]*(?:[-*+•]|\d{1,9}[.)]|#\.|\*{2,5}|\.{1,5})[ \t]+\S/;
const INDENTED = /^(?: {4}| {0,3}\t)/;
/** AsciiDoc: listing, literal, passthrough. What stands between other delimiters is prose. */
const ASCIIDOC_CODE = /^(-{4,}|\.{4,}|\+{4,})[ \t]*$|^(`{3,})[^`]*$/;
const ASCIIDOC_LEAD = /^(?:\[.*\]|\.[^\s.].*)$/;
/** reStructuredText: a paragraph that announces a literal block, or a directive whose content is code. */
const RST_LITERAL = /(?:^|[^:])::[ \t]*$/;
const RST_DIRECTIVE = /^[ \t]*\.\. [\w-]+(?::[\w-]+)*::/;
const RST_CODE = /^[ \t]*\.\. (?:code|code-block|sourcecode|parsed-literal|math|highlight|doctest|prompt|ipython)::/;
/** No longer part of a line is matched. */
const MAX_MATCHED = 400;

const FENCED: ReadonlySet<DocumentFormat> = new Set(["markdown", "mdx", "html"]);

export function blocksOf(lines: Lines, first: number, last: number, format: DocumentFormat): Block[] {
  const blocks: Block[] = [];
  let inList = false;
  const head = (line: number): string => lineAt(lines, line).slice(0, MAX_MATCHED);
  /** The last line of the code block that starts at `line`; undefined: none starts there. */
  const codeEnd = (line: number, text: string): number | undefined => {
    if (FENCED.has(format)) {
      const fence = FENCE.exec(text);
      if (fence?.[1] && !(fence[1][0] === "`" && fence[2]?.includes("`"))) return fenceEnd(line, text, fence[1]);
    }
    if (format === "asciidoc") {
      const [, delimiter, fence] = ASCIIDOC_CODE.exec(text) ?? [];
      if (delimiter || fence) return delimitedEnd(line, delimiter ?? fence ?? "");
    }
    if (format === "rst" && (RST_DIRECTIVE.test(text) ? RST_CODE.test(text) : RST_LITERAL.test(text))) {
      return indentedEnd(line, (next) => indentOf(next) > indentOf(text));
    }
    const after = line === first || isBlank(lines, line - 1);
    if (format !== "rst" && format !== "mdx" && !inList && after && INDENTED.test(text)) {
      return indentedEnd(line, (next) => INDENTED.test(next));
    }
    return undefined;
  };
  const fenceEnd = (line: number, opening: string, fence: string): number => {
    const quoted = /^[ \t]*>/.test(opening);
    for (let at = line + 1; at <= last; at += 1) {
      const text = head(at);
      if (quoted && !/^[ \t]*>/.test(text)) return at - 1;
      const closing = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/.exec(text)?.[1];
      if (closing && closing[0] === fence[0] && closing.length >= fence.length) return at;
    }
    return last;
  };
  const delimitedEnd = (line: number, delimiter: string): number => {
    for (let at = line + 1; at <= last; at += 1) if (head(at).trimEnd() === delimiter) return at;
    return last;
  };
  const indentedEnd = (line: number, inside: (text: string) => boolean): number => {
    let at = line + 1;
    while (at <= last && (isBlank(lines, at) || inside(head(at)))) at += 1;
    return skipBlankBack(lines, at - 1, line);
  };

  let line = skipBlank(lines, first, last);
  while (line <= last) {
    const text = head(line);
    const end = codeEnd(line, text);
    if (end !== undefined) {
      pushCode(blocks, line, end, head);
      line = skipBlank(lines, end + 1, last);
      continue;
    }
    const item = LIST_ITEM.test(text);
    if (item) inList = true;
    else if (!/^\s/.test(text)) inList = false;
    let at = line + 1;
    while (at <= last && !isBlank(lines, at)) {
      const next = head(at);
      if (LIST_ITEM.test(next) || startsCode(next, format)) break;
      at += 1;
    }
    blocks.push({ first: line, last: at - 1, code: false });
    line = skipBlank(lines, at, last);
  }
  return blocks;
}

/** Lines that announce an AsciiDoc block (`[source,ruby]`, `.Title`) stay with it. */
function pushCode(blocks: Block[], first: number, last: number, head: (line: number) => string): void {
  const before = blocks.at(-1);
  const leads = before && !before.code && before.last === first - 1 && ASCIIDOC_LEAD.test(head(before.first));
  if (leads) blocks.pop();
  blocks.push({ first: leads ? before.first : first, last, code: true });
}

/** Code that may start right behind a line of a paragraph. */
function startsCode(text: string, format: DocumentFormat): boolean {
  if (format === "asciidoc") return ASCIIDOC_CODE.test(text);
  if (format === "rst") return RST_DIRECTIVE.test(text) || RST_LITERAL.test(text);
  return FENCED.has(format) && FENCE.test(text);
}

function indentOf(text: string): number {
  return text.search(/\S|$/);
}
