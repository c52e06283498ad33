/**
 * A text for an agent's context: sections in a fixed order between two lines that mark where it begins and ends, within
 * a budget of tokens exactly. What stands in it was said by others. Each piece is one line behind a dash, so that it can
 * open no section, and it cannot hold the mark that ends the frame, nor tags that hosts set around their own words.
 */

import { clip } from "../text/clip.ts";
import { BUDGET_MARGIN, estimateTokens } from "../tokens/estimate.ts";

export interface Section {
  title: string;
  /** The most important first. */
  lines: readonly string[];
  /** Its part of the budget; what it does not need goes to the sections behind it, then to those before. */
  share: number;
  /** How many there are in all, where these are not all. */
  total?: number;
  /** Told in the opposite order: what is most important is the latest. */
  backwards?: boolean;
}

export interface Framed {
  text: string;
  tokens: number;
  sections: { title: string; shown: number; total: number }[];
}

/** Below this a title costs more than it tells. */
const LEAST_FOR_TITLES = 120;
/** A piece is cut to no less than this. */
const SHORTEST_PIECE = 24;

interface Filling {
  section: Section;
  shown: string[];
  /** Its last line was cut. */
  cut: boolean;
}

/** `of`: what it is about, told where it begins. */
export function framed(name: string, sections: readonly Section[], tokens: number, of?: string): Framed {
  const room = Math.floor(tokens / BUDGET_MARGIN);
  const titles = room >= LEAST_FOR_TITLES;
  const fillings: Filling[] = sections
    .filter(({ lines }) => lines.length > 0)
    .map((section) => ({ section, shown: [], cut: false }));
  const assemble = (): string => assembled(name, fillings, titles, of);
  const size = (): number => estimateTokens(assemble());
  const whole = room - estimateTokens(assembled(name, [], titles, of));
  const shares = fillings.reduce((sum, { section }) => sum + section.share, 0);
  let limit = room - whole;
  for (const filling of fillings) {
    limit = Math.min(room, limit + Math.floor((whole * filling.section.share) / shares));
    // What sections before it left over counts as well: the limit is that of all up to here.
    fill(filling, size, titles ? limit : room);
  }
  for (const filling of fillings) fill(filling, size, room);
  // Adding a line may change how the ones around it are counted: the last word has the whole text.
  for (let last = lastFilled(fillings); last && size() > room; last = lastFilled(fillings)) last.shown.pop();
  const text = lastFilled(fillings) ? assemble() : "";
  return {
    text,
    tokens: estimateTokens(text),
    sections: fillings
      .filter(({ shown }) => shown.length > 0)
      .map(({ section, shown }) => ({ title: section.title, shown: shown.length, total: totalOf(section) })),
  };
}

function fill(filling: Filling, size: () => number, limit: number): void {
  const { section, shown } = filling;
  if (filling.cut) return;
  while (shown.length < section.lines.length) {
    const line = section.lines[shown.length] ?? "";
    shown.push(line);
    if (size() <= limit) continue;
    shown.pop();
    // A section's first line is worth having in part.
    const part = shown.length === 0 ? longestPart(filling, line, size, limit) : undefined;
    if (part !== undefined) {
      shown.push(part);
      filling.cut = true;
    }
    return;
  }
}

function longestPart({ shown }: Filling, line: string, size: () => number, limit: number): string | undefined {
  let best: string | undefined;
  for (let low = SHORTEST_PIECE, high = line.length - 1; low <= high; ) {
    const middle = (low + high) >> 1;
    const part = clip(line, middle);
    shown.push(part);
    const fits = size() <= limit;
    shown.pop();
    if (fits) [best, low] = [part, middle + 1];
    else high = middle - 1;
  }
  return best;
}

function lastFilled(fillings: readonly Filling[]): Filling | undefined {
  return fillings.findLast(({ shown }) => shown.length > 0);
}

function assembled(name: string, fillings: readonly Filling[], titles: boolean, of: string | undefined): string {
  const about = of === undefined ? "" : ` of="${of.replace(/[^\w:./-]/g, "_")}"`;
  const lines = [`<${name}${about}>`];
  for (const { section, shown } of fillings) {
    if (shown.length === 0) continue;
    const total = totalOf(section);
    if (titles) lines.push(`## ${section.title}${shown.length < total ? ` (${shown.length} of ${total})` : ""}`);
    const told = section.backwards ? shown.toReversed() : shown;
    lines.push(...told.map((line) => `- ${line}`));
  }
  return [...lines, `</${name}>`].join("\n");
}

function totalOf({ lines, total }: Section): number {
  return Math.max(lines.length, total ?? 0);
}
