/**
 * Finds a later statement that contradicts a decision: a commit, a decision or a conversation that drops the adopted
 * option, adopts the dropped one, or reverts the decision's commit.
 */
import type { HistoryReader } from "../../store/history.ts";
import type { CommitInfo } from "../../store/history_records.ts";
import type { Decision } from "../decision.ts";
import { sentencesOf } from "../wording/sentences.ts";
import { type Choice, choiceIn, isSpecific, sameTerm, termOf } from "./choices.ts";

/** A choice with the time and the place where it was stated. */
export interface LaterChoice extends Choice {
  time: number;
  /** The decision, or the commit, that states it. */
  by: string;
  files(): readonly string[];
}

const MAX_COMMITS = 100_000;
const MAX_BODY_CHARS = 4000;
/** Two choices share a file only through a focused commit: one with more files is about too many things. */
const MAX_FILES = 60;
/** Most commit bodies have none of these words, so dex does not split them into sentences. */
const CHOICE_WORDS = /\b(?:replac|remov|drop|delet|switch|migrat|instead of|rather than|in favou?r of|back to)/i;
const REVERT = /^revert[:\s]+["“'](.+)["”'](?:\s+\(#\d+\))?$/i;

export interface LaterCommits {
  choices: LaterChoice[];
  /** Commits that a later one reverts by repeating its subject. */
  reverted: ReadonlySet<string>;
}

/** Reads all commits once, so it runs when a project is refreshed, never while an agent waits. */
export function laterCommits(history: HistoryReader): LaterCommits {
  const choices: LaterChoice[] = [];
  const bySubject = new Map<string, string>();
  const revertedSubjects: string[] = [];
  let count = 0;
  for (const commit of history.newer(0)) {
    count += 1;
    if (count > MAX_COMMITS) break;
    if (commit.parents > 1) continue;
    const subject = plainSubject(commit.subject);
    const reverts = REVERT.exec(commit.subject.trim())?.[1];
    if (reverts !== undefined) revertedSubjects.push(plainSubject(reverts));
    else {
      if (!bySubject.has(subject)) bySubject.set(subject, commit.sha);
      choices.push(...choicesOf(commit, subject, history));
    }
  }
  const reverted = new Set(revertedSubjects.flatMap((subject) => bySubject.get(subject) ?? []));
  return { choices, reverted };
}

function choicesOf(commit: CommitInfo, subject: string, history: HistoryReader): LaterChoice[] {
  let files: readonly string[] | undefined;
  const readFiles = (): readonly string[] => {
    files ??=
      commit.file_count <= MAX_FILES ? history.filesOf(commit.no).map(({ path }) => history.nameToday(path)) : [];
    return files;
  };
  const body = commit.body.slice(0, MAX_BODY_CHARS);
  return [subject, ...(CHOICE_WORDS.test(body) ? sentencesOf(body) : [])].flatMap((sentence) => {
    const choice = choiceIn(sentence);
    return choice ? [{ ...choice, time: commit.time, by: commit.sha.slice(0, 12), files: readFiles }] : [];
  });
}

/** `feat(store): use WAL (#12)` is `use WAL`. */
function plainSubject(subject: string): string {
  return subject
    .replace(/^[a-z]+(?:\([^)]*\))?!?:\s+/i, "")
    .replace(/(?:\s+\(#\d+\))+$/, "")
    .trim();
}

/** The choice that a decision states, in the form in which it may contradict older decisions. */
export function choicesOfDecision(decision: Decision): LaterChoice[] {
  const { id, text, time, files } = decision;
  const choice = choiceIn(text);
  return choice ? [{ ...choice, time, by: id, files: () => files }] : [];
}

/**
 * The first later choice that contradicts a decision. A specific term is enough if the later choice drops it. A common
 * word also needs a file in common, and so does a later choice that only adopts the dropped option, unless it says
 * "back to".
 */
export function laterChoiceAgainst(decision: Decision, later: readonly LaterChoice[]): LaterChoice | undefined {
  const own = choiceIn(decision.text);
  const rejected = [own?.drops ?? "", ...decision.alternatives.map(termOf)].filter((each) => each !== "");
  return later.find((choice) => {
    if (choice.time <= decision.time) return false;
    const adoptsRejected = rejected.includes(choice.adopts ?? "");
    if (choice.goesBack && adoptsRejected) return true;
    if (!own?.adopts) return choice.drops !== undefined && adoptsRejected;
    const share = (): boolean => choice.files().some((file) => decision.files.includes(file));
    if (sameTerm(choice.adopts, own.adopts)) return false;
    if (sameTerm(choice.drops, own.adopts)) {
      if (sameTerm(choice.adopts, own.drops)) return true;
      return own.adopts !== undefined && choice.drops === own.adopts && isSpecific(own.adopts) ? true : share();
    }
    return sameTerm(choice.adopts, own.drops) && choice.drops !== undefined && share();
  });
}
