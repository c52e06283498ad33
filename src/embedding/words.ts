/**
 * The words of a text for the model: runs of ASCII letters or of digits, split inside camelCase, lower-case, without
 * accents and contractions ("don't" gives "don"). The loop that finds them is WebAssembly, because a sync reads every word
 * of every message this way; here are the rules for characters beyond ASCII.
 */
import type { CharacterRules } from "../loops/embedder_loop.ts";
import { patternFor } from "../text/patterns.ts";

const APOSTROPHE = 0x27;

/** Whether a part of a long text may end after this unit: neither a word nor a contraction is cut. */
export function isBetweenWords(unit: number): boolean {
  return unit < 128 && unit !== APOSTROPHE && !/[a-z0-9]/i.test(String.fromCharCode(unit));
}

const UNKNOWN = 0;
const PLAIN = 1;
const COMPOSED = 2;
let known: Uint8Array | undefined;

/**
 * Whether decomposing this UTF-16 unit could change the words. Dashes, curly quotes, arrows and ideographs do not, so
 * texts with only these are read as they are.
 */
function isComposed(code: number): boolean {
  if (code >= 0xd800 && code <= 0xdfff) return true;
  known ??= new Uint8Array(65_536);
  if (known[code] === UNKNOWN) known[code] = decomposes(String.fromCharCode(code)) ? COMPOSED : PLAIN;
  return known[code] === COMPOSED;
}

function decomposes(character: string): boolean {
  const parts = character.normalize("NFKD");
  if (parts === character) return false;
  return /[a-z0-9_'\u2019]/i.test(parts) || isWordCharacter(parts) !== isWordCharacter(character);
}

const WORD_START = patternFor(String.raw`^[\p{L}\p{N}]`);

function isWordCharacter(text: string): boolean {
  return WORD_START(text).test(text);
}

export const CHARACTER_RULES: CharacterRules = { isComposed, isWordCharacter };
