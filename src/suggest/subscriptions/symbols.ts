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
  /** For each open group: whether it contains a choice. */
  const groups: boolean[] = [];
  let closed = false;
  for (let i = 0; i < source.length; i += 1) {
    const sign = source[i];
    if (sign === "\\") {
      i += 1;
      if (/[1-9k]/.test(source[i] ?? "")) return Number.POSITIVE_INFINITY;
      closed = false;
    } else if (sign === "[") {
      i = classEnd(source, i);
      closed = false;
    } else if (sign === "(") {
      if (/^\(\?(?!:)/.test(source.slice(i, i + 3))) return Number.POSITIVE_INFINITY;
      if (source[i + 1] === "?") i += 2;
      groups.push(false);
    } else if (sign === ")") {
      closed = groups.pop() ?? false;
      if (closed && groups.length > 0) groups[groups.length - 1] = true;
    } else if (sign === "|") {
      if (groups.length > 0) {
        steps *= 2;
        groups[groups.length - 1] = true;
      }
      closed = false;
    } else {
      const repeated = repetition(source, i);
      if (!repeated) {
        closed = false;
        continue;
      }
      if (closed && repeated.most > 1) return Number.POSITIVE_INFINITY;
      steps *= repeated.choices;
      if (repeated.choices > 1 && groups.length > 0) groups[groups.length - 1] = true;
      i = repeated.end;
    }
  }
  return steps;
}

/** The index of the bracket that closes the class. */
function classEnd(source: string, begin: number): number {
  for (let i = begin + 1; i < source.length; i += 1) {
    if (source[i] === "\\") i += 1;
    else if (source[i] === "]") return i;
  }
  return source.length;
}

function repetition(source: string, at: number): { most: number; choices: number; end: number } | undefined {
  const found = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(source.slice(at, at + 24));
  if (!found) return undefined;
  const [text, least = "0", range, most = ""] = found;
  const end = at + text.length - 1;
  if (text.startsWith("?")) return { most: 1, choices: 2, end };
  if (!text.startsWith("{")) return { most: MAX_NAME_CHARS, choices: MAX_NAME_CHARS, end };
  const upper = range === undefined ? Number(least) : most === "" ? MAX_NAME_CHARS : Number(most);
  return { most: Math.max(upper, 1), choices: Math.max(1, Math.min(upper, MAX_NAME_CHARS) - Number(least) + 1), end };
}
