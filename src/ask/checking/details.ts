/**
 * Compares the details of a statement with its source: numbers, versions, flags, and whether it affirms or denies.
 * Shared words are not enough: "the default is 5 MiB" and "the default is 1 MiB" have all words in common.
 */
import { significantTerms, termsOf } from "../question/terms.ts";
import { sentences } from "../quoting/units/sentences.ts";
import { unitsOf } from "../quoting/units/units.ts";

/** Factors to bytes and milliseconds: a source may write 1048576 for "1 MiB", or 10000 for "10 seconds". */
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:kib|kibibytes?)$/i, 1024],
  [/^(?:mib|mebibytes?)$/i, 1024 ** 2],
  [/^(?:gib|gibibytes?)$/i, 1024 ** 3],
  [/^(?:kb|kilobytes?)$/i, 1000],
  [/^(?:mb|megabytes?)$/i, 1000 ** 2],
  [/^(?:gb|gigabytes?)$/i, 1000 ** 3],
  [/^(?:bytes?|ms|msecs?|milliseconds?)$/i, 1],
  [/^(?:s|secs?|seconds?)$/i, 1000],
  [/^(?:min|mins|minutes?)$/i, 60_000],
  [/^(?:h|hrs?|hours?)$/i, 3_600_000],
  [/^(?:days?)$/i, 86_400_000],
];
/** People write MB when they mean MiB. */
const LOOSE: readonly (readonly [RegExp, number])[] = [
  [/^kb$/i, 1024],
  [/^mb$/i, 1024 ** 2],
  [/^gb$/i, 1024 ** 3],
];
const WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  "zero one two three four five six seven eight nine ten eleven twelve".split(" ").map((word, i) => [word, String(i)]),
);

/** Does not match inside a name (`utf8`, `HTTP/2`), a label or a range of characters. */
const NUMBER = /(?<![\p{L}\p{N}_/.-])v?(\d[\d_,]*(?:\.\d+)*(?:e\d{1,2})?)(?:[ -]?(%|[a-z]{1,12})\b)?/giu;
const FLAG = /(?<![\p{L}\p{N}_-])--?[a-z][\w-]{0,60}/giu;
const NEGATION = /\b(?:not|never|cannot|no|none|neither|nor|nothing|without|unable)\b|n['’]t\b/i;
/** Words that say the opposite of each other. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/\benabled?\b/i, /\bdisabled?\b/i],
  [/\btrue\b/i, /\bfalse\b/i],
  [/\brequired|mandatory\b/i, /\boptional\b/i],
  [/\ballow(?:s|ed)?\b/i, /\b(?:forbid(?:s|den)?|disallow(?:s|ed)?|den(?:y|ies|ied)|reject(?:s|ed)?)\b/i],
  [/\bbefore\b/i, /\bafter\b/i],
  [/\bmaximum\b/i, /\bminimum\b/i],
  [/\bsupported\b/i, /\bunsupported\b/i],
  [/\bsynchronous(?:ly)?\b/i, /\basynchronous(?:ly)?\b/i],
  [/\bincreas(?:e|es|ed|ing)\b/i, /\bdecreas(?:e|es|ed|ing)\b/i],
];

/** A sentence of the source is about the same subject if it has this share of the statement's words. */
const SAME_SHARE = 0.7;
const MIN_TERMS = 2;
const MAX_LENGTH_RATIO = 4;

/** The details of a statement that the text lacks; details in `asked` need no source. */
export function missingDetails(statement: string, text: string, asked: string): string[] {
  const given = numbersIn(`${text}\n${asked}`);
  const numbers = numbersOf(statement).filter((number) => !isGiven(number, given));
  const flags = (statement.match(FLAG) ?? []).filter(
    (flag) => flag.startsWith("--") || /`[^`]*(?<!\w)-\w/.test(statement),
  );
  const missing = flags.filter((flag) => !hasFlag(`${text}\n${asked}`, flag));
  return [...new Set([...numbers.map(({ said }) => said), ...missing])];
}

