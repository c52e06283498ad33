/** A regular expression typed by a caller, and the literal text that every match contains. */
import { DexError, errorMessage } from "../../kernel/errors.ts";

const MAX_PATTERN_CHARS = 1000;
const MIN_LITERAL_CHARS = 3;
/** These would have to be decoded: such a pattern is searched without a literal. */
const CODED = /\\[xucpPk]/;

export interface Pattern {
  regexp: RegExp;
  /** ASCII text that every match contains; undefined if there is none. */
  literal?: string;
  /** Whole words inside that text: the index knows which messages have them. */
  words: string[];
}

/** `(?i)` at the start ignores case; `^` and `$` match at every line. */
export function parsePattern(typed: string): Pattern {
  if (typed.length > MAX_PATTERN_CHARS) {
    throw new DexError("bad_pattern", `The regular expression is longer than ${MAX_PATTERN_CHARS} characters.`, {
      hint: "Shorten it.",
    });
  }
  const anyCase = typed.startsWith("(?i)");
  const source = anyCase ? typed.slice(4) : typed;
  if (source === "") throw new DexError("empty_query", "The regular expression is empty.", { hint: "Type one." });
  const regexp = compile(source, anyCase ? "im" : "m");
  const literal = anyCase ? undefined : requiredLiteral(source);
  const words = literal === undefined ? [] : [...literal.matchAll(/(?<=[^A-Za-z0-9])[A-Za-z0-9]+(?=[^A-Za-z0-9])/g)];
  return { regexp, ...(literal === undefined ? {} : { literal }), words: words.map(([word]) => word) };
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // Without Unicode rules an escape that is not needed is allowed.
  }
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new DexError("bad_pattern", `"${source}" is not a regular expression: ${errorMessage(error)}.`, {
      hint: "dex uses JavaScript's syntax. Leave --regex out to search for words.",
    });
  }
}

/** The longest run of characters at the top level that every match must contain. */
export function requiredLiteral(source: string): string | undefined {
  if (CODED.test(source)) return undefined;
  const runs: string[] = [];
  let run = "";
  const end = (): void => {
    runs.push(run);
    run = "";
  };
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at] as string;
    if (character === "|") return undefined;
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
  // The archive is JSON: only characters that are not escaped there can be looked for.
  const plain = runs.flatMap((each) => each.split(/[^ !#-[\]-~]/));
  const longest = plain.reduce((best, each) => (each.length > best.length ? each : best), "");
  return longest.length < MIN_LITERAL_CHARS ? undefined : longest;
}

/** Where the group or class that begins here ends. */
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
