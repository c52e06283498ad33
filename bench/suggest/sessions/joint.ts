/**
 * Replays the first prompts of real sessions whose repository is known, too, as a hook sees them: with the sessions that
 * had ended, the commits before, and the code graph of an earlier commit. Sessions that edited nothing are asked as well:
 * whatever is pushed to them is wrong.
 */
import { listedChanges } from "../../../src/project/changes.ts";
import { promptEvidence } from "../../../src/suggest/files/prompt/prompt_files.ts";
import { hasContent } from "../../../src/suggest/prompt_content.ts";
import { history } from "../../history/cochange.ts";
import type { QualityHome } from "../../quality/home.ts";
import { GraphThen, isSmall, Past } from "../replay.ts";
import { type Asked, type History, promptCandidates } from "../rows.ts";
import { promptOf, type Session, searchBefore, WARM } from "./list.ts";

/** Commits between two states of the code graph. */
const STEP = 10;

export async function playJoint(
  home: QualityHome,
  { name, folder }: History,
  sessions: readonly Session[],
): Promise<Asked[]> {
  const commits = (await history(folder)).filter(({ parents }) => parents < 2);
  const past = new Past();
  const graph = await GraphThen.open(folder);
  const asked: Asked[] = [];
  let known = 0;
  try {
    for (const { row, edited } of sessions) {
      const before = sessions.filter((other) => other.row.updated < row.created);
      for (let next = commits[known]; next && next.time < row.created; next = commits[known]) {
        past.add(next, isSmall(next));
        known += 1;
      }
      const last = commits[known - 1];
      const prompt = promptOf(home, row);
      if (!last || before.length < WARM || row.parent !== null || !hasContent(prompt)) continue;
      await graph.advance(last.sha, known - 1, STEP);
      const near = await nearTo(home, prompt, before);
      const earlier = before.map((each) => ({ time: each.row.updated, files: each.edited }));
      const conversations = listedChanges(earlier.sort((a, b) => b.time - a.time));
      const exists = (path: string): boolean => past.exists(path);
      const sources = { code: graph.reader, commits: past.view(), conversations, near, exists };
      const wanted = new Set(edited);
      const evidence = promptEvidence({ prompt, ...sources }).filter(({ path }) => exists(path));
      const candidates = promptCandidates(evidence, wanted);
      const gold = edited.filter(exists).length;
      asked.push({ set: name, unit: row.no, first: true, siblings: 1, gold, candidates });
    }
  } finally {
    graph.close();
  }
  return asked;
}

async function nearTo(home: QualityHome, prompt: string, before: readonly Session[]) {
  const filesOf = new Map(before.map(({ row, edited }) => [row.no, edited]));
  const found = await searchBefore(home, prompt, before);
  return found
    .map(({ no, score }) => ({ score, files: filesOf.get(no) ?? [] }))
    .filter(({ files }) => files.length > 0);
}
