/** What a person said in a message, sentence by sentence: no code, no quotes, no pasted logs, no tags of the agent's. */
const LONGEST_SENTENCE = 400;
const MOST_WORDS = 60;
const LEAST_WORDS = 2;

const SENTENCE_END = /(?<=[.!?…])["')\]]*\s+(?=\S)|(?<=[。！？])|\n+/;
const MARK = /^(?:[-*•]|\d{1,3}[.)]|#{1,6})\s+/;
/** Lines that are a machine's words: stack traces, prompts, tables, braces, assignments. */
const MACHINE =
  /^(?:\s*(?:at |[$%>|]|\d{4}-\d\d-\d\d|\[?(?:error|warn|info|debug)\b[\]:]))|[{};]\s*$|=>|^\s*\w+\s*=\s*\S|::/i;
/** A place in a file, as reviews and compilers name it. */
const PLACE = /\w\.\w{1,5}:\d+/;
/** What agents add to a prompt in the person's name. */
const HARNESS =
  /^If you need specific details from before exiting plan mode\b|^Caveat: The messages below were generated\b/;

/** A text longer than this is a plan, a page or a log that was pasted: the person's own words stand around it. */
const LONGEST_SAID = 2000;
const AROUND = 3;

export function sentencesOf(text: string): string[] {
  const all = allSentences(text);
  if (text.length <= LONGEST_SAID || all.length <= 2 * AROUND) return all;
  return [...all.slice(0, AROUND), ...all.slice(-AROUND)];
}

function allSentences(text: string): string[] {
  const found: string[] = [];
  for (const piece of text.split(SENTENCE_END)) {
    if (MACHINE.test(piece) || PLACE.test(piece)) continue;
    const sentence = piece.trim().replace(MARK, "").replaceAll("’", "'").replace(/\s+/g, " ").trim();
    if (HARNESS.test(sentence)) continue;
    if (sentence.length > LONGEST_SENTENCE || !/\p{L}/u.test(sentence)) continue;
    // Where words are not set apart by spaces, a sentence is one word.
    const words = sentence.split(" ").length;
    const spaced = !/[\u3040-\u30ff\u4e00-\u9fff]/.test(sentence);
    if (words <= MOST_WORDS && (words >= LEAST_WORDS || !spaced)) found.push(sentence);
  }
  return found;
}
