/** Credentials in HTTP headers: `Authorization: Bearer …`, `Basic …`, and session cookies. */
import { isDummyPassword, looksIssued, looksLikePassword, looksRandom } from "./entropy.ts";
import type { Span } from "./span.ts";

const SCHEME = /[ \t]{0,4}(?:(bearer|token|apikey|api-key|key|negotiate|sharedkey|digest)|(basic))[ \t]{1,4}/iy;
const CREDENTIAL = /[A-Za-z0-9_.~+/=|:-]{8,8192}/y;
const CURL_USER = / (?:-u|--user)[ =]["']?([^\s:"']{1,64}):([^\s"'\\]{1,256})/y;
const PASSWORD_WORD = /(word(?:\s|\\n){1,8}(?:(?:is|was)[ :]{1,3})?["'`]?)([^\s"'`\\]{1,256})/iy;
const NETRC =
  /(?:^|\s|\\n|["'])(?:machine(?:\s|\\n){1,8}\S{1,253}?|default(?=(?:\s|\\n){1,8}login))(?:\s|\\n){1,8}(?:login(?:\s|\\n){1,8}\S{1,200}?(?:\s|\\n){1,8})?(?:account\s{1,8}\S{1,128}\s{1,8})?pass$/;
const COOKIE = /([A-Za-z0-9_.-]{1,64})=([^;\s"'\\,]{12,2048})/g;
const SESSION_COOKIE = /sess|sid$|auth|token|jwt|csrf|xsrf|remember|identity|login|ticket|\.aspx|^id$/i;

/** `Bearer x` or `Basic x` at `at`, wherever it stands. */
export function schemeSpans(text: string, at: number): Span[] {
  SCHEME.lastIndex = at;
  const scheme = SCHEME.exec(text);
  return scheme === null ? [] : credentialSpan(text, at + scheme[0].length, scheme[2] !== undefined);
}

/** `curl -u user:password`, the option starting at `at`. */
export function curlUserSpans(text: string, at: number): Span[] {
  CURL_USER.lastIndex = at;
  const found = CURL_USER.exec(text);
  if (found === null) return [];
  const line = text.slice(Math.max(0, at - 400), at);
  if (!/\b(?:curl|wget|https?)\b/.test(line.slice(line.lastIndexOf("\n") + 1))) return [];
  const [whole, user = "", password = ""] = found;
  if (password.startsWith("//") || isDummyPassword(password, user)) return [];
  const end = at + whole.length;
  return [{ start: end - password.length, end, id: "basic-auth" }];
}

/** `password x` in words, the first ending at `end`: the line of a .netrc, or a sentence that tells it ("the password is x"). */
export function passwordWordSpans(text: string, end: number): Span[] {
  const at = end - 4;
  if (!/word$/i.test(text.slice(at, end))) return [];
  PASSWORD_WORD.lastIndex = at;
  const found = PASSWORD_WORD.exec(text);
  if (found === null) return [];
  const value = (found[2] ?? "").replace(/[.,;:!?)]+$/, "");
  const start = at + (found[1] ?? "").length;
  const span = { start, end: start + value.length, id: "password" };
  if (NETRC.test(text.slice(Math.max(0, at - 500), at)))
    return isDummyPassword(value, "") ? [] : [{ ...span, id: "netrc-password" }];
  return looksLikePassword(value) || looksRandom(value, true) ? [span] : [];
}

/** The value of an `Authorization` header: with a scheme, or the bare credential. */
export function authorizationSpans(text: string, start: number, end: number): Span[] {
  const scheme = schemeSpans(text, start);
  if (scheme.length > 0) return scheme;
  return looksRandom(text.slice(start, end), false) ? [{ start, end, id: "authorization" }] : [];
}

export function cookieSpans(text: string, start: number, end: number): Span[] {
  const spans: Span[] = [];
  const tail = text.slice(end, end + 4096);
  const line = text.slice(start, end) + (/^[;= ]/.test(tail) ? (/^[^\r\n"'\\]*/.exec(tail)?.[0] ?? "") : "");
  for (const cookie of line.matchAll(COOKIE)) {
    const [, name = "", value = ""] = cookie;
    if (!SESSION_COOKIE.test(name) || !looksRandom(decodeLoosely(value), true)) continue;
    const from = start + cookie.index + name.length + 1;
    spans.push({ start: from, end: from + value.length, id: "session-cookie" });
  }
  return spans;
}

function credentialSpan(text: string, start: number, basic: boolean): Span[] {
  CREDENTIAL.lastIndex = start;
  const credential = CREDENTIAL.exec(text)?.[0].replace(/[.,:|]+$/, "") ?? "";
  const span = { start, end: start + credential.length, id: basic ? "basic-auth" : "bearer-token" };
  if (basic) return isBasicCredential(credential) ? [span] : [];
  if (credential.length < 16 || credential.includes("://") || !/[0-9A-Z]/.test(credential)) return [];
  return looksRandom(credential, false) ||
    (credential.length >= 24 && looksIssued(credential) && /[0-9]/.test(credential))
    ? [span]
    : [];
}

/** Base64 of `user:password`. */
function isBasicCredential(credential: string): boolean {
  if (credential.length < 8 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(credential)) return false;
  const decoded = Buffer.from(credential, "base64").toString("latin1");
  const pair = /^([\x20-\x7e]{0,256}?):([\x20-\x7e]{1,512})$/.exec(decoded);
  return pair !== null && !isDummyPassword(pair[2] ?? "", pair[1] ?? "");
}

function decodeLoosely(value: string): string {
  return value.replace(/%[0-9a-fA-F]{2}/g, "-").replace(/^s-/, "");
}
