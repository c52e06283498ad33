/** Telling a generated secret from words, placeholders, counting sequences and code. Pure predicates over one value. */

/** Letter pairs that make up 93% of the pairs in English and in identifiers: a run built of them reads as a word. */
const FOLLOWERS: Record<string, string> = {
  a: "bcdfgilmnprstuvy",
  b: "abcdeilorsu",
  c: "acehiklortu",
  d: "abdeiorsu",
  e: "abcdefglmnprstvwx",
  f: "aefilou",
  g: "aehinoru",
  h: "aeiot",
  i: "abcdefglmnoprstvz",
  j: "aeos",
  k: "eis",
  l: "adeilostuy",
  m: "abeimop",
  n: "acdefgiknostuv",
  o: "abcdgiklmnoprstuvw",
  p: "aeiloprstu",
  q: "u",
  r: "acdegikmnorstuvy",
  s: "acehiklopstuy",
  t: "acehilorstuy",
  u: "abcegilmnprst",
  v: "aei",
  w: "aeio",
  x: "cpt",
  y: "ps",
  z: "e",
};

const WORD_PAIR = new Uint8Array(26 * 26);
for (const [first, followers] of Object.entries(FOLLOWERS)) {
  for (const second of followers) WORD_PAIR[(first.charCodeAt(0) - 97) * 26 + second.charCodeAt(0) - 97] = 1;
}

const SEGMENTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const VOWEL = /[aeiouy]/;
const KEYBOARD = /qwerty|qwert|asdfg|zxcvb/g;

/** A text that says of itself that it is no secret. */
const PLACEHOLDER =
  /your|example|placeholder|change.?(?:me|this|in)|replace|dummy|sample|redacted|removed|masked|hidden|lorem|foobar|(?:^|[^a-z])(?:x{4,}|insert|todo|fixme|fake|mock|test|testing|demo|secret|password|passw0rd)(?![a-z])|x{6,}|[*•…]{2,}|\.{3}|_{4,}/i;
/** The same, sure enough to overrule a vendor's own prefix. */
const SURE_PLACEHOLDER = /your[_-]|example|placeholder|redacted|x{6,}|[*•…]{2,}|\.{3}/i;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HASH_LABEL = /^(?:sha\d{1,3}|md5|blake\w{1,3}|h1)[-:]/i;
const DATE = /^(?:19|20)\d\d(?:-[01]\d-[0-3]\d|[01]\d[0-3]\d(?:[T_-]?\d{4,6}Z?)?$)/;
/** Base64 may start as a path does. */
const SLASHED_BASE64 = /^\/[A-Za-z0-9+/]{39,}={0,2}$/;

/** Something a program would put together at run time, or a place, rather than a literal. */
const REFERENCE =
  /^(?:[$%@#<{[(]|\.{1,2}[/\\]|[~\\]|[A-Za-z]:[\\/]|process\.|os\.|env\.|import\.|vault:|op:|arn:|ref\+|projects\/)|\$\{|\{\{|\$\(|%\(|#\{|:\/\/|[()]|\.(?:env|env\.\w+|[jt]sx?|json|ya?ml|md|txt|pem|key|crt|toml|py|go|rs|html?|css|svg|png|lock|sh|log|sql|xml|csv)$/;

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

/** Shannon entropy in bits a character. */
export function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / value.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

/** How many letters and digits are left when words, sequences (`abc`, `123`, `a1b2c3`) and repetitions are taken away. */
export function unexplained(value: string): number {
  const plain = value.replace(KEYBOARD, "");
  let left = 0;
  for (const [segment] of plain.matchAll(SEGMENTS)) if (!isWord(segment)) left += segment.length;
  return left - sequential(plain.toLowerCase());
}

/** Whether the body of a token with a vendor's own prefix is a real one: not `xxxx`, not words, not a counted alphabet. */
export function looksIssued(body: string): boolean {
  if (SURE_PLACEHOLDER.test(body)) return false;
  return unexplained(body) >= Math.min(8, body.length * 0.35) && entropy(body) >= 2.3;
}

/**
 * Whether a value found under a secret-like name is random enough to be the secret itself.
 * `sure`: the name leaves no doubt, so that UUIDs and shorter mixes count too.
 */
export function looksRandom(value: string, sure: boolean): boolean {
  const length = value.length;
  if (length < (sure ? 12 : 16) || length > 4096) return false;
  if (value.startsWith("/") && !SLASHED_BASE64.test(value)) return false;
  if (/\s/.test(value) || REFERENCE.test(value) || HASH_LABEL.test(value) || DATE.test(value)) return false;
  if (isUuid(value)) return sure && unexplained(value) >= 16;
  if (isPlaceholder(value)) return false;
  if (!mixed(value)) return false;
  if (entropy(value) < (length < 16 ? 2.4 : 2.8)) return false;
  return unexplained(value) >= Math.max(8, length * 0.5);
}

/** Whether a short value under a password's name was made to be one: three kinds of characters and no word in it. */
export function looksLikePassword(value: string): boolean {
  if (value.length < 8 || value.length > 128 || /\s/.test(value)) return false;
  if (REFERENCE.test(value) || isPlaceholder(value) || DATE.test(value)) return false;
  const kinds = Number(/[a-z]/.test(value)) + Number(/[A-Z]/.test(value)) + Number(/[!@#$%^&*+=?~]/.test(value));
  if (kinds < 3 || !/[0-9]/.test(value)) return false;
  return value.length >= 12 || unexplained(value) >= 4;
}

/** Letters with digits, or both cases thrown together: what neither a number, a version nor a constant has. */
function mixed(value: string): boolean {
  const lower = count(value, /[a-z]/g);
  const upper = count(value, /[A-Z]/g);
  const digits = count(value, /[0-9]/g);
  if (lower + upper < Math.max(2, value.length * 0.1)) return false;
  if (digits > 0) return true;
  return lower > 1 && upper > 1;
}

function count(value: string, kind: RegExp): number {
  return value.match(kind)?.length ?? 0;
}

/** One run of letters reads as a word: it has a vowel and nearly all of its pairs are common ones. */
function isWord(segment: string): boolean {
  if (segment.length < 3) return false;
  const word = segment.toLowerCase();
  if (!VOWEL.test(word)) return false;
  let misses = 0;
  for (let at = 1; at < word.length; at++) {
    const first = word.charCodeAt(at - 1) - 97;
    const second = word.charCodeAt(at) - 97;
    if (first < 0 || second < 0) return false;
    if (WORD_PAIR[first * 26 + second] === 0) misses++;
  }
  return misses <= Math.floor(word.length / 6);
}

/** Characters that only continue a count or a repetition; those inside words are of no account, so this may overstate. */
function sequential(value: string): number {
  let inside = 0;
  let run = 1;
  let previousStep = 9;
  for (let at = 1; at <= value.length; at++) {
    const step = at < value.length ? value.charCodeAt(at) - value.charCodeAt(at - 1) : 9;
    const paired =
      at >= 3 &&
      at < value.length &&
      value.charCodeAt(at) - value.charCodeAt(at - 2) === 1 &&
      value.charCodeAt(at - 1) - value.charCodeAt(at - 3) === 1;
    if (paired) inside += 1;
    if (step === previousStep && step >= -1 && step <= 1) {
      run++;
      continue;
    }
    if (run >= 3) inside += run;
    run = step >= -1 && step <= 1 ? 2 : 1;
    previousStep = step;
  }
  return inside;
}
