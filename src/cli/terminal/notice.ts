/** Sentences on stderr: clean, and broken between words where a terminal shows them. */
import { wrapLines } from "../../rendering/width.ts";
import { cleanText } from "../../text/clean.ts";

export function writeNotice(text: string): void {
  const { stderr } = process;
  const clean = cleanText(text);
  stderr.write(`${stderr.isTTY ? wrapLines(clean, stderr.columns || 80) : clean}\n`);
}
