/** Writes sentences to stderr, cleaned, and wrapped between words on a terminal. */
import { wrapLines } from "../../rendering/width.ts";
import { cleanText } from "../../text/clean.ts";

export function writeNotice(text: string): void {
  const { stderr } = process;
  const clean = cleanText(text);
  stderr.write(`${stderr.isTTY ? wrapLines(clean, stderr.columns || 80) : clean}\n`);
}
