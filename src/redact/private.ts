/**
 * What a person put between `<private>` and `</private>`: it is kept nowhere, whatever it is and wherever it stands,
 * in code too.
 *
 * In what was said, a block that nothing closes reaches to the end of its text: better too much gone than a secret kept.
 * In what a program printed, such a block must also begin its line: macOS writes `<private>` into its logs, and pages
 * about markup name the tag; to lose what follows each of them would lose whole files.
 */
import type { Span } from "./finders/span.ts";

/** `said`: typed by a person or an agent. `printed`: a program's output, a page, a file. */
export type Utterance = "said" | "printed";

const TAG = /<(\/?)private(?:\s[^<>]{0,200})?>/gi;
/** Margins of a line: indentation, line numbers, marks of diffs, quotations and comments. */
const MARGIN = /(?:^|\n)[\s\d→|:>*#/+;!<%-]{0,80}$/;
const LONGEST_MARGIN = 82;
const NONE: readonly Span[] = [];

interface Tag {
  at: number;
  end: number;
  opens: boolean;
}

/** Runs over every byte that is synced: a search for one character, which is the fastest, settles nearly all texts. */
export function mayBePrivate(text: string): boolean {
  return text.includes("<") && (text.includes("<p") || text.includes("<P"));
}

/**
 * The blocks of a text, in order and apart; nested ones go with the outermost. `ends`: where the parts end that the text
 * was joined from. A block that is closed in a later part spans both, one that is not stays in its own.
 */
export function privateSpans(
  text: string,
  utterance: Utterance,
  ends: readonly number[] = [text.length],
): readonly Span[] {
  if (!mayBePrivate(text)) return NONE;
  const tags: Tag[] = Array.from(text.matchAll(TAG), (match) => ({
    at: match.index,
    end: match.index + match[0].length,
    opens: match[1] === "",
  }));
  const lastClose = tags.findLast(({ opens }) => !opens)?.end ?? 0;
  const spans: Span[] = [];
  for (let i = 0; i < tags.length; ) {
    const first = tags[i];
    if (!first?.opens) {
      i += 1;
      continue;
    }
    // Nothing closes a block behind the last closing tag: looking for it each time would make the time quadratic.
    const closed = lastClose > first.at ? closingEnd(tags, i) : undefined;
    const end = closed ?? openEnd(text, first, lastClose, utterance, ends);
    if (end !== undefined) spans.push({ start: first.at, end, id: "private" });
    i += 1;
    while ((tags[i]?.at ?? Number.POSITIVE_INFINITY) < (end ?? 0)) i += 1;
  }
  return spans;
}

/** What somebody said, without what is private in it: for what is looked up or shown, and kept nowhere. */
export function withoutPrivate(text: string): string {
  let out = "";
  let from = 0;
  for (const { start, end } of privateSpans(text, "said")) {
    out += `${text.slice(from, start)} `;
    from = end;
  }
  return (out + text.slice(from)).trim();
}

/** The end of the tag that closes the block which tag `from` opens. */
function closingEnd(tags: readonly Tag[], from: number): number | undefined {
  let depth = 0;
  for (let i = from; i < tags.length; i += 1) {
    depth += tags[i]?.opens ? 1 : -1;
    if (depth === 0) return tags[i]?.end;
  }
  return undefined;
}

/** How far a block reaches that has too few closing tags: over the last of them, and to the end of its part. */
function openEnd(
  text: string,
  { at }: Tag,
  lastClose: number,
  utterance: Utterance,
  ends: readonly number[],
): number | undefined {
  const closed = lastClose > at ? lastClose : undefined;
  const partEnd = ends.find((end) => end > at) ?? text.length;
  if (utterance === "said") return Math.max(closed ?? 0, partEnd);
  if (closed !== undefined) return closed;
  return MARGIN.test(text.slice(Math.max(0, at - LONGEST_MARGIN), at)) ? partEnd : undefined;
}
