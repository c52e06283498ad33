/**
 * The cases of a project: what dex would have suggested at each commit and in each session, with knowledge of the past
 * only, and whether it was of use.
 */
import { basename } from "node:path";
import type { Dex } from "../../../src/dex.ts";
import type { CommitRecord } from "../../../src/store/history_records.ts";
import type { ConversationRow } from "../../../src/store/ports.ts";
import type { Evidence } from "../../../src/suggest/evidence.ts";
import type { ItemType } from "../../../src/suggest/model.ts";
import { casesOf as casesOfQuestion } from "../../../src/suggest/replay/cases.ts";
import { Diffs } from "../../../src/suggest/replay/diffs.ts";
import { commitQuestions, sessionQuestions } from "../../../src/suggest/replay/questions.ts";
import { history } from "../../history/cochange.ts";
import { isOfSymbol } from "./definitions.ts";
import { PastProject } from "./past.ts";

export interface Case {
  /** The repository or project. */
  set: string;
  /** The commit or session. */
  unit: string;
  time: number;
  asked: "file" | "prompt";
  type: ItemType | "stated decision";
  evidence: Pick<Evidence, "kind" | "strength" | "share" | "features">[];
  useful: boolean;
}

export interface CaseOptions {
  /** The number of the last commits that are asked. */
  commits: number;
}

interface Moment {
  time: number;
  commit?: CommitRecord;
  session?: ConversationRow;
}

export async function casesOf(dex: Dex, root: string, isRepository: boolean, options: CaseOptions): Promise<Case[]> {
  const commits = isRepository ? (await history(root)).filter(({ parents }) => parents < 2) : [];
  const sessions = dex.store.trail.conversationsIn([root], 10_000).filter(({ subagent }) => !subagent);
  const asked = commits.slice(-options.commits);
  const moments: Moment[] = [
    ...asked.map((commit) => ({ time: commit.time, commit })),
    ...sessions.flatMap(({ no }) => {
      const session = dex.store.byNo(no);
      return session ? [{ time: session.created, session }] : [];
    }),
  ].sort((a, b) => a.time - b.time);
  const project = PastProject.open(dex, root);
  const diffs = new Diffs(root);
  const cases: Case[] = [];
  try {
    for (const { time, commit, session } of moments) {
      const before = commits.findLastIndex((each) => each.time < time && each.sha !== commit?.sha);
      const at = commits[before];
      if (isRepository && !at) continue;
      if (at) await project.advance(at.sha, before, time);
      if (commit) await diffs.load([commit.sha]);
      const questions = [
        ...(commit ? commitQuestions(commit, root) : []),
        ...(session ? sessionQuestions(dex, session, project.repository) : []),
      ];
      const unit = commit?.sha ?? `${session?.source}:${session?.id}`;
      for (const question of questions) {
        const view = project.view({ folder: root, recent: [], ...question.about }, time);
        const asked = question.about.file === undefined ? "prompt" : "file";
        const found = (await casesOfQuestion(view, question, commit, diffs)).filter(
          ({ type, evidence }) => type !== "related_code" || isOfSymbol(evidence),
        );
        cases.push(...found.map((each) => ({ set: basename(root), unit, time, asked, ...each }) as const));
      }
    }
  } finally {
    project.close();
  }
  return cases;
}
