/**
 * Ends each member of an interface before a call signature that begins with type parameters. The grammar takes the two for
 * one type where the text has no semicolon between them, and loses the rest of the file.
 */

/** Space at the start of a line, then type parameters. */
const BEGINS = /^[ \t]+</gm;
const COMMENT_LINE = /^\s*(?:$|\/\/|\/\*|\*)/;
/** A function may follow an arrow. */
const ENDS_TYPE = /(?:[\w$\])}'"`]|(?<!=)>)\s*$/;
const MAX_COMMENT_LINES = 400;
const MAX_PARAMETERS_CHARS = 4000;
/** A text with more comparisons at the start of a line is not one of interfaces. */
const MAX_FAILED = 1000;

/** Every character keeps its place: the semicolon replaces a space. */
export function separateSignatures(text: string): string {
  let [separated, done, failed] = ["", 0, 0];
  for (const match of text.matchAll(BEGINS)) {
    const at = match.index + match[0].length - 1;
    if (failed >= MAX_FAILED) break;
    if (!followsType(text, match.index) || !isSignature(text, at)) {
      failed += 1;
      continue;
    }
    separated += `${text.slice(done, at - 1)};`;
    done = at;
  }
  return separated + text.slice(done);
}

/** Whether the code before a line ends like a type. */
function followsType(text: string, lineStart: number): boolean {
  let end = lineStart - 1;
  for (let lines = 0; end > 0 && lines < MAX_COMMENT_LINES; lines += 1) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(Math.max(start, end - MAX_PARAMETERS_CHARS), end);
    if (!COMMENT_LINE.test(line)) return ENDS_TYPE.test(line.slice(-100));
    end = start - 1;
  }
  return false;
}

/** Whether the brackets that open here close before the parameters of a signature. */
function isSignature(text: string, open: number): boolean {
  let depth = 0;
  const end = Math.min(text.length, open + MAX_PARAMETERS_CHARS);
  for (let at = open; at < end; at += 1) {
    const char = text[at];
    if (char === "<") depth += 1;
    else if (char === ">" && text[at - 1] !== "=") depth -= 1;
    if (depth === 0) return text[at + 1] === "(";
  }
  return false;
}