/** Whether every sentence of the text about the same subject says the opposite of the statement. */
export function isContradicted(statement: string, text: string): boolean {
  const plain = OPPOSITES.flat().reduce((text, word) => text.replace(word, " "), statement);
  const terms = significantTerms(plain.replace(/\b(?:not|never|cannot|no)\b|n['’]t\b/gi, " "));
  if (terms.length < MIN_TERMS) return false;
  const same = unitsOf(text)
    .filter(({ kind }) => kind !== "code")
    .flatMap((unit) => sentences(unit.text))
    .filter((sentence) => {
      const held = termsOf(sentence);
      // A long sentence makes several statements.
      if (held.size > terms.length * MAX_LENGTH_RATIO) return false;
      return terms.filter((term) => held.has(term)).length >= terms.length * SAME_SHARE;
    });
  return same.length > 0 && same.every((sentence) => isOpposite(statement, sentence));
}

function isOpposite(statement: string, sentence: string): boolean {
  const swapped = OPPOSITES.some(
    ([a, b]) =>
      (a.test(statement) && !b.test(statement) && b.test(sentence) && !a.test(sentence)) ||
      (b.test(statement) && !a.test(statement) && a.test(sentence) && !b.test(sentence)),
  );
  // An opposite word and a negation cancel out: "is not disabled" means "is enabled".
  return swapped !== (NEGATION.test(statement) !== NEGATION.test(sentence));
}

interface Quantity {
  said: string;
  number: string;
  unit: string;
}

function numbersOf(text: string): Quantity[] {
  return [...text.matchAll(NUMBER)].map(([said, number = "", unit = ""]) => ({
    said: said.trim(),
    number: number.replace(/[_,]/g, ""),
    unit,
  }));
}

/** All numbers of a text, as written and in the smallest unit. */
function numbersIn(text: string): ReadonlySet<string> {
  const words = text.replace(/\b[a-z]{3,6}\b/gi, (word) => WORDS[word.toLowerCase()] ?? word);
  const found = new Set<string>();
  // In a source, numbers inside names and ranges count as well.
  for (const [number] of words.matchAll(/\d[\d_,]*(?:\.\d+)*(?:e\d{1,2})?/gi)) found.add(canonical(number));
  for (const { number, unit } of numbersOf(words)) for (const value of valuesOf(number, unit)) found.add(value);
  return found;
}

function isGiven({ number, unit }: Quantity, given: ReadonlySet<string>): boolean {
  const inUnits = valuesOf(number, unit);
  if (inUnits.length > 0)
    return inUnits.some((value) => given.has(value)) || (given.has(canonical(number)) && !hasFactor(unit));
  const plain = canonical(number);
  if (given.has(plain)) return true;
  // `5.1` matches `5.1.2`, and the other way round.
  return (
    number.includes(".") && [...given].some((each) => each.startsWith(`${number}.`) || number.startsWith(`${each}.`))
  );
}

function hasFactor(unit: string): boolean {
  return UNITS.some(([name, factor]) => factor > 1 && name.test(unit));
}

/** In bytes or milliseconds; empty without such a unit. */
function valuesOf(number: string, unit: string): string[] {
  return [...UNITS, ...LOOSE].flatMap(([name, factor]) =>
    name.test(unit) && Number.isFinite(Number(number)) ? [String(Number(number) * factor)] : [],
  );
}

function canonical(number: string): string {
  const plain = number.replace(/[_,]/g, "");
  return Number.isFinite(Number(plain)) ? String(Number(plain)) : plain;
}

function hasFlag(text: string, flag: string): boolean {
  let at = text.indexOf(flag);
  while (at >= 0) {
    if (!/[\w-]/.test(text[at - 1] ?? " ") && !/[\w-]/.test(text[at + flag.length] ?? " ")) return true;
    at = text.indexOf(flag, at + 1);
  }
  return false;
}
