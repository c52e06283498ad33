/**
 * Text that other people and programs wrote, as one line that may be shown or kept: cleaned, without secrets and private
 * blocks, then cut. The order matters. An invisible character in a token hides it from the rules until it is cleaned
 * away, and a token that was cut in half is no longer recognised.
 */
import { cleanLine, cleanText, escapeFrames } from "../text/clean.ts";
import { clip } from "../text/clip.ts";
import { withoutPrivate } from "./private.ts";
import { redactText } from "./redact.ts";

/** Longer texts are cut before the rules look at them; what stands near that cut is never shown. */
const MAX_SCANNED_CHARS = 16_384;
const MAX_SHOWN_CHARS = 4_096;

export function quoteLine(text: string, max: number): string {
  const shown = Math.min(max, MAX_SHOWN_CHARS);
  const clean = cleanText(text.slice(0, MAX_SCANNED_CHARS));
  const line = clip(redactText(withoutPrivate(clean)).text, shown);
  const isWhole = text.length <= MAX_SCANNED_CHARS || line.endsWith("…");
  return isWhole || line === "" ? line : `${clip(line, shown - 1)}…`;
}

/** The same for a model that did not ask for it: the line cannot end or imitate a frame around it. */
export function quoteForModel(text: string, max: number): string {
  return escapeFrames(quoteLine(text, max));
}

/** One line about something that failed: messages of other programs may repeat what they were given. */
export function quoteReason(text: string, max: number): string {
  return cleanLine(redactText(cleanText(text.slice(0, MAX_SCANNED_CHARS))).text, max);
}
