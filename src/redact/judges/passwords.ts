/**
 * Distinguishes passwords chosen by people from words in examples, tests and code. A chosen password may consist of words,
 * so the checks for random values do not work.
 */
import { countUnexplained, isPlace } from "./entropy.ts";

/** Placeholder passwords of examples, and default passwords of programs. */
const DUMMY =
  /^(?:(?:my|your|the|some|db|user|admin|root|test|example|new|old)?[-_]?(?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|key|credentials?|passw0rd|api[-_]?key|access[-_]?token)[-_]?\d{0,4}|user(?:name)?|admin|root|guest|postgres(?:ql)?|mysql|mongo(?:db)?|redis|rabbitmq|minio(?:admin)?|dev(?:elopment)?|local(?:host)?|test(?:ing|er)?\d{0,4}|demo|example|sample|dummy|foo|bar|baz|change[-_]?(?:me|it|this)|none|null|undefined|true|false|string|str|empty|hidden|masked|removed|redacted|x-oauth-basic|x-token-auth|[a-z]|abc\d{0,6}|xyz|qwerty|\d{1,6}|[x*.•…_-]+|pass?word\d{0,4}|s3cr[e3]ts?\d{0,4}|p[a@4](?:ss|\$\$)w[o0]rd\d{0,4}|p|pw?d?)$/i;

/** Words in example passwords: `TestPassword123!`, `my-secret-pw`. */
const DUMMY_WORDS: ReadonlySet<string> = new Set(
  `
  my your the some new old test tests testing tester example sample demo dummy fake mock temp tmp dev prod local
  default initial strong weak secure insecure valid invalid wrong correct right bad good super very long short
  simple another other different same updated changed original plain hashed encrypted user username admin root
  guest owner client server service app db database postgres mysql redis mongo smtp mail login account password
  passwords passwd pass pwd pw passphrase secret secrets token key api credential credentials auth change me it
  this here please enter value string text placeholder redacted hidden foo bar baz qux abc abcd abcdef xyz qwerty
  asdf letmein welcome hello world x y z a b c in of for is to and with not no
  `
    .trim()
    .split(/\s+/),
);
/** A template, or a mask of a hidden value: `$VAR`, `${x}`, `{{x}}`, `<x>`, `%x%`, `****`. */
const TEMPLATE =
  /^\$\{?[A-Za-z_]\w*\}?$|\$\{|\$\(|\{\{|^\{[\w .:-]*\}?$|<[^<>]*>|^<|^%[A-Za-z_]\w*%?$|^%?[sdvq]$|^[[(]|\w\(|\*{2,}|x{4,}|\.{3}|…|^@\w+@$|\$[A-Z]+_[A-Z_]+|\$(?:PASS|USER|HOST|TOKEN|SECRET|DB)|^#\{|\[REDACTED/i;
/** Algorithm names, as values of password fields in code that hashes. */
const ALGORITHM = /^(?:sha|md|base|utf|argon|bcrypt|scrypt|pbkdf|aes|rsa|ed|x|oauth|hmac|v|h)[-_]?\d{1,5}[\w-]{0,12}$/i;
const MAX_PASSWORD_LENGTH = 128;

/**
 * Whether a value under a password's name is a password. `loose`: name and value are separated as in code
 * (`password = value`), so a value that could be an identifier does not count.
 */
export function looksLikePassword(value: string, loose: boolean): boolean {
  if (value.length < (loose ? 8 : 6) || value.length > MAX_PASSWORD_LENGTH || /\s/.test(value)) return false;
  if (ALGORITHM.test(value)) return false;
  if (isPlace(value) || isDummyPassword(value, "") || isMadeOfDummyWords(value)) return false;
  const digits = /[0-9]/.test(value);
  const signs = /[!@#$%^&*+=?~]/.test(value);
  const letters = Number(/\p{Ll}/u.test(value)) + Number(/\p{Lu}/u.test(value));
  if (letters === 0 || !(digits || signs)) return false;
  if (letters + Number(digits) + Number(signs) >= 3) {
    if (digits && signs) return true;
    return countUnexplained(value) >= 4 || (!loose && value.length >= 10);
  }
  return digits && !loose;
}

/** Whether every word in a value occurs in examples, ignoring digits and signs. */
export function isMadeOfDummyWords(value: string): boolean {
  const words = value
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/\p{Ll}+/gu);
  return (words ?? []).every((word) => DUMMY_WORDS.has(word) || DUMMY.test(word));
}

/** Whether a value is an example or default password. */
export function isDummyPassword(value: string, user: string): boolean {
  if (value === user || DUMMY.test(value)) return true;
  if (TEMPLATE.test(value)) return true;
  return /your|example|placeholder|process\.env|os\.environ|change.?me/i.test(value);
}
