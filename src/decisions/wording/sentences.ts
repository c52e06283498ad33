/** Splits a text into the speaker's own sentences: without code, quotes, tables and program output. */
import { patternFor } from "../../text/patterns.ts";

const MAX_TEXT_CHARS = 40_000;
const MAX_SENTENCE_CHARS = 500;
const MIN_WORDS = 3;

const FENCE = /^[ \t]*(?:```|~~~)[\s\S]*?(?:^[ \t]*(?:```|~~~)[ \t]*$|(?![\s\S]))/gm;
const TAGGED = /<([a-z][\w-]{1,60})(?:\s[^>]{0,200})?>[\s\S]*?<\/\1>/gi;
/** A dot inside a name or a number does not end a sentence. */
const SENTENCE_END = patternFor(
  String.raw`(?<=[.!?…])(?<!\b(?:e\.g|i\.e|etc|vs|cf|resp|approx|no)\.)["')\]]*\s+(?=[\p{Lu}\x60"'(\d])`,
);
const INFORMAL_END = patternFor(
  String.raw`(?<=[\p{L}\p{N}\x60"')][.!?…])(?<!\b(?:e\.g|i\.e|etc|vs|cf|resp|approx|no)\.)["')\]]*\s+(?=[\p{L}\x60"'(\d])`,
);
const MARK = /^(?:[-*•+]|\d{1,3}[.)]|#{1,6}|[✓✔✗✘☐☑])\s+/u;
const TASK = /^\[[ xX]\]\s+/;
/** Stack traces, prompts, logs, assignments, diffs, calls. */
const MACHINE =
  /^(?:at |[$%|]|>>>|\+\+\+|---|@@|diff |\d{4}-\d\d-\d\d|\[?(?:error|warn(?:ing)?|info|debug|fatal|trace)\b[\]:])|[{};]$|=>|^\w+\s*=\s*\S|::|^\w+\(.*\)$/i;

/** `informal`: a person who types to an agent begins few sentences with a capital letter. */
export function sentencesOf(text: string, informal = false): string[] {
  const plain = text.slice(0, MAX_TEXT_CHARS).replace(FENCE, "\n\n").replace(TAGGED, "\n\n").replaceAll("\r\n", "\n");
  const found: string[] = [];
  for (const paragraph of paragraphsOf(plain)) {
    for (const piece of pieces(paragraph, informal ? INFORMAL_END : SENTENCE_END)) {
      const sentence = piece.replace(/\s+/g, " ").replaceAll("’", "'").replaceAll("**", "").trim();
      if (sentence.length > MAX_SENTENCE_CHARS || !hasWords(sentence, MIN_WORDS)) continue;
      if (!MACHINE.test(sentence)) found.push(sentence);
    }
  }
  return found;
}

/** No space follows the end of a sentence in Chinese and Japanese. */
const WIDE_END = /(?<=[。！？])/u;

function pieces(paragraph: string, end: (text: string) => RegExp): string[] {
  return paragraph.split(end(paragraph)).flatMap((piece) => piece.split(WIDE_END));
}

/** Chinese and Japanese have no spaces between words; a word has about two characters. */
export function hasWords(sentence: string, count: number): boolean {
  if (sentence.split(/\s+/).length >= count) return true;
  return (sentence.match(/[\u3040-\u30ff\u4e00-\u9fff]/gu)?.length ?? 0) >= 2 * count;
}

/** The sentences of one paragraph. */
export function splitSentences(paragraph: string): string[] {
  return paragraph
    .split(SENTENCE_END(paragraph))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** Joins wrapped lines; list items, headings and quotes are separate paragraphs. */
function paragraphsOf(text: string): string[] {
  const found: string[] = [];
  let open = "";
  const close = (): void => {
    if (open !== "") found.push(open);
    open = "";
  };
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (line === "" || line.startsWith(">") || line.startsWith("|")) {
      close();
      continue;
    }
    if (MARK.test(line)) close();
    const content = line.replace(MARK, "").replace(TASK, "");
    if (MACHINE.test(content)) {
      close();
      continue;
    }
    open = open === "" ? content : `${open} ${content}`;
    if (line.startsWith("#")) close();
  }
  close();
  return found;
}
