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
  /** Says what there is, or where to look. */
  list: string;
  /** The list is given also where a near name is asked for. */
  alwaysList?: boolean;
  show?: (name: string) => string;
  exitCode?: 1 | 2;
}

export function unknownName(of: UnknownName): DexError {
  const { code, sentence, typed, names, list, alwaysList = false, show, exitCode } = of;
  const question = didYouMean(typed, names, show);
  const hint = question === undefined ? list : alwaysList ? `${question} ${list}` : question;
  return new DexError(code, sentence, { hint, ...(exitCode ? { exitCode } : {}) });
}
