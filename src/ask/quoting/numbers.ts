/** Numbers in a text: digits outside of addresses, and numerals that state a limit. */
const NUMBER =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand|unlimited|infinity|infinite|no limit)\b/i;
const ADDRESS = /\bhttps?:\S+|\]\([^)\s]*\)/g;

export function hasNumber(text: string): boolean {
  return NUMBER.test(text.replace(ADDRESS, " "));
}
