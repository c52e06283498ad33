/** The refusal of a name that is not known: it asks whether the nearest known one was meant, or says what there is. */
import { DexError } from "./errors.ts";
import { nearest } from "./text.ts";

/** `Did you mean name?`, or undefined where no name is near. `show`: how a name is written in the question. */
export function didYouMean(
  typed: string,
  names: Iterable<string>,
  show: (name: string) => string = (name) => name,
): string | undefined {
  const meant = nearest(typed, names);
  return meant === undefined ? undefined : `Did you mean ${show(meant)}?`;
}

/** A sentence that has no full stop yet, ended with the same question or with a full stop. */
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
  /** Says which name is not known. */
  sentence: string;
  typed: string;
  names: Iterable<string>;
  /** Names what there is, or where to look; given when no known name is near. */
  hint: string;
  /** Give the hint also when a near name is suggested. */
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
