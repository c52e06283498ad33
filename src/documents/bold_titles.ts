/**
 * Finds paragraphs of nothing but bold text that serve as titles of the text below them, as questions of a FAQ and
 * steps of a guide often do. Others stay text: captions of code and tables, labels such as "Example:", emphasised
 * sentences.
 */
import { isBlank, type Lines, lineAt } from "./lines.ts";
import { MAX_LEVEL } from "./model.ts";
import type { BoldParagraph, FoundHeading } from "./structure.ts";

const MAX_TITLE_CHARS = 100;
const MIN_TITLE_CHARS = 3;
/** Fewer in one section do not divide it. */
const MIN_TITLES = 2;
const ENDS_SENTENCE = /[.,;:!…]$/;
/** Tags of a change, a template. */
const STARTS_OTHERWISE = /^[[{]/;
/** A fence, indented code, the row of a table. */
const CODE_OR_TABLE = /^(?:\s*(?:`{3,}|~{3,}|\|)| {4}|\t)/;

/** The headings and the bold paragraphs that divide their sections, in the order of the text. */
export function withBoldTitles(
  lines: Lines,
  headings: readonly FoundHeading[],
  paragraphs: readonly BoldParagraph[],
): FoundHeading[] {
  const candidates = paragraphs.filter(({ text }) => mayTitle(text));
  if (candidates.length < MIN_TITLES) return [...headings];
  const all: FoundHeading[] = [];
  let at = 0;
  for (let section = -1; section < headings.length; section += 1) {
    const heading = headings[section];
    const end = headings[section + 1]?.first_line ?? Number.POSITIVE_INFINITY;
    if (heading) all.push(heading);
    const inside: BoldParagraph[] = [];
    for (let next = candidates[at]; next && next.line < end; next = candidates[at]) {
      if (next.line > (heading?.last_line ?? 0)) inside.push(next);
      at += 1;
    }
    const level = Math.min((heading?.level ?? 0) + 1, MAX_LEVEL);
    for (const { text, line } of titlesAmong(lines, inside, end))
      all.push({ heading: text, level, first_line: line, last_line: line });
  }
  return all;
}

function mayTitle(text: string): boolean {
  if (text.length < MIN_TITLE_CHARS || text.length > MAX_TITLE_CHARS) return false;
  return !ENDS_SENTENCE.test(text) && !STARTS_OTHERWISE.test(text) && /\p{L}/u.test(text);
}

/** The bold paragraphs of a section, if all are followed by prose and differ from each other; otherwise none. */
function titlesAmong(lines: Lines, inside: readonly BoldParagraph[], end: number): BoldParagraph[] {
  const texts = new Map<string, number>();
  for (const { text } of inside) texts.set(text, (texts.get(text) ?? 0) + 1);
  const titles = inside.filter(({ text, line }, at) => {
    if (texts.get(text) !== 1) return false;
    return startsProse(lines, line + 1, Math.min(inside[at + 1]?.line ?? end, lines.starts.length + 1));
  });
  return titles.length >= MIN_TITLES ? titles : [];
}

/** Whether the first block between the lines is neither code nor a table. */
function startsProse(lines: Lines, from: number, before: number): boolean {
  for (let line = from; line < before; line += 1) {
    if (isBlank(lines, line)) continue;
    return !CODE_OR_TABLE.test(lineAt(lines, line));
  }
  return false;
}
