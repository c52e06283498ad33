/**
 * Builds sections from the headings and anchors that a format found: the text between two headings belongs to the first.
 * All formats share this, so citations work the same everywhere.
 */
import { withBoldTitles } from "./bold_titles.ts";
import { countLines, type Lines, skipBlank, skipBlankBack, sliceLines } from "./lines.ts";
import type { Section } from "./model.ts";
import { slugOf, uniqueNames } from "./slug.ts";
import type { FoundAnchor, FoundStructure } from "./structure.ts";

/** A longer one is a paragraph that looks like a heading: it stays text. */
const MAX_HEADING_CHARS = 500;
/** Further headings stay text of the last section. */
export const MAX_SECTIONS = 100_000;
const MAX_ANCHORS = 100;
const MAX_ANCHOR_CHARS = 200;

export function isHeading(heading: string): boolean {
  return heading !== "" && heading.length <= MAX_HEADING_CHARS;
}

export function buildSections(lines: Lines, found: FoundStructure): Section[] {
  const last = countLines(lines);
  const from = found.from ?? 1;
  const marked = found.headings.filter(({ heading }) => isHeading(heading));
  const headings = withBoldTitles(lines, marked, found.boldParagraphs ?? []).slice(0, MAX_SECTIONS);
  const sections: Section[] = [];
  const unique = uniqueNames();
  const above: Section[] = [];

  const before = (headings[0]?.first_line ?? last + 1) - 1;
  const start = skipBlank(lines, from, before);
  if (start <= before) {
    const end = skipBlankBack(lines, before, start);
    const text = sliceLines(lines, start, end);
    sections.push({
      index: 0,
      heading: "",
      level: 0,
      path: [],
      slug: "",
      anchors: [],
      first_line: start,
      last_line: end,
      text,
    });
  }
  for (const [at, { heading, level, first_line, last_line }] of headings.entries()) {
    while (above.length > 0 && (above.at(-1)?.level ?? 0) >= level) above.pop();
    const parent = above.at(-1);
    const slug = slugOf(heading);
    const end = skipBlankBack(lines, (headings[at + 1]?.first_line ?? last + 1) - 1, last_line + 1);
    const section: Section = {
      index: sections.length,
      heading,
      level,
      path: [...(parent?.path ?? []), heading],
      slug: unique(parent ? `${parent.slug}/${slug}` : slug),
      anchors: [],
      first_line,
      last_line: Math.max(end, last_line),
      text: sliceLines(lines, skipBlank(lines, last_line + 1, end), end),
    };
    sections.push(section);
    above.push(section);
  }
  placeAnchors(sections, found.anchors ?? []);
  return sections;
}

/** The first line of a section's own text. The text ends at the section's last line, so it is found by counting back. */
export function firstTextLine(section: Pick<Section, "last_line" | "text">): number {
  if (section.text === "") return section.last_line + 1;
  let newlines = 0;
  for (let at = section.text.indexOf("\n"); at >= 0; at = section.text.indexOf("\n", at + 1)) newlines += 1;
  return section.last_line - newlines;
}

function placeAnchors(sections: Section[], anchors: readonly FoundAnchor[]): void {
  const names = new Map<number, Set<string>>();
  let at = 0;
  for (const { name, line } of anchors) {
    if (name === "" || name.length > MAX_ANCHOR_CHARS) continue;
    while (at + 1 < sections.length && (sections[at + 1]?.first_line ?? 0) <= line) at += 1;
    const own = names.get(at) ?? new Set();
    if (own.size < MAX_ANCHORS) own.add(name);
    names.set(at, own);
  }
  for (const [index, own] of names) {
    const section = sections[index];
    if (section) section.anchors = [...own];
  }
}
