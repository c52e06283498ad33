/** The sentences of a paragraph. */
import { oneLine } from "../../../kernel/text.ts";

const SENTENCE_END = /(?<=[.!?…]["'”’)\]`*_]{0,4})\s+(?=[\p{Lu}\p{Lo}\p{N}`*_"'“([])|(?<=[。！？])/u;
/** Abbreviations, whose full stop does not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|no|approx|incl|resp|pp?|figs?|sec|chap|vol|Mr|Dr|St)\.$/i;

export function sentences(text: string): string[] {
  const found: string[] = [];
  for (const piece of oneLine(text).split(SENTENCE_END)) {
    const last = found.at(-1);
    if (last !== undefined && ABBREVIATION.test(last)) found[found.length - 1] = `${last} ${piece}`;
    else if (piece.trim() !== "") found.push(piece.trim());
  }
  return found;
}
