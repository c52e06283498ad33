/** A regular expression typed by a caller, and the literal text that every match contains. */
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { patternFor } from "../../text/patterns.ts";

const MAX_PATTERN_CHARS = 1000;
const MIN_LITERAL_CHARS = 3;
/** A whole ASCII word, bounded by characters that no word contains: in "über", `ber` is not one. */
const WHOLE_WORD = patternFor(String.raw`(?<=[^\p{L}\p{M}\p{N}])[A-Za-z0-9]+(?=[^\p{L}\p{M}\p{N}])`, "g");
/** Escapes that stand for characters. dex does not decode them, so it searches such a pattern without literals. */
const CODED = /\\[xucpPk]/;

/** ASCII literals that every match contains. */
export interface Needed {
  literals: string[];
  /** The whole words in them, which the index can look up. */
  words: string[];
}

export interface Pattern {
  regexp: RegExp;
  /** Every match contains the literals of one of these; undefined if none are known. */
  needed?: Needed[];
  anyCase: boolean;
}

/** `(?i)` at the start ignores case; `^` and `$` match at every line. */
export function parsePattern(typed: string): Pattern {
  if (typed.length > MAX_PATTERN_CHARS) {
    throw new DexError("bad_pattern", `The regular expression is longer than ${MAX_PATTERN_CHARS} characters.`, {
      hint: "Shorten it.",
    });
  }
  const anyCase = typed.startsWith("(?i)");
  const source = (anyCase ? typed.slice(4) : typed).normalize("NFC");
  if (source === "") throw new DexError("empty_query", "The regular expression is empty.", { hint: "Type one." });
  const needed = neededIn(source);
  // By Unicode's rules, k and s regardless of case also match two characters beyond ASCII, which the literals would
  // miss.
  const isPlain = anyCase && needed !== undefined && /^[\0-\x7f]*$/.test(source);
  const regexp = compile(source, anyCase ? "im" : "m", !isPlain);
  return { regexp, anyCase, ...(needed === undefined || (anyCase && !isPlain) ? {} : { needed }) };
}

function compile(source: string, flags: string, isUnicode: boolean): RegExp {
  try {
    if (isUnicode) return new RegExp(withAllLetters(source), `${flags}u`);
  } catch {
    // Retried without Unicode rules, which forbid unnecessary escapes.
  }
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new DexError("bad_pattern", `"${source}" is not a regular expression: ${errorMessage(error)}.`, {
      hint: "dex uses JavaScript's syntax. Leave --regex out to search for words.",
    });
  }
}

const LETTER = String.raw`\p{L}\p{M}\p{N}_`;
const BEFORE = `(?<=[${LETTER}])`;
const NOT_BEFORE = `(?<![${LETTER}])`;
const AFTER = `(?=[${LETTER}])`;
const NOT_AFTER = `(?![${LETTER}])`;
const ESCAPES: Readonly<Record<string, string>> = {
  w: `[${LETTER}]`,
  W: `[^${LETTER}]`,
  b: `(?:${BEFORE}${NOT_AFTER}|${NOT_BEFORE}${AFTER})`,
  B: `(?:${BEFORE}${AFTER}|${NOT_BEFORE}${NOT_AFTER})`,
};

/** Makes `\w` and `\b` work for all letters (`\bключ\w*`); in JavaScript they know only ASCII ones. */
function withAllLetters(source: string): string {
  let inClass = false;
  return source.replace(/\\(.)|[[\]]/gs, (found, escaped: string | undefined) => {
    if (escaped === undefined) inClass = found === "[";
    else if (inClass) return escaped === "w" ? LETTER : found;
    else return ESCAPES[escaped] ?? found;
    return found;
  });
}

/** For each branch of the pattern: literals that its matches contain; undefined if one branch has none. */
export function neededIn(source: string): Needed[] | undefined {
  if (CODED.test(source)) return undefined;
  const found: Needed[] = [];
  for (const branch of branchesOf(source)) {
    const needed = neededInBranch(branch);
    if (!needed) return undefined;
    found.push(needed);
  }
  return found;
}

/** The alternatives at the top level, or inside a group that is the whole pattern. */
function branchesOf(source: string): string[] {
  const group = /^\((?:\?:)?(?!\?)/.exec(source);
  if (group && closing(source, 0) === source.length - 1) return branchesOf(source.slice(group[0].length, -1));
  const branches: string[] = [];
  let start = 0;
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at];
    if (character === "\\") at += 1;
    else if (character === "[" || character === "(") at = closing(source, at);
    else if (character === "|") {
      branches.push(source.slice(start, at));
      start = at + 1;
    }
  }
  return [...branches, source.slice(start)];
}

/** The runs of characters at the top level that every match must contain, and their words. */
function neededInBranch(source: string): Needed | undefined {
  const runs: string[] = [];
  let run = "";
  const end = (): void => {
    runs.push(run);
    run = "";
  };
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at] as string;
    if (character === "[" || character === "(") {
      end();
      at = closing(source, at);
    } else if (character === "\\") {
      at += 1;
      const next = source[at] ?? "";
      if (/[A-Za-z0-9]/.test(next)) end();
      else run += next;
    } else if (character === "*" || character === "?" || (character === "{" && !/^\{[1-9]/.test(source.slice(at)))) {
      run = run.slice(0, -1);
      end();
      if (character === "{") at = Math.max(at, source.indexOf("}", at));
    } else if (character === "+" || character === "{") {
      end();
      if (character === "{") at = Math.max(at, source.indexOf("}", at));
    } else if (/[.^$]/.test(character)) {
      end();
    } else {
      run += character;
    }
  }
  end();
  const words = runs.flatMap((each) => [...each.matchAll(WHOLE_WORD(each))].map(([word]) => word));
  // The archive is JSON, so only characters without an escape in JSON can be found.
  const plain = runs.flatMap((each) => each.split(/[^ !#-[\]-~]/)).filter((each) => each.length >= MIN_LITERAL_CHARS);
  return plain.length === 0 ? undefined : { literals: [...new Set(plain)], words };
}

/** The end of the group or class that starts here. */
function closing(source: string, start: number): number {
  let depth = 0;
  let inClass = false;
  for (let at = start; at < source.length; at += 1) {
    const character = source[at];
    if (character === "\\") at += 1;
    else if (inClass) inClass = character !== "]";
    else if (character === "[") inClass = true;
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    if (depth === 0 && !inClass) return at;
  }
  return source.length;
}
