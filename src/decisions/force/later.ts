/**
 * Later words against a decision: a commit, a decision or a conversation that gives up what the decision chose, that
 * takes what it gave up, or that reverts its commit.
 */

import type { HistoryReader } from "../../store/history.ts";
import type { CommitInfo } from "../../store/history_records.ts";
import type { Decision } from "../decision.ts";
import { sentencesOf } from "../wording/sentences.ts";
import { isSpecific, sameTerm, type Turn, termOf, turnOf } from "./turns.ts";

/** A turn in the history of a project. */
export interface LaterTurn extends Turn {
  time: number;
  /** The decision, or the commit, that states it. */
  by: string;
  files(): readonly string[];
}

const MAX_COMMITS = 100_000;
const MAX_BODY_CHARS = 4000;
/** Only a commit that is about one thing shows that two turns share a file. */
const MAX_FILES = 60;
/** Most bodies have none of these, and need not be split into sentences. */
const TURNS = /\b(?:replac|remov|drop|delet|switch|migrat|instead of|rather than|in favou?r of|back to)/i;
const REVERT = /^revert[:\s]+["“'](.+)["”'](?:\s+\(#\d+\))?$/i;

export interface LaterCommits {
  turns: LaterTurn[];
  /** Commits that a later one reverts by repeating its subject. */
  reverted: ReadonlySet<string>;
}

/** Reads all commits once, so it runs when a project is refreshed, never while an agent waits. */
export function laterCommits(history: HistoryReader): LaterCommits {
  const turns: LaterTurn[] = [];
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
      turns.push(...turnsOf(commit, subject, history));
    }
  }
  const reverted = new Set(revertedSubjects.flatMap((subject) => bySubject.get(subject) ?? []));
  return { turns, reverted };
}

function turnsOf(commit: CommitInfo, subject: string, history: HistoryReader): LaterTurn[] {
  let files: readonly string[] | undefined;
  const readFiles = (): readonly string[] => {
    files ??=
      commit.file_count <= MAX_FILES ? history.filesOf(commit.no).map(({ path }) => history.nameToday(path)) : [];
    return files;
  };
  const body = commit.body.slice(0, MAX_BODY_CHARS);
  return [subject, ...(TURNS.test(body) ? sentencesOf(body) : [])].flatMap((sentence) => {
    const turn = turnOf(sentence);
    return turn ? [{ ...turn, time: commit.time, by: commit.sha.slice(0, 12), files: readFiles }] : [];
  });
}

/** `feat(store): use WAL (#12)` is `use WAL`. */
function plainSubject(subject: string): string {
  return subject
    .replace(/^[a-z]+(?:\([^)]*\))?!?:\s+/i, "")
    .replace(/(?:\s+\(#\d+\))+$/, "")
    .trim();
}

/** The turn of a decision, as words against older ones. */
export function turnOfDecision(decision: Decision): LaterTurn[] {
  const { id, text, time, files } = decision;
  const turn = turnOf(text);
  return turn ? [{ ...turn, time, by: id, files: () => files }] : [];
}

/**
 * The first later turn against a decision. A specific term is enough if the later turn gives it up; a common word needs
 * a shared file, and so does a later turn that only takes what the decision gave up, unless it says "back to".
 */
export function turnAgainst(decision: Decision, later: readonly LaterTurn[]): LaterTurn | undefined {
  const own = turnOf(decision.text);
  const rejected = [own?.drops ?? "", ...decision.alternatives.map(termOf)].filter((each) => each !== "");
  return later.find((turn) => {
    if (turn.time <= decision.time) return false;
    const takesRejected = rejected.includes(turn.takes ?? "");
    if (turn.isBack && takesRejected) return true;
    if (!own?.takes) return turn.drops !== undefined && takesRejected;
    const share = (): boolean => turn.files().some((file) => decision.files.includes(file));
    if (sameTerm(turn.takes, own.takes)) return false;
    if (sameTerm(turn.drops, own.takes)) {
      if (sameTerm(turn.takes, own.drops)) return true;
      return own.takes !== undefined && turn.drops === own.takes && isSpecific(own.takes) ? true : share();
    }
    return sameTerm(turn.takes, own.drops) && turn.drops !== undefined && share();
  });
}
