/** Splits a message into the person's own sentences, without code, quotes, pasted logs, or tags added by the agent. */
const MAX_SENTENCE_CHARS = 400;
const MAX_WORDS = 60;
const MIN_WORDS = 2;

const SENTENCE_END = /(?<=[.!?…])["')\]]*\s+(?=\S)|(?<=[。！？])|\n+/;
const MARK = /^(?:[-*•]|\d{1,3}[.)]|#{1,6})\s+/;
/** Lines of machine output: stack traces, prompts, tables, rules, tags of tasks, braces, continued lines, assignments. */
const MACHINE =
  /^(?:\s*(?:at |[$%>|❯➜λ]|={2,}|-{3}|\[[\w./-]+:[\w:./-]+\]|\[[\w./-]{2,40}\]\s*(?:\$|error|warn|info)|\d{4}-\d\d-\d\d|\[?(?:error|warn|info|debug)\b[\]:]))|[{};\\]\s*$|=>|^\s*\w+\s*=\s*\S|::/i;
const INDENTED = /^(?: {2,}|\t)/;
/** A position in a file, as reviews and compilers print it. */
const PLACE = /\w\.\w{1,5}:\d+/;
/** Text that agents add to a prompt in the person's name. */
const HARNESS =
  /^If you need specific details from before exiting plan mode\b|^Caveat: The messages below were generated\b/;

/** A longer text is a pasted plan, page or log: only its first and last sentences count as the person's own. */
const MAX_TYPED_CHARS = 2000;
const EDGE_SENTENCES = 3;

export function sentencesOf(text: string): string[] {
  const all = allSentences(text);
  if (text.length <= MAX_TYPED_CHARS || all.length <= 2 * EDGE_SENTENCES) return all;
  return [...all.slice(0, EDGE_SENTENCES), ...all.slice(-EDGE_SENTENCES)];
}

/** Indented lines below a line of machine output continue it, also after an empty line. */
function withoutPastedLines(text: string): string {
  let pasted = false;
  const kept = text.split("\n").filter((line) => {
    if (line.trim() === "") return true;
    pasted = MACHINE.test(line) || PLACE.test(line) || (pasted && INDENTED.test(line));
    return !pasted;
  });
  return kept.join("\n");
}

function allSentences(text: string): string[] {
  const found: string[] = [];
  for (const piece of withoutPastedLines(text).split(SENTENCE_END)) {
    if (MACHINE.test(piece) || PLACE.test(piece)) continue;
    const sentence = piece.trim().replace(MARK, "").replaceAll("’", "'").replace(/\s+/g, " ").trim();
    if (HARNESS.test(sentence)) continue;
    if (sentence.length > MAX_SENTENCE_CHARS || !/\p{L}/u.test(sentence)) continue;
    // In scripts without spaces between words, a sentence counts as one word.
    const words = sentence.split(" ").length;
    const spaced = !/[\u3040-\u30ff\u4e00-\u9fff]/.test(sentence);
    if (words <= MAX_WORDS && (words >= MIN_WORDS || !spaced)) found.push(sentence);
  }
  return found;
}
