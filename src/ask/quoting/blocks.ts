/**
 * Splits a passage into units that can be quoted alone: sentences, list items, table rows, and code blocks, which are
 * never cut. It works line by line and for any light markup, because a passage is only a part of a parsed document.
 */

export interface Unit {
  kind: "sentence" | "item" | "row" | "code";
  text: string;
  /** The same number for all units of one paragraph, list or table. */
  block: number;
  /** Of a table row: the header lines. */
  head?: string;
}

const FENCE = /^\s{0,3}(`{3,}|~{3,}|-{4}\s*$|\.{4}\s*$)/;
const HEADING = /^\s{0,3}#{1,6}\s|^={1,6}\s\S/;
const UNDERLINE = /^\s{0,3}(=+|-+|~+|\^+)\s*$/;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
const ROW = /^\s*\|.*\|\s*$/;
const RULE_ROW = /^\s*\|[\s:|-]+\|\s*$/;
const INDENTED = /^(?: {4}|\t)\S/;
/** A line without text to quote: a comment, an anchor, a label or target of reStructuredText. */
const COMMENT = /^\s*<!--.*-->\s*$|^\s*<a\s[^<>]*>\s*<\/a>\s*$|^\.\. (?:_[^\s]|\|)/;
/** A directive of reStructuredText: its name and its argument. */
const DIRECTIVE = /^\.\. ([\w:-]{1,60})::(?:\s+(.*))?$/;
const CODE_DIRECTIVE = /^(?:code-block|sourcecode|code|parsed-literal|prompt|doctest)$/;
const OPTION = /^\s*:[\w-]+:/;
const SENTENCE_END = /(?<=[.!?…])["'”’)\]`*_]*\s+(?=[\p{Lu}\p{Lo}\p{N}`*_"'“([])|(?<=[。！？])/u;
/** An abbreviation, whose full stop does not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|no|approx|incl|resp|Mr|Dr|St)\.$/i;

const MAX_PASSAGE_CHARS = 200_000;

export function unitsOf(text: string): Unit[] {
  const lines = text.slice(0, MAX_PASSAGE_CHARS).split(/\r?\n/);
  const units: Unit[] = [];
  let block = 0;
  let at = 0;
  while (at < lines.length) {
    const end = blockEnd(lines, at);
    const part = lines.slice(at, end);
    const made = unitsOfBlock(part, block);
    units.push(...made);
    if (made.length > 0) block = (made.at(-1)?.block ?? block) + 1;
    at = end;
  }
  return units;
}

/** The index of the first line after the block that starts at `from`. */
function blockEnd(lines: readonly string[], from: number): number {
  const first = lines[from] ?? "";
  const fence = FENCE.exec(first)?.[1]?.trim();
  if (fence !== undefined && !isUnderline(lines, from)) {
    for (let i = from + 1; i < lines.length; i += 1) if ((lines[i] ?? "").trim().startsWith(fence)) return i + 1;
    // Four dashes without a closing line are a horizontal rule.
    return /^[-.]/.test(fence) ? from + 1 : lines.length;
  }
  if (first.trim() === "" || HEADING.test(first) || COMMENT.test(first)) return from + 1;
  if (DIRECTIVE.test(first)) return runEnd(lines, from, (line) => line.trim() === "" || /^\s/.test(line));
  if (INDENTED.test(first)) return runEnd(lines, from, (line) => line.trim() === "" || INDENTED.test(line));
  if (ROW.test(first)) return runEnd(lines, from, (line) => ROW.test(line));
  return runEnd(
    lines,
    from,
    (line) => line.trim() !== "" && !FENCE.test(line) && !HEADING.test(line) && !ROW.test(line),
  );
}

function isUnderline(lines: readonly string[], at: number): boolean {
  return UNDERLINE.test(lines[at] ?? "") && (lines[at - 1] ?? "").trim() !== "";
}

function runEnd(lines: readonly string[], from: number, goesOn: (line: string) => boolean): number {
  let end = from + 1;
  while (end < lines.length && goesOn(lines[end] ?? "")) end += 1;
  return end;
}

function unitsOfBlock(lines: readonly string[], block: number): Unit[] {
  const first = lines[0] ?? "";
  if (FENCE.test(first)) return lines.length > 1 ? [{ kind: "code", text: lines.join("\n").trim(), block }] : [];
  if (first.trim() === "" || HEADING.test(first) || COMMENT.test(first) || UNDERLINE.test(first)) return [];
  const directive = DIRECTIVE.exec(first);
  if (directive) return unitsOfDirective(directive[1] ?? "", directive[2] ?? "", lines.slice(1), block);
  if (INDENTED.test(first)) return [codeUnit(lines, block)];
  if (ROW.test(first)) return rows(lines, block);
  if (ITEM.test(first)) return items(lines, block);
  // An underlined heading is a block of its own, or starts one.
  if (UNDERLINE.test(lines[1] ?? "")) return unitsOfBlock(lines.slice(2), block);
  return sentences(lines.join(" ")).map((text) => ({ kind: "sentence", text, block }));
}

function codeUnit(lines: readonly string[], block: number): Unit {
  return { kind: "code", text: `\`\`\`\n${dedented(lines).join("\n").trim()}\n\`\`\``, block };
}

/** Code stays code; the text below any other directive is prose, which starts with the directive's argument. */
function unitsOfDirective(name: string, argument: string, lines: readonly string[], block: number): Unit[] {
  const body = dedented(lines.filter((line) => !OPTION.test(line)));
  if (CODE_DIRECTIVE.test(name)) return body.some((line) => line.trim() !== "") ? [codeUnit(body, block)] : [];
  const units = unitsOf(body.join("\n")).map((unit) => ({ ...unit, block: block + unit.block }));
  const [opening] = units;
  if (!opening || argument.trim() === "" || opening.kind !== "sentence") return units;
  return [{ ...opening, text: `${argument.trim()}: ${opening.text}` }, ...units.slice(1)];
}

function dedented(lines: readonly string[]): string[] {
  const depths = lines.filter((line) => line.trim() !== "").map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const depth = Math.min(...depths, 80);
  return lines.map((line) => line.slice(Math.min(depth, /^\s*/.exec(line)?.[0].length ?? 0)));
}

function rows(lines: readonly string[], block: number): Unit[] {
  const ruled = RULE_ROW.test(lines[1] ?? "");
  const head = ruled ? `${lines[0]?.trim()}\n${lines[1]?.trim()}` : "";
  return lines.slice(ruled ? 2 : 0).map((line) => ({ kind: "row", text: line.trim(), block, head }));
}

function items(lines: readonly string[], block: number): Unit[] {
  const found: string[] = [];
  for (const line of lines) {
    if (ITEM.test(line) || found.length === 0) found.push(line.trim());
    else found[found.length - 1] += ` ${line.trim()}`;
  }
  return found.map((text) => ({ kind: "item", text, block }));
}

export function sentences(text: string): string[] {
  const found: string[] = [];
  for (const piece of text.replace(/\s+/g, " ").trim().split(SENTENCE_END)) {
    const last = found.at(-1);
    if (last !== undefined && ABBREVIATION.test(last)) found[found.length - 1] = `${last} ${piece}`;
    else if (piece.trim() !== "") found.push(piece.trim());
  }
  return found;
}
