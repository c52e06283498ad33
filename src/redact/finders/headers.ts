/** Credentials in HTTP headers: `Authorization: Bearer …`, `Basic …`, and session cookies. */
import { isPlace, looksIssued, looksRandom } from "../judges/entropy.ts";
import { isDummyPassword, isMadeOfDummyWords } from "../judges/passwords.ts";
import type { Span } from "./span.ts";

const SCHEME = /[ \t]{0,4}(?:(bearer|token|apikey|api-key|key|negotiate|sharedkey|digest)|(basic))[ \t]{1,4}/iy;
const CREDENTIAL = /[A-Za-z0-9_.~+/=|:-]{8,8192}/y;
const SCHEME_CREDENTIAL = /([ \t]{1,4})([A-Za-z0-9_.~+/=|:%-]{20,4096})(?![^\s,;])/y;
const MIN_SCHEME_CREDENTIAL = 20;
const MAX_HEADER = 4096;
const HEADER_PART = /[A-Za-z0-9_.~+/=|:%-]{12,2048}/g;
const PART_LABEL = /^[A-Za-z][A-Za-z_-]{0,40}=/;
const COOKIE = /([A-Za-z0-9_.-]{1,64})=([^;\s"'\\,]{12,2048})/g;
const SESSION_COOKIE = /sess|sid$|auth|token|jwt|csrf|xsrf|remember|identity|login|ticket|\.aspx|^id$/i;

/** `Bearer x` or `Basic x` at `at`, in any context. */
export function schemeSpans(text: string, at: number): Span[] {
  SCHEME.lastIndex = at;
  const scheme = SCHEME.exec(text);
  return scheme === null ? [] : credentialSpan(text, at + scheme[0].length, scheme[2] !== undefined);
}

/**
 * The value of an `Authorization` header. Besides the common schemes there are dozens of others (SSWS, AWS4-HMAC-SHA256,
 * Digest, GoogleLogin, Hawk, OAuth …); in those, every part that looks random is redacted: `Signature=…`, `auth=…`, a bare token.
 */
export function authorizationSpans(text: string, start: number, end: number): Span[] {
  const scheme = schemeSpans(text, start);
  if (scheme.length > 0) return scheme;
  // `Digest username="me", response="…"`: the quotes belong to the value.
  const rest =
    text.charAt(end - 1) === "=" && /["\\]/.test(text.charAt(end))
      ? (/^[^\r\n]*/.exec(text.slice(end, end + MAX_HEADER))?.[0] ?? "")
      : "";
  const value = text.slice(start, Math.min(end, start + MAX_HEADER)) + rest;
  const first = /^\s{0,4}[A-Za-z][A-Za-z0-9-]{1,40}(?=\s)/.exec(value)?.[0].length ?? 0;
  const whole = first === 0 ? undefined : schemeCredential(value, first);
  if (whole !== undefined) return [{ start: start + whole.start, end: start + whole.end, id: "authorization" }];
  const spans: Span[] = [];
  for (const part of value.slice(first).matchAll(HEADER_PART)) {
    const label = PART_LABEL.exec(part[0])?.[0].length ?? 0;
    const secret = part[0].slice(label).replace(/[.,:]+$/, "");
    if (!looksRandom(secret, first > 0)) continue;
    const from = start + first + part.index + label;
    spans.push({ start: from, end: from + secret.length, id: "authorization" });
  }
  return spans;
}

/**
 * The long word after a scheme. It need not look random: only a credential or a placeholder occurs there. Words without
 * digits (prose, names in code), paths and labelled parts (`Signature=…`) do not count.
 */
function schemeCredential(value: string, schemeEnd: number): { start: number; end: number } | undefined {
  SCHEME_CREDENTIAL.lastIndex = schemeEnd;
  const [found = "", space = "", word = ""] = SCHEME_CREDENTIAL.exec(value) ?? [];
  const credential = word.replace(/[.,:|]+$/, "");
  if (found === "" || credential.length < MIN_SCHEME_CREDENTIAL || PART_LABEL.test(credential)) return undefined;
  if (!/[0-9]/.test(credential) || !/[A-Za-z]/.test(credential)) return undefined;
  if (isPlace(credential) || isDummyPassword(credential, "") || isMadeOfDummyWords(credential)) return undefined;
  const start = schemeEnd + space.length;
  return { start, end: start + credential.length };
}

/** The session ids in a `Cookie` or `Set-Cookie` header; other cookies stay. */
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
export function isBasicCredential(credential: string): boolean {
  if (credential.length < 8 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(credential)) return false;
  const decoded = Buffer.from(credential, "base64").toString("latin1");
  const pair = /^([\x20-\x7e]{0,256}?):([\x20-\x7e]{1,512})$/.exec(decoded);
  return pair !== null && !isDummyPassword(pair[2] ?? "", pair[1] ?? "");
}

function decodeLoosely(value: string): string {
  return value.replace(/%[0-9a-fA-F]{2}/g, "-").replace(/^s-/, "");
}
