/**
 * The cases of a project's own past as a refresh of dex finds them: by its stores of today, of which each moment sees
 * only the earlier part. They move the chances of later moments.
 */
import { basename } from "node:path";
import type { Dex } from "../../../src/dex.ts";
import type { ReplayedCase } from "../../../src/suggest/replay/cases.ts";
import { Diffs } from "../../../src/suggest/replay/diffs.ts";
import { momentsOf } from "../../../src/suggest/replay/moments.ts";
import { replayedAt } from "../../../src/suggest/replay/outcomes_at.ts";
import { memoizedHistory } from "../../../src/suggest/replay/past_view.ts";
import { history } from "../../history/cochange.ts";
import { PastProject } from "./past.ts";

export interface OwnMoment {
  set: string;
  time: number;
  sort: "commit" | "session";
  questions: ReplayedCase[][];
}

const MAX_SESSIONS = 1000;

export async function ownPast(dex: Dex, root: string, isRepository: boolean, commits: number): Promise<OwnMoment[]> {
  const all = isRepository ? (await history(root)).filter(({ parents }) => parents < 2) : [];
  const project = PastProject.open(dex, root);
  try {
    const last = all.at(-1);
    if (last) await project.advance(last.sha, all.length, last.time + 1);
    const now = Date.now();
    const { links } = project.view({ folder: root, recent: [] }, now);
    const sources = { ...project.sources(), history: memoizedHistory(project.sources().history) };
    const diffs = new Diffs(root);
    const found: OwnMoment[] = [];
    for (const moment of momentsOf(dex, { history: sources.history, links }, { commits, sessions: MAX_SESSIONS })) {
      const questions = await replayedAt(dex, sources, moment, diffs);
      found.push({ set: basename(root), time: moment.time, sort: moment.commit ? "commit" : "session", questions });
    }
    return found;
  } finally {
    project.close();
  }
}
