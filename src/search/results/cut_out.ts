/** Cuts a snippet out of a text. */

/** How far a cut may move to reach a word boundary. */
const MAX_CUT_SHIFT_CHARS = 30;

/** About `length` characters from `start`, cut between words if possible, never inside `first`–`last`. */
export function cutOut(text: string, start: number, length: number, first: number, last: number): string {
  let from = start === 0 ? 0 : start + 1;
  let to = Math.min(text.length, start + length);
  if (from > 0) {
    const space = text.lastIndexOf(" ", Math.min(from + MAX_CUT_SHIFT_CHARS, first));
    if (space >= from - 1) from = text.indexOf(" ", from - 1) + 1;
    if (isLowSurrogate(text, from)) from += 1;
  }
  if (to < text.length) {
    to -= 1;
    const space = text.lastIndexOf(" ", to);
    if (space > to - MAX_CUT_SHIFT_CHARS && space >= last) to = space;
    if (isLowSurrogate(text, to)) to -= 1;
  }
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
