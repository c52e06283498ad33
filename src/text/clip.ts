/** Truncates text for people and agents: one line, a limited length, no broken characters. */
import { patternFor } from "./patterns.ts";

const WORD = /\S+/g;
/** White space that is not on one line already. */
const UNFOLDED = /[^\S ]|\s{2}/;

/**
 * The text on one line, with runs of white space as one space, and at most `max` characters; "…" replaces the rest.
 * Reads no further into the text than necessary, because most texts are much longer than their excerpt.
 */
export function clip(text: string, max: number): string {
  if (max <= 0) return "";
  const trimmed = text.trim();
  // Nearly every name, id and first line is one line already.
  const head = trimmed.length > max ? trimmed.slice(0, max + 1) : trimmed;
  if (!UNFOLDED.test(head)) return head.length > max ? cutLine(head, max) : head;
  let line = "";
  WORD.lastIndex = 0;
  for (let match = WORD.exec(text); match; match = WORD.exec(text)) {
    line = line === "" ? match[0] : `${line} ${match[0]}`;
    if (line.length > max) return cutLine(line, max);
  }
  return line;
}

/** Cuts at the end of a word if one is near, otherwise inside the word, but never inside a surrogate pair. */
function cutLine(line: string, max: number): string {
  const room = max - 1;
  const space = line.lastIndexOf(" ", room);
  const end = space > room * 0.75 ? space : codePointEnd(line, room);
  return `${line.slice(0, end)}…`;
}

/**
 * The beginning of a text that will be redacted later. Drops a word at the cut as a whole: half of a secret would pass
 * every rule.
 */
export function boundWhole(text: string, max: number): string {
  if (text.length <= max) return text;
  return text
    .slice(0, codePointEnd(text, max))
    .replace(/[!-~]+$/, "")
    .trimEnd();
}

/** Truncates a path at its start, because the end is more informative. Clips text that is not a single path. */
export function clipPath(path: string, max: number): string {
  if (path.length <= max || max < 2 || /[\n\r\t]|, | {2}/.test(path)) return clip(path, max);
  const from = path.length - max + 1;
  const separator = path.slice(from).search(/[\\/]/);
  const cut = separator >= 0 && separator < max / 2 ? from + separator : from;
  return `…${path.slice(isLowSurrogate(path, cut) ? cut + 1 : cut)}`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The largest offset up to `end` that does not split a surrogate pair. */
export function codePointEnd(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}

/** Lines of an output as a person counts them: a newline at the end begins no further line. */
export function countLines(text: string): number {
  if (text === "") return 0;
  let count = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

const HAS_WORD = patternFor(String.raw`[\p{L}\p{N}]`);
/** A first line that is shorter ("Hi", "## Plan"), or that ends in a colon, says too little by itself. */
const SHORT_LINE = 20;

/** The first line with a word, continued by the next lines if it says too little; empty if no line has a word. */
export function firstLine(text: string, max: number): string {
  let taken = "";
  for (let from = 0; from < text.length && (taken.length < SHORT_LINE || taken.endsWith(":")); ) {
    const newline = text.indexOf("\n", from);
    const end = newline < 0 ? text.length : newline;
    const line = clip(text.slice(from, end), max);
    if (HAS_WORD(line).test(line)) taken = taken === "" ? line : `${taken} ${line}`;
    from = end + 1;
  }
  return clip(taken, max);
}
