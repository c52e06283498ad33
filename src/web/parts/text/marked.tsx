/** Text with the words of a query marked. */
import { visible } from "./visible.ts";
import { wordPattern } from "./words.ts";

export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  const shown = visible(text);
  const pattern = wordPattern(words);
  if (!pattern) return <>{shown}</>;
  const parts = shown.split(pattern);
  return <>{parts.map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))}</>;
}
