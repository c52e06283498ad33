/**
 * Tokens of vendors that are in no table. Nearly all have the same form: a short vendor name, `_` or `-`, and a long random
 * body (`acme_live_9fK2…`). A body counts if it mixes both cases with digits and contains no words. Ids have the same form
 * with bodies of up to 24 characters or of hexadecimal digits only, and stay.
 */
import { countUnexplained, entropy } from "../judges/entropy.ts";
import type { Span } from "./span.ts";

const MIN_WORD = 38;
const MIN_BODY = 30;
const MAX_WORD_CHARS = 512;
/** Letters, digits, `_` and `-`. */
const inWord = new Uint8Array(128);
for (let code = 0; code < 128; code++) inWord[code] = /[A-Za-z0-9_-]/.test(String.fromCharCode(code)) ? 1 : 0;

/** The vendor's name, up to three parts, then the body. */
const PREFIXED =
  /^(?:[a-z][a-z0-9]{1,11}(?:[_-][a-z0-9]{1,10}){0,3}[_-]|[A-Z][A-Z0-9]{1,11}(?:_[A-Z0-9]{1,10}){0,3}_)([A-Za-z0-9][A-Za-z0-9_-]*)$/;
/** Public keys, ids that programs print all day, and digests. */
const HARMLESS =
  /^(?:pk|pub|public|publishable|phc|toolu|srvtoolu|msg|call|req|resp|rs|ws|run|thread|asst|file|chatcmpl|cmpl|gen|item|session|sess|evt|cus|price|prod|sha\d*|md5|etag|blake\w*|id|hash|integrity|index|chunk|cache|build)[_-]/i;
const ESCAPE = /^\\[nrtbf]$/;
/** A neighbour that makes the word part of a path, an address or base64. */
const NEIGHBOUR = /[A-Za-z0-9+/\\@%~.$#]/;

/** The word around `inside` if it is a token with a prefix that no rule knows. */
export function prefixedSpan(text: string, inside: number): Span | undefined {
  let start = inside;
  while (start > 0 && inside - start < MAX_WORD_CHARS && inWord[text.charCodeAt(start - 1)] === 1) start--;
  let end = inside;
  while (end < text.length && end - inside < MAX_WORD_CHARS && inWord[text.charCodeAt(end)] === 1) end++;
  // The letter of an escape (`\\n`) is not part of the word.
  if (text.charAt(start - 1) === "\\" && /[nrtbf]/.test(text.charAt(start))) start++;
  if (end - start < MIN_WORD || !isToken(text, start, end)) return undefined;
  return { start, end, id: "prefixed-token" };
}

function isToken(text: string, start: number, end: number): boolean {
  if (
    end - start > MAX_WORD_CHARS ||
    (start > 0 && NEIGHBOUR.test(text.charAt(start - 1)) && !ESCAPE.test(text.slice(start - 2, start)))
  )
    return false;
  if (/^(?:[+/@(]|\.[A-Za-z])/.test(text.slice(end, end + 2))) return false;
  const word = text.slice(start, end);
  const found = PREFIXED.exec(word);
  if (found === null || HARMLESS.test(word)) return false;
  const body = found[1] ?? "";
  if (body.length < MIN_BODY || !/[a-z]/.test(body) || !/[A-Z]/.test(body) || !/[0-9]/.test(body)) return false;
  return entropy(body) >= 3.9 && countUnexplained(body) >= body.length * 0.6;
}
