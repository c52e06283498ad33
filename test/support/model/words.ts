import { CHARACTER_RULES } from "../../../src/embedding/words.ts";
import { EmbedderLoop } from "../../../src/loops/embedder_loop.ts";

/** The words of a text as the built-in model reads them. */
export function wordsOf(text: string): string[] {
  const loop = new EmbedderLoop({ modelBytes: 0, count: 0, dims: 0, maxIds: 0 }, CHARACTER_RULES);
  const words: string[] = [];
  loop.start(text);
  for (let length = loop.run.next(); length > 0; length = loop.run.next()) {
    words.push(String.fromCharCode(...loop.word.subarray(0, length)));
  }
  return words;
}
