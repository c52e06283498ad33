/**
 * Recognises numbers in a text: digits outside addresses, numerals, and names of limits, whose values are set
 * elsewhere.
 */
const NUMBER =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand|unlimited|infinity|infinite|no limit)\b/i;
const ADDRESS = /\bhttps?:\S+|\]\([^)\s]*\)/g;

export function hasNumber(text: string): boolean {
  return NUMBER.test(text.replace(ADDRESS, " "));
}

/** "The number of lines that are shown", `maxBuffer`, `pageSize`. */
const LIMIT =
  /\b(?:number of|amount of|max\w*|minimum|largest|at (?:most|least)|how (?:many|much))\b|(?:size|limit|count)s?\b/i;

export function namesLimit(text: string): boolean {
  return LIMIT.test(text);
}
