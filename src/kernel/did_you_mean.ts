/** Errors for unknown names: they suggest the nearest known name, or list the names. */
import { DexError } from "./errors.ts";
import { nearest } from "./text.ts";

/** Names of one meaning, the most specific first: other programs call the same thing differently. Words are joined by `-`. */
const SAME_MEANING: readonly (readonly string[])[] = [
  ["limit", "n", "num", "count", "top", "max", "max-count"],
  ["from", "since"],
  ["to", "until"],
  ["source", "agent", "a"],
  ["project", "repository", "repo", "folder", "dir", "C"],
  ["max-tokens", "tokens", "target", "budget"],
  ["output", "out"],
  ["query", "q", "text", "search", "question"],
  ["target", "place", "file", "path", "current-file", "filename"],
];

/** The known name with the meaning of the unknown one. */
export function sameMeaning(name: string, known: readonly string[]): string | undefined {
  const meaning = SAME_MEANING.find((group) => group.includes(name)) ?? [];
  return meaning.find((each) => known.includes(each));
}

/** `Did you mean name?`, or undefined when no name is near. `show` formats the name. */
export function didYouMean(
  typed: string,
  names: Iterable<string>,
  show: (name: string) => string = (name) => name,
): string | undefined {
  const meant = nearest(typed, names);
  return meant === undefined ? undefined : `Did you mean ${show(meant)}?`;
}

/** Ends a sentence with a full stop, followed by that question if a name is near. */
export function endedWithQuestion(
  sentence: string,
  typed: string,
  names: Iterable<string>,
  show?: (name: string) => string,
): string {
  const question = didYouMean(typed, names, show);
  return question === undefined ? `${sentence}.` : `${sentence}; d${question.slice(1)}`;
}

interface UnknownName {
  code: string;
  /** Names the unknown name. */
  sentence: string;
  typed: string;
  names: Iterable<string>;
  /** Lists the known names, or where to find them; used when no known name is near. */
  hint: string;
  /** Adds the hint even when a near name is suggested. */
  alwaysHint?: boolean;
  show?: (name: string) => string;
  exitCode?: 1 | 2;
}

export function unknownName({
  code,
  sentence,
  typed,
  names,
  hint,
  alwaysHint = false,
  show,
  exitCode,
}: UnknownName): DexError {
  const question = didYouMean(typed, names, show);
  const next = question === undefined ? hint : alwaysHint ? `${question} ${hint}` : question;
  return new DexError(code, sentence, { hint: next, ...(exitCode ? { exitCode } : {}) });
}
