/**
 * The one cleaner of untrusted text. Titles, messages, file names and commit subjects were written by other people and
 * programs. Shown as they are, they could drive a terminal (escape sequences), hide words from the reader that a model
 * still sees (zero-width, tag and variation characters), reorder a line (bidi controls), or end the frame that a host
 * puts around injected text. Every surface that shows such text, to a person or to a model, cleans it here.
 */
import { clip } from "./clip.ts";
import { CONTROL_RANGES, ESCAPE_SEQUENCE, INVISIBLE_RANGES } from "./invisible.ts";
import { lazyPattern } from "./patterns.ts";

const ESCAPE_SEQUENCES = new RegExp(ESCAPE_SEQUENCE, "g");
/** V8 needs longer for \p{Cc}, and the same holds for surrogates. */
const CONTROL_CLASS = `[${CONTROL_RANGES}]`;
const CONTROLS = lazyPattern(() => new RegExp(CONTROL_CLASS, "gu"));
const SURROGATE_CLASS = "[\\ud800-\\udfff]";
/** Line and paragraph separators end a line for some readers and not for others. */
const SEPARATORS = /\r\n?|[\u2028\u2029]/g;
const INVISIBLE_CLASS = `[${INVISIBLE_RANGES}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]`;
const INVISIBLE = lazyPattern(() => new RegExp(INVISIBLE_CLASS, "gu"));
/** Variation selectors carry hidden bytes, except the one that asks for the emoji form of the character before it. */
const VARIATION = lazyPattern(() => /(?<![\p{Extended_Pictographic}\d#*])\ufe0f|[\ufe00-\ufe0e]|(?<=\ufe0f)\ufe0f/gu);
const LONE_SURROGATES = lazyPattern(() => new RegExp(SURROGATE_CLASS, "gu"));
/** Matches most text, with an expression that is ready at once. */
const PLAIN = /^[\t\n -~]*$/;
/** One test for everything that is removed: nearly all text passes it and is returned unchanged. */
const SUSPECT = lazyPattern(
  () => new RegExp(`${CONTROL_CLASS}|[\\u2028\\u2029\\ufe00-\\ufe0f]|${SURROGATE_CLASS}|${INVISIBLE_CLASS}`, "u"),
);

/**
 * Cleans text of several lines: keeps tabs and newlines, and removes everything that hides, reorders or controls text.
 */
export function cleanText(text: string): string {
  if (PLAIN.test(text) || !SUSPECT().test(text)) return text;
  return text
    .replace(SEPARATORS, "\n")
    .replace(ESCAPE_SEQUENCES, "")
    .replace(CONTROLS(), "")
    .replace(INVISIBLE(), "")
    .replace(VARIATION(), "")
    .replace(LONE_SURROGATES(), "\ufffd");
}

/** Replaces each control character except tabs and newlines by a space. */
export function withoutControls(text: string): string {
  return PLAIN.test(text) ? text : text.replace(CONTROLS(), " ");
}

/** How many characters are read for each one shown: cleaning and folding white space shorten a text. */
const LOOK_AHEAD = 8;

/** The same on one line: runs of white space become one space; at most `max` characters, with "…" where it was cut. */
export function cleanLine(text: string, max = Number.POSITIVE_INFINITY): string {
  const seen = max === Number.POSITIVE_INFINITY ? text : text.slice(0, max * LOOK_AHEAD);
  const line = clip(cleanText(seen), max);
  return seen.length < text.length && line !== "" && !line.endsWith("…") ? `${clip(line, max - 1)}…` : line;
}

/** Tags with which hosts, chat templates and dex itself mark turns, tool calls and injected text. */
const FRAME_NAMES =
  "dex[-_]|system|user\\b|assistant\\b|developer\\b|tool|function|invoke|hook[-_]|antml|instructions?\\b|found\\b|im_(?:start|end)\\b|endoftext\\b|(?:start|end)_header_id\\b|eot_id\\b";
const NAMED_TAG = new RegExp(`<(?=\\s*/?\\s*\\|?\\s*(?:${FRAME_NAMES}))`, "gi");
/** Also every other closing tag, comment and `<|`. Other angle brackets stay: `Map<string, T>` is code, not a frame. */
const FRAME_TAG = new RegExp(`<(?=\\s*(?:/\\s*[a-z!|]|!|\\||${FRAME_NAMES}))`, "gi");

/** For text that a model asked for, such as a page with code: escapes only tags with the name of a frame. */
export function escapeNamedFrames(text: string): string {
  return text.replace(NAMED_TAG, "‹");
}

/** Makes cleaned text safe inside a frame: it cannot close the frame, imitate a turn of the dialogue, or open a code fence. */
export function escapeFrames(text: string): string {
  return text.replace(FRAME_TAG, "‹").replaceAll("```", "'''");
}

/** Deeper than any answer of dex; deeper parts are left out. */
const MAX_DEPTH = 200;

/** Every string and key of a JSON value cleaned. Parts without anything to clean are shared with the value given. */
export function cleanJson<T>(value: T, depth = 0): T {
  if (typeof value === "string") return cleanText(value) as T;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return null as T;
  if (Array.isArray(value)) {
    const items = value.map((item) => cleanJson(item, depth + 1));
    return items.some((item, i) => item !== value[i]) ? (items as T) : value;
  }
  const members = Object.entries(value);
  const cleaned = members.map(([key, member]) => [cleanText(key), cleanJson(member, depth + 1)] as const);
  const isClean = cleaned.every(([key, member], i) => key === members[i]?.[0] && member === members[i]?.[1]);
  return isClean ? value : (Object.fromEntries(cleaned) as T);
}

const ESCAPED_IN_JSON = new RegExp(`[\\u007f-\\u009f\\u2028\\u2029\\ufe00-\\ufe0f]|${INVISIBLE_CLASS}`, "gu");

/**
 * JSON that carries the whole data, with every character that drives a terminal or hides written as an escape.
 * JSON.stringify escapes the control characters below U+0020 itself.
 */
export function jsonText(value: unknown): string {
  return (JSON.stringify(value) ?? "null").replace(ESCAPED_IN_JSON, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
