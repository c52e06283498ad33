/**
 * Text between `<private>` and `</private>` is stored nowhere, wherever it occurs, also in code.
 *
 * In typed text, an unclosed block extends to the end: losing too much is better than storing a secret. In program output,
 * an unclosed block must also start its line: macOS writes `<private>` into its logs, and pages about markup mention the
 * tag, so everything after it would be lost otherwise.
 */
import type { Span } from "./finders/span.ts";

/** `said`: typed by a person or an agent. `printed`: a program's output, a page, a file. */
export type Utterance = "said" | "printed";

const TAG = /<(\/?)private(?:\s[^<>]{0,200})?>/gi;
/** Margins of a line: indentation, line numbers, markers of diffs, quotations and comments. */
const MARGIN = /(?:^|\n)[\s\d→|:>*#/+;!<%-]{0,80}$/;
const MAX_MARGIN_CHARS = 82;
const NONE: readonly Span[] = [];

interface Tag {
  at: number;
  end: number;
  opens: boolean;
}

/** Runs over every synced byte: searching for one character is fastest and rules out nearly all texts. */
export function mayBePrivate(text: string): boolean {
  return text.includes("<") && (text.includes("<p") || text.includes("<P"));
}

/**
 * The blocks of a text, in order and disjoint; nested ones belong to the outermost. `ends`: end offsets of the parts that
 * the text was joined from. A block closed in a later part spans both; an unclosed one ends with its part.
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
    // After the last closing tag no block is closed; searching each time would take quadratic time.
    const closed = lastClose > first.at ? closingEnd(tags, i) : undefined;
    const end = closed ?? openEnd(text, first, lastClose, utterance, ends);
    if (end !== undefined) spans.push({ start: first.at, end, id: "private" });
    i += 1;
    while ((tags[i]?.at ?? Number.POSITIVE_INFINITY) < (end ?? 0)) i += 1;
  }
  return spans;
}

/** Removes private blocks from typed text that is searched for or shown, but not stored. */
export function withoutPrivate(text: string): string {
  let out = "";
  let from = 0;
  for (const { start, end } of privateSpans(text, "said")) {
    out += `${text.slice(from, start)} `;
    from = end;
  }
  return (out + text.slice(from)).trim();
}

/** The end of the tag that closes the block opened by tag `from`. */
function closingEnd(tags: readonly Tag[], from: number): number | undefined {
  let depth = 0;
  for (let i = from; i < tags.length; i += 1) {
    depth += tags[i]?.opens ? 1 : -1;
    if (depth === 0) return tags[i]?.end;
  }
  return undefined;
}

/** The end of a block with too few closing tags: the last of them, or the end of its part. */
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
  return MARGIN.test(text.slice(Math.max(0, at - MAX_MARGIN_CHARS), at)) ? partEnd : undefined;
}
