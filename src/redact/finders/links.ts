/** Secrets in web addresses and connection URLs: `user:password@host`, tokens as user names, webhooks. */
import { looksIssued, looksRandom } from "../judges/entropy.ts";
import { isDummyPassword } from "../judges/passwords.ts";
import { LINK_RULES } from "../tables/rules.ts";
import type { Span } from "./span.ts";

const SCHEME_END = ":\\\\?/\\\\?/";
const LINKS = LINK_RULES.map((rule) => ({
  id: rule.id,
  pattern: new RegExp(`(${SCHEME_END}${rule.prefix})(${rule.secret})`, "y"),
}));
/** The beginning of every address with such a secret. One expression rules most addresses out, not all of them in turn. */
const ANY_LINK = new RegExp(
  `${SCHEME_END}(?:${LINK_RULES.map(({ prefix, secret }) => prefix || secret).join("|")})`,
  "y",
);
/** The password may contain `@` but not `/`, `?` or `#`, which end the authority. */
const USER_INFO = new RegExp(
  `(${SCHEME_END})([^\\s/?#"'\`<>\\\\@:]{0,256})(?::([^\\s"'\`<>\\\\/?#]{1,512}))?@(?=[\\w.[$%{<*-])`,
  "y",
);

const AT_SIGN = 64;
/** By character of ASCII: 1 where the authority ends. */
const ENDS_AUTHORITY = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\s"'`<>\\/?#]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Schemes whose passwords often contain unescaped `/`, `?` and `#`: there the last `@` before a host ends the password. */
const DATABASE =
  /(?:postgres(?:ql)?|mysql|mariadb|mssql|sqlserver|redis|rediss|mongodb|amqps?|clickhouse|cockroachdb|ldaps?|smtps?)(?:\+[a-z0-9]{1,16})?$/;
const DATABASE_USER_INFO = new RegExp(
  `(${SCHEME_END})([^\\s/?#"'\`<>\\\\@:]{0,256}):([^\\s"'\`<>\\\\]{1,256})@(?=[A-Za-z0-9_.-]{1,253}(?::\\d{1,5})?(?:[/?\\s"'\`,;)]|$))`,
  "y",
);

/** Secrets in the address whose `://` starts at `at`. */
export function linkSpans(text: string, at: number): Span[] {
  ANY_LINK.lastIndex = at;
  if (!ANY_LINK.test(text)) return userInfoSpans(text, at);
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
  const found = (hasUserInfo(text, at) ? matchAt(USER_INFO, text, at) : null) ?? databaseUserInfo(text, at);
  if (found === null) return [];
  const [, scheme = "", user = "", password] = found;
  const start = at + scheme.length;
  if (user.startsWith("[REDACTED")) return [];
  const bare = password === undefined || /^x-(?:oauth-basic|token-auth)$/.test(password);
  if (bare)
    return /^[A-Za-z0-9_.-]+$/.test(user) && looksRandom(user, true)
      ? [{ start, end: start + user.length, id: "url-token" }]
      : [];
  if (isDummyPassword(password, user)) return [];
  const from = start + user.length + 1;
  return [{ start: from, end: from + password.length, id: "url-password" }];
}

/** Whether the authority has an `@`, as in every match of `USER_INFO`. Most addresses have none. */
function hasUserInfo(text: string, at: number): boolean {
  for (let i = at + (text[at + 1] === "\\" ? 5 : 3); i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === AT_SIGN) return true;
    if (code < 128 && ENDS_AUTHORITY[code] === 1) return false;
  }
  return false;
}

function databaseUserInfo(text: string, at: number): RegExpExecArray | null {
  const scheme = text.slice(Math.max(0, at - 32), at);
  // No name of a database ends like this, only what may follow its plus sign.
  if ((scheme.endsWith("https") || scheme.endsWith("http")) && !scheme.includes("+")) return null;
  return DATABASE.test(scheme) ? matchAt(DATABASE_USER_INFO, text, at) : null;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
