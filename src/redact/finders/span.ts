import { type VisibleText, visibleText } from "../../text/invisible.ts";

/** A found secret: its position in the text and the rule that found it. */
export interface Span {
  start: number;
  end: number;
  id: string;
}

/** Sorts spans and merges overlapping ones, named by the shortest: a token's own shape says more than its name. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  let shortest = 0;
  for (const span of spans.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    const last = merged.at(-1);
    const length = span.end - span.start;
    if (last === undefined || span.start >= last.end) {
      merged.push({ ...span });
      shortest = length;
      continue;
    }
    last.end = Math.max(last.end, span.end);
    if (length > shortest) continue;
    last.id = span.id;
    shortest = length;
  }
  return merged;
}

/** Replaces the spans, which must be sorted and disjoint, with markers. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  let out = "";
  let from = 0;
  for (const { start, end, id } of spans) {
    out += `${text.slice(from, start)}[REDACTED:${id}]`;
    from = end;
  }
  return out + text.slice(from);
}

/** Spans found in the visible text, at their positions in the original. */
export function spansInOriginal(spans: readonly Span[], { original }: VisibleText): Span[] {
  return spans.map(({ start, end, id }) => ({ start: original(start), end: original(end - 1) + 1, id }));
}

/** The spans that `find` finds in a text, even if invisible characters split them. Sorted and disjoint if both are. */
export function throughInvisible(text: string, find: (text: string) => readonly Span[]): readonly Span[] {
  const found = find(text);
  const seen = visibleText(text);
  if (seen === undefined) return found;
  const more = find(seen.text);
  return more.length === 0 ? found : mergeSpans([...found, ...spansInOriginal(more, seen)]);
}
