/**
 * Recognises short texts without secrets: words, ids, and texts without any literal of the rules. This costs almost
 * nothing, while loading the rules takes longer than a search. It must be stricter than the rules; `plain.test.ts` checks
 * that.
 */

import { mayHaveInvisible } from "../text/invisible.ts";
import { patternFor } from "../text/patterns.ts";

/**
 * The literals that the rules look for, one per line. The build defines them, so that no rule must be loaded for this
 * test.
 */
declare const DEX_REDACTION_LITERALS: string | undefined;

const WORDS = patternFor(String.raw`^(?:\p{Lu}?[\p{Ll}\p{Lo}\p{M}]{0,15}[.,?!]?(?:\s|$))*$`);
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:#\d{1,9})?$/;
const MAX_CHARS = 500;
/** A private block, a word that may be a token without a literal, or a character of which the rules read half. */
const NEEDS_RULES = /<|[\w-]{30}|[^\0-\xff]/;

let literals: readonly string[] | undefined;

/** `known`: the literals of all rules; without them only words and ids are plain. */
export function isPlain(text: string, known = builtLiterals()): boolean {
  if (text.length > MAX_CHARS || mayHaveInvisible(text)) return false;
  return WORDS(text).test(text) || ID.test(text) || (known.length > 0 && hasNone(text, known));
}

function hasNone(text: string, known: readonly string[]): boolean {
  return !NEEDS_RULES.test(text) && !known.some((literal) => text.includes(literal));
}

function builtLiterals(): readonly string[] {
  literals ??= typeof DEX_REDACTION_LITERALS === "string" ? DEX_REDACTION_LITERALS.split("\n") : [];
  return literals;
}
