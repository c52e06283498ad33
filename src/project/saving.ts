/** What saving a memory and saving a decision share: who saves, reasons that are joined, texts without secrets. */
import { DexError } from "../kernel/errors.ts";
import { formatCount } from "../kernel/text.ts";
import { redactText } from "../redact/redact.ts";

export const MAX_REASON_CHARS = 2000;

/** Who saves, and where it was said. */
export interface Saver {
  by: string;
  /** `id#index`, `id`, or empty. */
  place: string;
}

/** A second reason is added to the first. */
export function joinReasons(before: string | null, given: string | null): string | null {
  if (before === null || given === null) return before ?? given;
  if (before.toLowerCase().includes(given.toLowerCase())) return before;
  const both = `${before}; ${given}`;
  if (both.length <= MAX_REASON_CHARS) return both;
  throw new DexError("too_long", `It was saved with a reason before, and the two have no room together.`, {
    hint: `A reason has at most ${formatCount(MAX_REASON_CHARS)} characters.`,
  });
}

/** What is left must say something: a text that was private as a whole is not kept as a mark. */
export function withoutSecrets(typed: string): { text: string; count: number } {
  const clean = redactText(typed);
  if (/[\p{L}\p{N}]/u.test(clean.text.replace(/\[REDACTED:[\w-]+\]/g, ""))) return clean;
  throw new DexError("nothing_left", "Nothing is left to save: all of it is private.", {
    hint: "Say outside of <private> what should be remembered.",
  });
}
