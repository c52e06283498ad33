/** A found secret: where it stands in the text and which rule knew it. */
export interface Span {
  start: number;
  end: number;
  id: string;
}

/** Puts the markers in. Overlapping finds become one, named by the shortest: a token's own shape tells more than its name. */
export function replaceSpans(text: string, spans: readonly Span[]): { text: string; count: number } {
  const ordered = spans.toSorted((one, other) => one.start - other.start || one.end - other.end);
  let out = "";
  let from = 0;
  let count = 0;
  let current: Span | undefined;
  let named: Span | undefined;
  const flush = () => {
    if (current === undefined || named === undefined) return;
    out += `${text.slice(from, current.start)}[REDACTED:${named.id}]`;
    from = current.end;
    count++;
  };
  for (const span of ordered) {
    if (current !== undefined && named !== undefined && span.start < current.end) {
      current.end = Math.max(current.end, span.end);
      if (span.end - span.start < named.end - named.start) named = span;
      continue;
    }
    flush();
    current = { ...span };
    named = span;
  }
  flush();
  return { text: out + text.slice(from), count };
}
