/**
 * Tokens of vendors that no table knows. Nearly all of them have one form today: a short name of the vendor, `_` or `-`,
 * and a long random body (`acme_live_9fK2…`). A body counts when it mixes both cases with digits and reads as nothing.
 * Ids have the same form with bodies of up to 24 characters, or of hexadecimal digits alone, and stay.
 */
import { entropy, unexplained } from "../judges/entropy.ts";
import type { Span } from "./span.ts";

const MIN_WORD = 38;
const MIN_BODY = 30;
const MAX_WORD = 512;
/** Letters, digits, `_` and `-`. */
const inWord = new Uint8Array(128);
for (let code = 0; code < 128; code++) inWord[code] = /[A-Za-z0-9_-]/.test(String.fromCharCode(code)) ? 1 : 0;

/** The vendor's name, up to three parts, then the body. */
const PREFIXED =
  /^(?:[a-z][a-z0-9]{1,11}(?:[_-][a-z0-9]{1,10}){0,3}[_-]|[A-Z][A-Z0-9]{1,11}(?:_[A-Z0-9]{1,10}){0,3}_)([A-Za-z0-9][A-Za-z0-9_-]*)$/;
/** Public keys, ids that programs print all day, and digests. */
const HARMLESS =
  /^(?:pk|pub|public|publishable|phc|toolu|srvtoolu|msg|call|req|resp|rs|ws|run|thread|asst|file|chatcmpl|cmpl|gen|item|session|sess|evt|cus|price|prod|sha\d*|md5|etag|blake\w*|id|hash|integrity|index|chunk|cache|build)[_-]/i;
/** What neither a path, an address nor a piece of base64 has beside a token. */
const ESCAPE = /^\\[nrtbf]$/;
const BESIDE = /[A-Za-z0-9+/\\@%~.$#]/;

/** The token that the word around `inside` is, if its prefix is one that no rule names. */
export function prefixedSpan(text: string, inside: number): Span | undefined {
  let start = inside;
  while (start > 0 && inside - start < MAX_WORD && inWord[text.charCodeAt(start - 1)] === 1) start--;
  let end = inside;
  while (end < text.length && end - inside < MAX_WORD && inWord[text.charCodeAt(end)] === 1) end++;
  // The letter of an escape (`\\n`) is no part of the word.
  if (text.charAt(start - 1) === "\\" && /[nrtbf]/.test(text.charAt(start))) start++;
  if (end - start < MIN_WORD || !isToken(text, start, end)) return undefined;
  return { start, end, id: "prefixed-token" };
}

function isToken(text: string, start: number, end: number): boolean {
  if (
    end - start > MAX_WORD ||
    (start > 0 && BESIDE.test(text.charAt(start - 1)) && !ESCAPE.test(text.slice(start - 2, start)))
  )
    return false;
  if (/^(?:[+/@(]|\.[A-Za-z])/.test(text.slice(end, end + 2))) return false;
  const word = text.slice(start, end);
  const found = PREFIXED.exec(word);
  if (found === null || HARMLESS.test(word)) return false;
  const body = found[1] ?? "";
  if (body.length < MIN_BODY || !/[a-z]/.test(body) || !/[A-Z]/.test(body) || !/[0-9]/.test(body)) return false;
  return entropy(body) >= 3.9 && unexplained(body) >= body.length * 0.6;
}
