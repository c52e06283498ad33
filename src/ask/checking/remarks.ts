/** Remarks that list sentences of an answer. */
import { cleanLine } from "../../text/clean.ts";

export const MAX_SHOWN_SENTENCES = 3;
const MAX_SHOWN_CHARS = 160;

export function stated(title: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  const shown = texts.slice(0, MAX_SHOWN_SENTENCES).map((text) => cleanLine(text, MAX_SHOWN_CHARS));
  const more = texts.length - shown.length;
  return [`${title}: ${shown.join("; ")}${more > 0 ? ` and ${more} more` : ""}.`];
}

export function listed(title: string, texts: readonly string[]): string[] {
  const quotes = texts.map((text) => `"${cleanLine(text, MAX_SHOWN_CHARS)}"`);
  return stated(title, quotes);
}
