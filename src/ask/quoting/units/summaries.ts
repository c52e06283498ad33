/** The summary line of a folded text, mostly a question whose answer is folded, and the end of that text. */
import { sentenceUnits } from "./text.ts";
import type { Unit } from "./unit.ts";

const SUMMARY = /^\s*(?:<details[^<>]*>\s*)?<summary>(.*)<\/summary>\s*(?:<br\s*\/?>)?\s*$/i;
/** A summary that does not describe the text, such as "Click to expand". */
const EMPTY_SUMMARY = /^\s*(?:click|expand|show|view|see|open|details|more|example)\b/i;
const SUMMARY_END = /<\/details>/i;

export const isSummary = (line: string): boolean => SUMMARY.test(line);
export const endsSummary = (line: string): boolean => SUMMARY_END.test(line);

export function summary(line: string, block: number, indent: number): Unit[] {
  const plain = (SUMMARY.exec(line)?.[1] ?? "").replace(/<[^<>]*>/g, "");
  return EMPTY_SUMMARY.test(plain) ? [] : sentenceUnits(plain, block, indent);
}
