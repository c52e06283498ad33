/** A found secret: where it stands in the text and which rule knew it. */
export interface Span {
  start: number;
  end: number;
  id: string;
}

/** In order, and overlapping finds as one, named by the shortest: a token's own shape tells more than the name it stood under. */
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

/** The text with a marker in the place of each of these spans, which are in order and apart. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  let out = "";
  let from = 0;
  for (const { start, end, id } of spans) {
    out += `${text.slice(from, start)}[REDACTED:${id}]`;
    from = end;
  }
  return out + text.slice(from);
}
