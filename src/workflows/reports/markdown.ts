/** Markdown for reports: foreign text on one line, references as `id#index`, truncated lists with a count of the rest. */
import { formatCount } from "../../kernel/text.ts";
import { cleanLine } from "../../text/clean.ts";

const MAX_SHOWN_REFS = 6;

/** One line of limited length that cannot break out of its line or hide the text after it. */
export function inline(text: string, max = 400): string {
  return cleanLine(text, max).replaceAll("<", "\\<").replaceAll("`", "'");
}

export function references(refs: readonly string[]): string {
  const shown = refs.slice(0, MAX_SHOWN_REFS).map((ref) => `\`${ref}\``);
  const more = refs.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${formatCount(more)} more` : ""}`;
}

export function bullets(lines: readonly string[], max: number, what: string): string[] {
  const shown = lines.slice(0, max).map((line) => `- ${line}`);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `- … and ${formatCount(more)} more ${what}`] : shown;
}

/** The conversation part of `id#12`. */
export function conversationOf(ref: string): string {
  return ref.slice(0, ref.lastIndexOf("#"));
}
