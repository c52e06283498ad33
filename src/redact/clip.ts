/**
 * Redacting text that is also cut to a length. The order matters: a token that is cut before it is redacted keeps its
 * first half, which no rule knows any more. So the whole text is redacted first, and what is then cut never ends inside
 * a marker: half a marker would read as text, and redacting again would not know it.
 */
import { codePointEnd } from "../text/clip.ts";
import { redactText } from "./redact.ts";

const OPENING = "[REDACTED:";
/** Longer than any marker, so that one that is cut begins within so many characters of the end. */
const MAX_MARKER = 64;

/**
 * The first `max` characters of the text without its secrets; shorter where the cut would fall inside a marker or a
 * surrogate pair. For heads, titles and snippets made of longer text. Text that is not cut needs only `redactText`.
 */
export function redactAndCut(text: string, max: number): string {
  return cutRedacted(redactText(text).text, max);
}

/** The first `max` characters of a text that is already redacted, by the same rule. */
export function cutRedacted(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = codePointEnd(text, Math.max(0, max));
  // The marker may open up to one character before the cut.
  const open = text.lastIndexOf("[", end - 1);
  if (open < 0 || end - open > MAX_MARKER || !isMarkerStart(text, open)) return text.slice(0, end);
  const close = text.indexOf("]", open);
  return close >= end ? text.slice(0, open).trimEnd() : text.slice(0, end);
}

/**
 * A short field of one line without its secrets: a title, path, branch, author, file name, tool name or id. A field that
 * is absent stays absent. Use it where only the text is of interest; `redactText` also counts, and `redactJson` knows the
 * names that values stand under.
 */
export function redactField(field: string): string;
export function redactField(field: string | undefined): string | undefined;
export function redactField(field: string | undefined): string | undefined {
  return field === undefined ? undefined : redactText(field).text;
}

function isMarkerStart(text: string, at: number): boolean {
  return text.startsWith(OPENING, at);
}
