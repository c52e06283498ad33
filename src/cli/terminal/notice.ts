/** Writes sentences to stderr, cleaned, and wrapped between words on a terminal. */
import { wrapLines } from "../../rendering/terminal/width.ts";
import { cleanText } from "../../text/clean.ts";
import { stderr } from "./standard_streams.ts";

export function writeNotice(text: string): void {
  const output = stderr();
  const clean = cleanText(text);
  output.write(`${output.isTTY ? wrapLines(clean, output.columns || 80) : clean}\n`);
}
