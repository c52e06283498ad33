/**
 * Short texts that plainly hold no secret: words in small letters, and ids. To know that costs nothing, while the rules take
 * longer to load than a search takes to run. Must be stricter than the rules are: `plain.test.ts` holds it to them.
 */
const WORDS = /^(?:\p{Lu}?[\p{Ll}\p{Lo}\p{M}]{0,15}[.,?!]?(?:\s|$))*$/u;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:#\d{1,9})?$/;
const LONGEST = 500;

export function isPlain(text: string): boolean {
  return text.length <= LONGEST && (WORDS.test(text) || ID.test(text));
}
