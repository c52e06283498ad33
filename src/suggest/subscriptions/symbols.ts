/**
 * Symbol patterns: a name, a qualified name, or `/regex/`. A regex is untrusted and JavaScript backtracks, in the worst
 * case exponentially: only a regex with a small worst case is accepted, estimated from its choices.
 */
import { DexError } from "../../kernel/errors.ts";

const MAX_PATTERN_CHARS = 200;
/** Longer names match no regex. */
const MAX_NAME_CHARS = 100;
/** Worst case for one name. */
const MAX_STEPS = 2_000_000;

export type SymbolTest = (name: string, qualified: string) => boolean;

/** Throws a DexError if the pattern is invalid or unsafe. */
export function symbolTest(pattern: string): SymbolTest {
  const regex = /^\/(.+)\/([iu]*)$/s.exec(pattern);
  if (!regex) {
    return (name, qualified) => name === pattern || qualified === pattern || qualified.endsWith(`.${pattern}`);
  }
  const [, source = "", flags] = regex;
  const compiled = compile(pattern, source, flags);
  if (stepsOf(source) > MAX_STEPS) throw badPattern(pattern, "could take too long to match");
  const matches = (name: string): boolean => name.length <= MAX_NAME_CHARS && compiled.test(name);
  return (name, qualified) => matches(name) || (qualified !== name && matches(qualified));
}

function compile(pattern: string, source: string, flags: string | undefined): RegExp {
  if (source.length > MAX_PATTERN_CHARS) throw badPattern(pattern, `is longer than ${MAX_PATTERN_CHARS} characters`);
  try {
    return new RegExp(source, flags);
  } catch {
    throw badPattern(pattern, "is not a regular expression");
  }
}

function badPattern(pattern: string, why: string): DexError {
  return new DexError("bad_pattern", `The symbol pattern ${pattern.slice(0, 80)} ${why}.`, {
    hint: "Use a plain name, or a short regex with few repetitions: /^validate\\w*Token$/.",
  });
}

/**
 * An upper bound on the ways to match a name of maximum length: the product of all choices. Infinite for a repeated
 * group with choices inside, for back-references and for lookaround.
 */
function stepsOf(source: string): number {
  let steps = MAX_NAME_CHARS;
  /** For each open group, and for the whole: whether it contains a choice. */
  const hasChoice = [false];
  const choose = (): void => {
    hasChoice[hasChoice.length - 1] = true;
  };
  /** Whether the last token closes a group with a choice. */
  let closed = false;
  for (const token of tokensOf(source)) {
    if (token === "unbounded") return Number.POSITIVE_INFINITY;
    if (typeof token === "object") {
      if (closed && token.most > 1) return Number.POSITIVE_INFINITY;
      steps *= token.choices;
      if (token.choices > 1) choose();
      continue;
    }
    closed = token === "close" && (hasChoice.pop() ?? false);
    if (token === "open") hasChoice.push(false);
    // Alternatives at the top level are tried one after the other, so they do not multiply.
    if (token === "or" && hasChoice.length > 1) steps *= 2;
    if (token === "or" || closed) choose();
  }
  return steps;
}

type Token = "atom" | "open" | "close" | "or" | "unbounded" | Repetition;

function* tokensOf(source: string): Generator<Token> {
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at];
    const repeated = repetition(source, at);
    if (repeated) {
      yield repeated;
      at = repeated.end;
    } else if (sign === "\\") {
      at += 1;
      yield /[1-9k]/.test(source[at] ?? "") ? "unbounded" : "atom";
    } else if (sign === "[") {
      yield "atom";
      at = classEnd(source, at);
    } else if (sign === "(") {
      yield /^\(\?(?!:)/.test(source.slice(at, at + 3)) ? "unbounded" : "open";
      if (source[at + 1] === "?") at += 2;
    } else yield sign === ")" ? "close" : sign === "|" ? "or" : "atom";
  }
}

/** The index of the bracket that closes the class. */
function classEnd(source: string, begin: number): number {
  for (let i = begin + 1; i < source.length; i += 1) {
    if (source[i] === "\\") i += 1;
    else if (source[i] === "]") return i;
  }
  return source.length;
}

interface Repetition {
  most: number;
  choices: number;
  /** The index of its last character. */
  end: number;
}

function repetition(source: string, at: number): Repetition | undefined {
  const found = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(source.slice(at, at + 24));
  if (!found) return undefined;
  const [text, least = "0", range, most = ""] = found;
  const end = at + text.length - 1;
  if (text.startsWith("?")) return { most: 1, choices: 2, end };
  if (!text.startsWith("{")) return { most: MAX_NAME_CHARS, choices: MAX_NAME_CHARS, end };
  const upper = range === undefined ? Number(least) : most === "" ? MAX_NAME_CHARS : Number(most);
  return { most: Math.max(upper, 1), choices: Math.max(1, Math.min(upper, MAX_NAME_CHARS) - Number(least) + 1), end };
}
