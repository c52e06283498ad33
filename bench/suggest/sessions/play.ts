/**
 * Replays real sessions: each is queried with its first prompt, and with the first file it edited; only sessions of the
 * same project that ended before it began are known. The index names the files that a session edited; only files that
 * an earlier session edited, or that the prompt names, can be found, so only those are answers.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { listedChanges } from "../../../src/project/changes.ts";
import { evidenceFor } from "../../../src/suggest/files/likely.ts";
import { promptEvidence } from "../../../src/suggest/files/prompt/prompt_files.ts";
import { hasContent } from "../../../src/suggest/prompt_content.ts";
import { openCorpus } from "../../lib/corpus.ts";
import { QualityHome } from "../../quality/home.ts";
import { projectOf } from "../model.ts";
import { type Asked, type Candidate, candidateOf, type History, NO_OTHERS, promptCandidates } from "../rows.ts";
import { playJoint } from "./joint.ts";
import { projectsOf, promptOf, type Session, searchBefore, WARM } from "./list.ts";

export interface Sessions {
  /** By the first file, and each other, with conversations as the only past. */
  files: Asked[];
  /** By the first prompt; features are those of prompts. */
  prompts: Asked[];
  /** By the first prompt: past sessions, right if they edited a file that this one edits. */
  past: Asked[];
  /** The same, for the most recent sessions. */
  latest: Asked[];
  /** By the first prompt, where the repository is known, too: with past sessions, commits and a code graph. */
  joint: Asked[];
  sessions: number;
}

const MAX_EDITED_FILES = 30;

/** `histories`: repositories, some of which are the projects of sessions. */
export async function playSessions(temp: string, histories: readonly History[]): Promise<Sessions> {
  const folder = join(temp, "sessions");
  const home = await QualityHome.open(folder);
  try {
    await home.sync((await openCorpus(undefined, temp, false)).home);
    return await play(home, histories);
  } finally {
    home.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function play(home: QualityHome, histories: readonly History[]): Promise<Sessions> {
  const played: Sessions = { files: [], prompts: [], past: [], latest: [], joint: [], sessions: 0 };
  for (const [project, sessions] of projectsOf(home)) {
    for (const session of sessions) {
      const before = sessions.filter(({ row }) => row.updated < session.row.created);
      if (before.length < WARM || session.edited.length === 0 || session.edited.length > MAX_EDITED_FILES) continue;
      played.sessions += 1;
      await playOne(home, project, session, before, played);
    }
    const repository = histories.find(({ name }) => projectOf(name) === project);
    if (repository) played.joint.push(...(await playJoint(home, repository, sessions)));
  }
  return played;
}

async function playOne(
  home: QualityHome,
  set: string,
  { row, edited }: Session,
  before: readonly Session[],
  played: Sessions,
): Promise<void> {
  const earlier = before.map((each) => ({ time: each.row.updated, files: each.edited }));
  const conversations = listedChanges(earlier.sort((a, b) => b.time - a.time));
  const seen = new Set(earlier.flatMap(({ files }) => files));
  const unit = row.no;
  const known = edited.filter((path) => seen.has(path));
  for (const [at, file] of edited.entries()) {
    const gold = new Set(known.filter((path) => path !== file));
    const candidates = evidenceFor(file, { conversations }).map((each) => candidateOf(each, gold.has(each.path)));
    played.files.push({ set, unit, first: at === 0, siblings: edited.length, gold: gold.size, candidates });
  }
  const prompt = promptOf(home, row);
  if (prompt === "") return;
  const found = await searchBefore(home, prompt, before);
  const filesOf = new Map(before.map((each) => [each.row.no, each.edited]));
  const near = found.map(({ no, score }) => ({ score, files: filesOf.get(no) ?? [] }));
  const wanted = new Set(edited);
  const session = (no: number, score: number): Candidate => ({
    path: String(no),
    right: (filesOf.get(no) ?? []).some((path) => wanted.has(path)),
    tokens: 0,
    features: Float32Array.of(score),
    others: NO_OTHERS,
  });
  const gold = before.filter((each) => each.edited.some((path) => wanted.has(path))).length;
  const last = before.toSorted((a, b) => b.row.updated - a.row.updated).slice(0, 5);
  const head = { set, unit, first: true, siblings: 1, gold };
  played.past.push({ ...head, candidates: found.map(({ no, score }) => session(no, score)) });
  played.latest.push({ ...head, candidates: last.map(({ row: each }) => session(each.no, each.updated)) });
  const evidence = promptEvidence({ prompt, conversations, near });
  const sought = edited.filter((path) => seen.has(path) || evidence.some((each) => each.path === path));
  const candidates = promptCandidates(
    evidence,
    wanted,
    (path) => `${path}: the prompt names it; edited by a past conversation about the same`,
  );
  played.prompts.push({
    set,
    unit,
    first: true,
    siblings: 1,
    gold: sought.length,
    silent: !hasContent(prompt),
    candidates,
  });
}
