/**
 * Quotes foreign text as one line that may be shown or stored: cleaned, redacted, then truncated. The order matters: an
 * invisible character hides a token from the rules until it is removed, and a truncated token is no longer recognised.
 */
import { cleanLine, cleanText, escapeFrames } from "../text/clean.ts";
import { clip } from "../text/clip.ts";
import { withoutPrivate } from "./private.ts";
import { redactText } from "./redact.ts";

/** Longer texts are truncated before redaction; text near that cut is never shown. */
const MAX_SCANNED_CHARS = 16_384;
const MAX_SHOWN_CHARS = 4_096;

export function quoteLine(text: string, max: number): string {
  const shown = Math.min(max, MAX_SHOWN_CHARS);
  const clean = cleanText(text.slice(0, MAX_SCANNED_CHARS));
  const line = clip(redactText(withoutPrivate(clean)).text, shown);
  const isWhole = text.length <= MAX_SCANNED_CHARS || line.endsWith("…");
  return isWhole || line === "" ? line : `${clip(line, shown - 1)}…`;
}

/** For text that a model gets unrequested: the line cannot close or imitate the frame around it. */
export function quoteForModel(text: string, max: number): string {
  return escapeFrames(quoteLine(text, max));
}

/** One line about a failure: messages of other programs may repeat their input. */
export function quoteReason(text: string, max: number): string {
  return cleanLine(redactText(cleanText(text.slice(0, MAX_SCANNED_CHARS))).text, max);
}
