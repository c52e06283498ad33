/** Text with the words of a query marked. A word is marked where its beginning matches, as the index stems words. */
import { visible } from "./visible.ts";

const MIN_STEM_CHARS = 3;
const ENDINGS = /(?:ies|ied|ing|ed|es|s|y)$/;

export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  const shown = visible(text);
  const pattern = patternOf(words);
  if (!pattern) return <>{shown}</>;
  const parts = shown.split(pattern);
  return <>{parts.map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))}</>;
}

/** Splits a text so that every second part is a match. */
function patternOf(words: readonly string[]): RegExp | undefined {
  const starts = words.flatMap((word) => {
    const stem = word.replace(ENDINGS, "");
    const start = stem.length >= MIN_STEM_CHARS ? stem : word;
    return start.trim() === "" ? [] : [`${quoted(start)}[\\p{L}\\p{N}]*`];
  });
  return starts.length === 0 ? undefined : new RegExp(`((?<![\\p{L}\\p{N}])(?:${starts.join("|")}))`, "giu");
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
