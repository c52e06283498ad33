/**
 * A text for an agent's context: sections in a fixed order between an opening and a closing tag, within an exact token
 * budget. Its content is untrusted. Each entry is one line after a dash, which cannot open a section, and the entries
 * contain neither the closing tag nor tags that hosts put around their own text.
 */
import { clip } from "../text/clip.ts";
import { BUDGET_MARGIN, estimateTokens } from "../tokens/estimate.ts";

export interface FrameSection {
  title: string;
  /** The most important first. */
  lines: readonly string[];
  /** Its part of the budget; unused tokens go to the later sections, then to the earlier ones. */
  share: number;
  /** The total number of entries, if `lines` is not complete. */
  total?: number;
  /** Printed in reverse order: the most important entry is the latest. */
  backwards?: boolean;
}

export interface FramedText {
  text: string;
  tokens: number;
  sections: { title: string; shown: number; total: number }[];
}

/** With fewer tokens, titles are not worth their cost. */
const MIN_TOKENS_FOR_TITLES = 120;
/** A truncated line is not shorter than this. */
const MIN_LINE_CHARS = 24;

interface SectionFill {
  section: FrameSection;
  shown: string[];
  /** Its last line was truncated. */
  cut: boolean;
}

/** `of`: the subject, stated in the opening tag. */
export function frameSections(
  name: string,
  sections: readonly FrameSection[],
  tokens: number,
  of?: string,
): FramedText {
  const room = Math.floor(tokens / BUDGET_MARGIN);
  const titles = room >= MIN_TOKENS_FOR_TITLES;
  const fillings: SectionFill[] = sections
    .filter(({ lines }) => lines.length > 0)
    .map((section) => ({ section, shown: [], cut: false }));
  const assemble = (): string => assembleFrame(name, fillings, titles, of);
  const size = (): number => estimateTokens(assemble());
  const whole = room - estimateTokens(assembleFrame(name, [], titles, of));
  const shares = fillings.reduce((sum, { section }) => sum + section.share, 0);
  let limit = room - whole;
  for (const filling of fillings) {
    limit = Math.min(room, limit + Math.floor((whole * filling.section.share) / shares));
    // The limit is cumulative, so tokens left over by earlier sections count too.
    fill(filling, size, titles ? limit : room);
  }
  for (const filling of fillings) fill(filling, size, room);
  // A line may change the token count of its neighbours, so the final check uses the whole text.
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

function fill(filling: SectionFill, size: () => number, limit: number): void {
  const { section, shown } = filling;
  if (filling.cut) return;
  while (shown.length < section.lines.length) {
    const line = section.lines[shown.length] ?? "";
    shown.push(line);
    if (size() <= limit) continue;
    shown.pop();
    // A section's first line is useful even if truncated.
    const part = shown.length === 0 ? longestPart(filling, line, size, limit) : undefined;
    if (part !== undefined) {
      shown.push(part);
      filling.cut = true;
    }
    return;
  }
}

function longestPart({ shown }: SectionFill, line: string, size: () => number, limit: number): string | undefined {
  let best: string | undefined;
  for (let low = MIN_LINE_CHARS, high = line.length - 1; low <= high; ) {
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

function lastFilled(fillings: readonly SectionFill[]): SectionFill | undefined {
  return fillings.findLast(({ shown }) => shown.length > 0);
}

function assembleFrame(
  name: string,
  fillings: readonly SectionFill[],
  titles: boolean,
  of: string | undefined,
): string {
  const about = of === undefined ? "" : ` of="${of.replace(/[^\w:./-]/g, "_")}"`;
  const lines = [`<${name}${about}>`];
  for (const { section, shown } of fillings) {
    if (shown.length === 0) continue;
    const total = totalOf(section);
    if (titles) lines.push(`## ${section.title}${shown.length < total ? ` (${shown.length} of ${total})` : ""}`);
    const ordered = section.backwards ? shown.toReversed() : shown;
    lines.push(...ordered.map((line) => `- ${line}`));
  }
  return [...lines, `</${name}>`].join("\n");
}

function totalOf({ lines, total }: FrameSection): number {
  return Math.max(lines.length, total ?? 0);
}
