/** Secrets in web addresses and connection URLs: `user:password@host`, tokens as user names, webhooks. */
import { looksIssued, looksRandom } from "./entropy.ts";
import { LINK_RULES } from "./rules.ts";
import type { Span } from "./span.ts";

const SCHEME_END = ":\\\\?/\\\\?/";
const LINKS = LINK_RULES.map((rule) => ({
  id: rule.id,
  pattern: new RegExp(`(${SCHEME_END}${rule.prefix})(${rule.secret})`, "y"),
}));
/** The password may hold `@` but no `/`, `?` or `#`, which end the authority. */
const USER_INFO = new RegExp(
  `(${SCHEME_END})([^\\s/?#"'\`<>\\\\@:]{0,256})(?::([^\\s"'\`<>\\\\/?#]{1,512}))?@(?=[\\w.[$%{<*-])`,
  "y",
);

const DUMMY =
  /^(?:(?:my|your|the|some|db|user|admin|root|test|example|new|old)?[-_]?(?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|key|credentials?|passw0rd|api[-_]?key|access[-_]?token)[-_]?\d{0,4}|user(?:name)?|admin|root|guest|postgres(?:ql)?|mysql|mongo(?:db)?|redis|rabbitmq|minio(?:admin)?|dev(?:elopment)?|local(?:host)?|test(?:ing|er)?\d{0,4}|demo|example|sample|dummy|foo|bar|baz|change[-_]?(?:me|it|this)|none|null|undefined|true|false|string|str|empty|hidden|masked|removed|redacted|x-oauth-basic|x-token-auth|[a-z]|abc\d{0,6}|xyz|qwerty|\d{1,6}|[x*.•…_-]+|pass?word\d{0,4}|p|pw?d?)$/i;

/** What stands in examples and defaults where a password would stand. */
export function isDummyPassword(value: string, user: string): boolean {
  if (value === user || DUMMY.test(value)) return true;
  if (/[$<>{}[\]%]\w*[a-z_]|\*{2,}|x{4,}|\.{3}|…|\(|\[REDACTED/i.test(value) && !isPercentCoded(value)) return true;
  return /your|example|placeholder|process\.env|os\.environ/i.test(value);
}

/** Secrets in the address whose `://` starts at `at`. */
export function linkSpans(text: string, at: number): Span[] {
  for (const { id, pattern } of LINKS) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) continue;
    const start = at + (found[1] ?? "").length;
    const secret = found[2] ?? "";
    return looksIssued(secret) ? [{ start, end: start + secret.length, id }] : [];
  }
  return userInfoSpans(text, at);
}

function userInfoSpans(text: string, at: number): Span[] {
  USER_INFO.lastIndex = at;
  const found = USER_INFO.exec(text);
  if (found === null) return [];
  const [, scheme = "", user = "", password] = found;
  const start = at + scheme.length;
  if (user.startsWith("[REDACTED")) return [];
  const bare = password === undefined || /^x-(?:oauth-basic|token-auth)$/.test(password);
  if (bare) return looksRandom(user, true) ? [{ start, end: start + user.length, id: "url-token" }] : [];
  if (isDummyPassword(password, user)) return [];
  const from = start + user.length + 1;
  return [{ start: from, end: from + password.length, id: "url-password" }];
}

/** `%` followed by two hex digits is a character, not a reference. */
function isPercentCoded(value: string): boolean {
  return (
    !/[$<>{}[\]()*…]|x{4,}|\.{3}/i.test(value.replace(/%[0-9a-fA-F]{2}/g, "")) && !/%(?![0-9a-fA-F]{2})/.test(value)
  );
}
