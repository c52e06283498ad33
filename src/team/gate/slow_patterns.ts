/**
 * Finds regular expressions of a team that backtrack catastrophically: every push would apply them to every text. dex
 * tries them, within a time limit, on the kinds of texts that make such expressions slow.
 */
import { BoundedMatching } from "../../kernel/bounded_matching.ts";

const LIMIT_MS = 3000;
/** Processor time after which a match that was stopped counts as slow. */
const SLOW_MICROSECONDS = 150_000;
const MAX_TRIES = 20;
/** Slow matches of one text after which its expression is slow. */
const SLOW_TRIES = 3;
/** A pattern with quadratic cost in this length is far within the limit, even on a busy machine; a cubic one is not. */
const CHARS = 1500;
const MAX_OWN_CHARS = 40;
/** Samples of each kind of character that character classes distinguish, alone and mixed. */
const PIECES = ["a", "A", "0", " ", "_", "-", ".", "/", "aA0", "a ", "a-", "a.", "é", "\n"];

export function isSlowPattern(source: string): boolean {
  // The pattern's own characters lead into its repeated part.
  const own = [...new Set(source.match(/[\p{L}\p{N}]/gu) ?? [])].slice(0, MAX_OWN_CHARS);
  const word = (source.match(/[\p{L}\p{N}]+/gu) ?? []).join("");
  const begin = /^[^\\()[\]{}*+?.|^$]*/.exec(source)?.[0] ?? "";
  const pieces = new Set([...PIECES, ...own, ...(word === "" ? [] : [word])]);
  // An unexpected last character makes the expression try every other way to match.
  const texts = [...pieces].flatMap((piece) => {
    const long = piece.repeat(Math.ceil(CHARS / piece.length));
    return [`${long}\u0001`, `${begin}${long}\u0001`];
  });
  const pattern = new RegExp(source, "u");
  return texts.some((text) => isSlowOn(pattern, text));
}

/**
 * On a busy machine a match may be stopped because other processes took the time: one that took little processor time
 * is tried again. So is one that took much, because a virtual machine counts time that its host took.
 */
function isSlowOn(pattern: RegExp, text: string): boolean {
  let slow = 0;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const matching = new BoundedMatching(pattern, LIMIT_MS);
    const before = process.cpuUsage().user;
    matching.matching([text]);
    if (matching.skipped === 0 && !matching.isOver) return false;
    if (process.cpuUsage().user - before >= SLOW_MICROSECONDS) slow += 1;
    if (slow === SLOW_TRIES) return true;
  }
  return true;
}
