/**
 * Patterns of symbols: a name, with or without what it stands in, or `/regex/`. A regex comes from outside and JavaScript
 * goes back and forth in one, in the worst case for years: only those are taken whose worst case is short, told from
 * how often they leave a choice.
 */
import { DexError } from "../../kernel/errors.ts";

const LONGEST_PATTERN = 200;
/** Longer names match no regex. */
const LONGEST_NAME = 100;
/** Steps for one name, at the very worst. */
const MOST_STEPS = 2_000_000;

export type SymbolTest = (name: string, qualified: string) => boolean;

/** Throws a DexError where the pattern is none, or none that can be tried safely. */
export function symbolTest(pattern: string): SymbolTest {
  const regex = /^\/(.+)\/([iu]*)$/s.exec(pattern);
  if (!regex) {
    return (name, qualified) => name === pattern || qualified === pattern || qualified.endsWith(`.${pattern}`);
  }
  const [, source = "", flags] = regex;
  const compiled = compile(pattern, source, flags);
  if (stepsOf(source) > MOST_STEPS) throw badPattern(pattern, "could take too long to match");
  const matches = (name: string): boolean => name.length <= LONGEST_NAME && compiled.test(name);
  return (name, qualified) => matches(name) || (qualified !== name && matches(qualified));
}

function compile(pattern: string, source: string, flags: string | undefined): RegExp {
  if (source.length > LONGEST_PATTERN) throw badPattern(pattern, `is longer than ${LONGEST_PATTERN} characters`);
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
 * How many ways there are, at most, to match a name of the longest length: the product of all choices. Infinite where a
 * repeated group leaves choices itself, and for what looks back or around.
 */
function stepsOf(source: string): number {
  let steps = LONGEST_NAME;
  /** For each open group, whether it has left a choice. */
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

/** The last character of the class that begins here. */
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
  if (!text.startsWith("{")) return { most: LONGEST_NAME, choices: LONGEST_NAME, end };
  const upper = range === undefined ? Number(least) : most === "" ? LONGEST_NAME : Number(most);
  return { most: Math.max(upper, 1), choices: Math.max(1, Math.min(upper, LONGEST_NAME) - Number(least) + 1), end };
}
