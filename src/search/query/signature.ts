/**
 * What an error is, whatever run, file or machine it came from: its lines with numbers, addresses, ids, quoted names'
 * digits and paths' folders taken out. Two errors with the same signature are the same error.
 */

const MOST_LINES = 400;
const LONGEST_LINE = 1000;
const LONGEST_SIGNATURE = 300;

/** Lines that say what went wrong, in the words of compilers, test runners, shells and run times. */
const TELLING =
  /\b(?:[A-Z]\w*(?:Error|Exception|Panic|Failure)\b|(?:error|fatal|panic|exception|failed|failure|cannot|can't|could not|unable to|not found|no such|denied|refused|undefined|unexpected|invalid|timed? ?out|segmentation fault|traceback|E[A-Z]{3,}\b))/i;
/** Frames of a stack say where, not what. */
const FRAME = /^\s*(?:at\s|File "|from\s.*:\d+:in|\d+:\s+0x|#\d+\s|\^+\s*$|~+\s*$)/;

/** Written without the escape character itself, which has no place in a source file. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

export interface ErrorLine {
  /** As it stands in the text. */
  line: string;
  signature: string;
}

/** The telling lines of a text, each once, in order. A single line without a telling word counts as it is. */
export function errorLines(text: string): ErrorLine[] {
  const lines = text.split("\n", MOST_LINES).map((line) => line.slice(0, LONGEST_LINE).trim());
  const telling = lines.filter((line) => line !== "" && TELLING.test(line) && !FRAME.test(line));
  const chosen = telling.length > 0 ? telling : lines.filter((line) => line !== "").slice(0, 1);
  const found = new Map<string, ErrorLine>();
  for (const line of chosen) {
    const signature = signatureOf(line);
    if (signature.length >= 8 && !found.has(signature)) found.set(signature, { line, signature });
  }
  return [...found.values()];
}

export function signatureOf(line: string): string {
  return line
    .slice(0, LONGEST_LINE)
    .replace(COLOUR, "")
    .replace(/^\s*(?:\[[^\]]{0,40}\]\s*)?(?:\d{4}-\d\d-\d\d[T ][\d:.,]+Z?\s*)?/, "")
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>")
    .replace(/\b0x[0-9a-f]+\b/gi, "<n>")
    .replace(/(?:[A-Za-z]:)?(?:[\\/][\w.@+~-]+)*[\\/]([\w.@+~-]+)/g, "<path>/$1")
    .replace(/\b[0-9a-f]{7,64}\b/gi, (word) => (/\d/.test(word) ? "<id>" : word))
    .replace(/\d+(?:[.,]\d+)*/g, "<n>")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase()
    .slice(0, LONGEST_SIGNATURE);
}
