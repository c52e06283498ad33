/** Finds sections by name, and gives the outline of a document and the text of a section. */
import { nearest } from "../kernel/text.ts";
import { estimateTokens } from "../tokens/estimate.ts";
import { linesOf, sliceLines } from "./lines.ts";
import type { Section } from "./model.ts";

export interface OutlineEntry {
  index: number;
  heading: string;
  level: number;
  /** Number of headings down to its own: 1 for an outermost section, 0 for text before the first heading. */
  depth: number;
  slug: string;
  first_line: number;
  /** Last line including subsections. */
  last_line: number;
  /** Tokens of its own text, and including subsections. */
  tokens: number;
  tokens_below: number;
}

export function outlineOf(sections: readonly Section[]): OutlineEntry[] {
  const entries = sections.map((section): OutlineEntry => {
    const tokens = estimateTokens(section.text);
    const { index, heading, level, slug, first_line, last_line } = section;
    const depth = section.path.length;
    return { index, heading, level, depth, slug, first_line, last_line, tokens, tokens_below: tokens };
  });
  // From last to first, so subsections are summed before they are added to their parent.
  const above = parentsOf(sections);
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    const parent = entries[above[at] ?? -1];
    if (!entry || !parent) continue;
    parent.tokens_below += entry.tokens_below;
    parent.last_line = Math.max(parent.last_line, entry.last_line);
  }
  return entries;
}

/** The last subsection of the section at `index`, or the section itself. */
function lastBelow(sections: readonly Section[], index: number): number {
  const level = sections[index]?.level ?? 0;
  let last = index;
  while (level > 0 && (sections[last + 1]?.level ?? 0) > level) last += 1;
  return last;
}

/** A section's lines with its heading; `below` adds its subsections. */
export function sectionText(
  text: string,
  sections: readonly Section[],
  index: number,
  { below }: { below: boolean },
): string {
  const section = sections[index];
  if (!section) return "";
  const last = below ? sections[lastBelow(sections, index)] : section;
  return sliceLines(linesOf(text), section.first_line, last?.last_line ?? section.last_line);
}

export type FoundSection =
  | { section: Section }
  /** Several sections have this name. */
  | { candidates: Section[] }
  /** No section has this name; these slugs are the closest. */
  | { near: string[] };

/** A slug has the headings above the section, too. */
const MAX_NAME_CHARS = 4000;
/** Of a name that is compared with others by edit distance. */
const MAX_COMPARED_CHARS = 400;
const MAX_NEAR = 5;
/** Limit on names compared by edit distance with an unknown one. */
const MAX_COMPARED = 5000;

/**
 * By slug path, anchor, heading, the end of a slug path, or a line number, in this order: the first way that finds
 * something decides, so a looser match never makes an exact name ambiguous.
 */
export function findSection(sections: readonly Section[], name: string): FoundSection {
  const wanted = name
    .trim()
    .slice(0, MAX_NAME_CHARS)
    .replace(/^#+\s*/, "");
  const lower = wanted.toLowerCase();
  const slug = lower.replace(/^\/+|\/+$/g, "");
  const ways: ((section: Section) => boolean)[] = [
    (section) => section.slug === wanted && section.slug !== "",
    (section) => section.anchors.includes(wanted),
    (section) => section.heading === wanted && wanted !== "",
    (section) => section.slug === slug && slug !== "",
    (section) => slug !== "" && section.slug.endsWith(`/${slug}`),
    (section) => section.heading.toLowerCase() === lower && lower !== "",
    (section) => section.anchors.some((anchor) => anchor.toLowerCase() === lower),
    (section) => pathOf(section) === lower && lower !== "",
  ];
  for (const way of ways) {
    const found = sections.filter(way);
    if (found[0] && found.length === 1) return { section: found[0] };
    if (found.length > 1) return { candidates: found };
  }
  const line = /^(?:l|line\s*)?(\d{1,9})$/.exec(lower)?.[1];
  const at = line === undefined ? undefined : sectionAt(sections, Number(line));
  return at ? { section: at } : { near: nearNames(sections, slug.slice(0, MAX_COMPARED_CHARS)) };
}

/** The section with a line: the last one that starts at or before it. */
export function sectionAt(sections: readonly Section[], line: number): Section | undefined {
  let low = 0;
  let high = sections.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sections[middle]?.first_line ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return sections[low - 1];
}

/** The heading path as people write it: `Guide > Install`. */
function pathOf(section: Section): string {
  return section.path.join(" > ").toLowerCase();
}

function nearNames(sections: readonly Section[], wanted: string): string[] {
  if (wanted === "") return [];
  const near: string[] = [];
  const add = (section: Section | undefined): void => {
    if (section && near.length < MAX_NEAR && !near.includes(section.slug)) near.push(section.slug);
  };
  const lastOf = (section: Section): string => section.slug.slice(section.slug.lastIndexOf("/") + 1);
  const compared = sections.slice(0, MAX_COMPARED).filter(({ slug }) => slug !== "");
  const closest = nearest(wanted.slice(wanted.lastIndexOf("/") + 1).slice(0, 80), compared.map(lastOf));
  if (closest !== undefined) add(compared.find((section) => lastOf(section) === closest));
  const path = nearest(
    wanted.slice(0, 80),
    compared.map(({ slug }) => slug),
  );
  if (path !== undefined) add(compared.find(({ slug }) => slug === path));
  const spaced = wanted.replaceAll("-", " ");
  for (const section of sections) {
    if (near.length >= MAX_NEAR) break;
    if (section.slug.includes(wanted) || section.heading.toLowerCase().includes(spaced)) add(section);
  }
  return near;
}

/** The index of each section's parent; -1 for an outermost section. */
function parentsOf(sections: readonly Section[]): number[] {
  const open: Section[] = [];
  return sections.map((section) => {
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= section.level) open.pop();
    const parent = open.at(-1)?.index ?? -1;
    if (section.level > 0) open.push(section);
    return parent;
  });
}
