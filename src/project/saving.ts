/** Shared by saving memories and decisions: the saver, joined reasons, and redacted texts. */
import { DexError } from "../kernel/errors.ts";
import { formatCount } from "../kernel/text.ts";
import { redactText } from "../redact/redact.ts";

export const MAX_REASON_CHARS = 2000;

/** The agent or person that saves, and the message in which it happens. */
export interface Saver {
  by: string;
  /** `id#index`, `id`, or empty. */
  place: string;
}

/** Appends a second reason to the first. */
export function joinReasons(before: string | null, given: string | null): string | null {
  if (before === null || given === null) return before ?? given;
  if (before.toLowerCase().includes(given.toLowerCase())) return before;
  const both = `${before}; ${given}`;
  if (both.length <= MAX_REASON_CHARS) return both;
  throw new DexError("too_long", `It was saved with another reason before, and both together are too long.`, {
    hint: `Shorten the reason: both together can have at most ${formatCount(MAX_REASON_CHARS)} characters.`,
  });
}

/** Redacts a text. A text with nothing left but redaction marks is refused. */
export function redactForSaving(typed: string): { text: string; count: number } {
  const clean = redactText(typed);
  if (/[\p{L}\p{N}]/u.test(clean.text.replace(/\[REDACTED:[\w-]+\]/g, ""))) return clean;
  throw new DexError("nothing_left", "Nothing is left to save: all of it is private.", {
    hint: "Write the text to remember outside <private>.",
  });
}
