/** Distinguishes generated secrets from words, placeholders, sequences and code. Pure predicates over one value. */

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

const OTHER = 0;
const SMALL = 1;
const CAPITAL = 2;
const DIGIT = 3;
/** Bits for a, e, i, o, u and y. */
const VOWELS = 0b1000100000100000100010001;
const KEYBOARD = /qwerty?|asdfg|zxcvb/i;
const KEYBOARD_ALL = /qwerty?|asdfg|zxcvb/gi;

/** A text that states it is not a secret. */
const PLACEHOLDER =
  /your|example|placeholder|change.?(?:me|this|in)|replace|dummy|sample|redacted|removed|masked|hidden|lorem|foobar|(?:^|[^a-z])(?:x{4,}|insert|todo|fixme|fake|mock|test|testing|demo|secret|password|passw0rd)(?![a-z])|x{6,}|[*•…]{2,}|\.{3}|_{4,}/i;
/** The same, certain enough to override a vendor's prefix. */
const SURE_PLACEHOLDER = /your[_-]|example|placeholder|redacted|x{6,}|[*•…]{2,}|\.{3}/i;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HASH_LABEL = /^(?:sha\d{1,3}|md5|blake\w{1,3}|h1)[-:]/i;
const DATE = /^(?:19|20)\d\d(?:-[01]\d-[0-3]\d|[01]\d[0-3]\d(?:[T_-]?\d{4,6}Z?)?$)/;
/** Base64 may start as a path does. */
const SLASHED_BASE64 = /^\/(?:[A-Za-z0-9+]{15,38}|[A-Za-z0-9+/]{39,})={0,2}$/;

/** A path or a member of a settings object, rather than a literal. */
const PLACE =
  /^(?:@[\w-]+\/|\.{1,2}[/\\]|~[/\\]|\\|[A-Za-z]:[\\/]|process\.|os\.|env\.|import\.|vault:|op:|arn:|ref\+|projects\/)|:\/\/|\.(?:env|env\.\w+|[jt]sx?|json|ya?ml|md|txt|pem|key|crt|toml|py|go|rs|html?|css|svg|png|lock|sh|log|sql|xml|csv)$/;
/** A value that a program builds at run time. */
const TEMPLATE = /^(?:[<{[(]|[$@#%][\w.-]*%?$|\$[{(])|\$\{|\$[A-Z][A-Z_]{2}|\{\{|\$\(|%\(|#\{|[()]/;

/** Whether a value is a path or a date, and so not a password. */
export function isPlace(value: string): boolean {
  return value.startsWith("/") || PLACE.test(value) || DATE.test(value);
}

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

/** Whether a key is for the vendor's test or live environment. */
const MODE = /^(?:test|live)_(?=[0-9A-Za-z]{20})/;
const counts = new Uint16Array(256);

/** Shannon entropy in bits per character of the first 4,096 characters; others are folded into Latin-1. */
export function entropy(value: string): number {
  const length = Math.min(value.length, 4096);
  let sum = 0;
  counts.fill(0);
  for (let at = 0; at < length; at++) {
    const code = value.charCodeAt(at) & 255;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  for (const count of counts) if (count > 1) sum += count * Math.log2(count);
  return length === 0 ? 0 : Math.log2(length) - sum / length;
}

/** Number of letters and digits left without words, sequences (`abc`, `123`, `a1b2c3`) and repetitions. */
export function countUnexplained(value: string): number {
  const plain = KEYBOARD.test(value) ? value.replace(KEYBOARD_ALL, "") : value;
  let left = 0;
  for (let start = 0; start < plain.length; ) {
    const end = segmentEnd(plain, start);
    if (kindOf(plain.charCodeAt(start)) !== OTHER && !isWord(plain, start, end)) left += end - start;
    start = end;
  }
  return left - sequential(plain.toLowerCase());
}

/** Whether the body of a token with a vendor's own prefix is a real one: not `xxxx`, not words, not a counted alphabet. */
export function looksIssued(body: string): boolean {
  if (entropy(body) < 2.3 || SURE_PLACEHOLDER.test(body)) return false;
  return countUnexplained(body) >= Math.min(8, body.length * 0.35);
}

/**
 * Whether a value found under a secret-like name is random enough to be the secret itself.
 * `sure`: the name leaves no doubt, so UUIDs and shorter mixes count too.
 */
export function looksRandom(value: string, sure: boolean): boolean {
  const length = value.length;
  if (length < (sure ? 12 : 16) || length > 4096) return false;
  if (entropy(value) < (length < 16 ? 2.4 : 2.8)) return false;
  if (UUID.test(value)) return sure && countUnexplained(value) >= 16;
  // Counting is cheaper than the expressions below and decides most values.
  if (!mixed(value) || countUnexplained(value) < Math.max(8, length * 0.5)) return false;
  if (value.startsWith("/") && !SLASHED_BASE64.test(value)) return false;
  if (/\s/.test(value) || PLACE.test(value) || TEMPLATE.test(value)) return false;
  if (HASH_LABEL.test(value) || DATE.test(value)) return false;
  return !isPlaceholder(value.replace(MODE, ""));
}

/** Letters with digits, or mixed case: not a number, version or constant. */
function mixed(value: string): boolean {
  let lower = 0;
  let upper = 0;
  let digits = 0;
  for (let at = 0; at < value.length; at++) {
    const kind = kindOf(value.charCodeAt(at));
    if (kind === SMALL) lower++;
    else if (kind === CAPITAL) upper++;
    else if (kind === DIGIT) digits++;
  }
  if (lower + upper < (value.length < 16 ? 2 : 3)) return false;
  if (digits > 0) return true;
  return lower > 1 && upper > 1;
}

/** Digits, capitals, small letters, or a capital with the small letters after it: `HTTPServer2` is `HTTP`, `Server`, `2`. */
function segmentEnd(value: string, start: number): number {
  const kind = kindOf(value.charCodeAt(start));
  let end = start + 1;
  while (end < value.length && kindOf(value.charCodeAt(end)) === kind) end++;
  if (kind !== CAPITAL || end === value.length || kindOf(value.charCodeAt(end)) !== SMALL) return end;
  if (end - start > 1) return end - 1;
  while (end < value.length && kindOf(value.charCodeAt(end)) === SMALL) end++;
  return end;
}

function kindOf(code: number): number {
  if (code >= 97) return code <= 122 ? SMALL : OTHER;
  if (code >= 65) return code <= 90 ? CAPITAL : OTHER;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
}

/** A run of letters reads as a word: it has a vowel and nearly all of its pairs are common ones. */
function isWord(value: string, start: number, end: number): boolean {
  if (end - start < 3) return false;
  let misses = 0;
  let vowels = 0;
  let previous = -1;
  for (let at = start; at < end; at++) {
    const letter = (value.charCodeAt(at) | 32) - 97;
    if (letter < 0 || letter > 25) return false;
    if (((VOWELS >> letter) & 1) === 1) vowels++;
    if (previous >= 0 && WORD_PAIR[previous * 26 + letter] === 0) misses++;
    previous = letter;
  }
  return vowels > 0 && misses <= Math.floor((end - start) / 6);
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
