/**
 * Replays real sessions: each is queried with its first prompt, and with the first file it edited; only sessions of the
 * same project that ended before it began are known. The index names the files that a session edited; only files that
 * an earlier session edited, or that the prompt names, can be found, so only those are answers.
 */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { renderMessage } from "../../src/conversations/render.ts";
import { listedChanges } from "../../src/project/changes.ts";
import { loadMessages } from "../../src/search/messages.ts";
import { parseQuery } from "../../src/search/query/query.ts";
import { vectorsOf } from "../../src/search/query/vector.ts";
import type { ConversationRow } from "../../src/store/ports.ts";
import { evidenceFor } from "../../src/suggest/files/likely.ts";
import { PROMPT_FEATURE_NAMES } from "../../src/suggest/files/prompt/features.ts";
import { promptEvidence } from "../../src/suggest/files/prompt/prompt_files.ts";
import { hasContent } from "../../src/suggest/prompt_content.ts";
import { estimateTokens } from "../../src/tokens/estimate.ts";
import { openCorpus } from "../lib/corpus.ts";
import { QualityHome } from "../quality/home.ts";
import { type Asked, type Candidate, candidateOf, NO_OTHERS } from "./rows.ts";

export interface Sessions {
  /** By the first file, and each other, with conversations as the only past. */
  files: Asked[];
  /** By the first prompt; features are those of prompts. */
  prompts: Asked[];
  /** By the first prompt: past sessions, right if they edited a file that this one edits. */
  past: Asked[];
  /** The same, for the most recent sessions. */
  latest: Asked[];
  sessions: number;
}

interface Session {
  row: ConversationRow;
  edited: string[];
}

/** A project with fewer earlier sessions tells nothing. */
const WARM = 3;
const MAX_EDITED_FILES = 30;
const MAX_PROMPT_CHARS = 4000;

export async function playSessions(temp: string): Promise<Sessions> {
  const folder = join(temp, "sessions");
  const home = await QualityHome.open(folder);
  try {
    await home.sync((await openCorpus(undefined, temp, false)).home);
    return await play(home);
  } finally {
    home.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function play(home: QualityHome): Promise<Sessions> {
  const played: Sessions = { files: [], prompts: [], past: [], latest: [], sessions: 0 };
  for (const [project, sessions] of projectsOf(home)) {
    for (const session of sessions) {
      const before = sessions.filter(({ row }) => row.updated < session.row.created);
      if (before.length < WARM || session.edited.length === 0 || session.edited.length > MAX_EDITED_FILES) continue;
      played.sessions += 1;
      await playOne(home, project, session, before, played);
    }
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
  const candidates = evidence.map(({ path, features }) => ({
    path,
    right: wanted.has(path),
    tokens: estimateTokens(`${path}: the prompt names it; edited by a past conversation about the same`),
    features: Float32Array.from(PROMPT_FEATURE_NAMES, (name) => features[name]),
    others: NO_OTHERS,
  }));
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

/** Best first, ended before: the index has later ones too, and they are skipped. */
async function searchBefore(
  home: QualityHome,
  prompt: string,
  before: readonly Session[],
): Promise<{ no: number; score: number }[]> {
  const parsed = parseQuery(prompt);
  if (!parsed) return [];
  const allowed = new Set(before.map(({ row }) => row.no));
  const asked = { ...parsed, required: [], excluded: [], ...(await vectorsOf(parsed, home.dex, "hybrid")) };
  const latest = Math.max(...before.map(({ row }) => row.updated));
  const { hits } = home.dex.store.searchTexts(asked, { to: latest }, 400, 0);
  return hits
    .filter(({ no }) => allowed.has(no))
    .slice(0, 5)
    .map(({ no, score }) => ({ no, score }));
}

function promptOf(home: QualityHome, row: ConversationRow): string {
  for (const { message } of loadMessages(home.dex, row)) {
    if (message.role !== "user") continue;
    const text = renderMessage(message, "user_only")?.trim() ?? "";
    if (text !== "") return text.slice(0, MAX_PROMPT_CHARS);
  }
  return "";
}

/** Sessions by project, ordered by their start. Clones of a project on several machines are one. */
function projectsOf(home: QualityHome): Map<string, Session[]> {
  const found = new Map<string, Session[]>();
  for (const row of home.dex.store.list({}, 1_000_000, 0)) {
    const folders = (row.project ?? "").replaceAll("\\", "/").split("/").filter(Boolean);
    const folder = folders.findLast((name) => !/^(?:\.claude|worktrees|\.worktrees)$/.test(name)) ?? "";
    const name = folder.toLowerCase().replaceAll("-", "");
    const paths = home.dex.store.files(row.no).flatMap(({ path, how }) => (how === "edited" ? [path] : []));
    const edited = [...new Set(paths.flatMap((path) => inProject(path, folder)))];
    const list = found.get(name) ?? [];
    list.push({ row, edited });
    found.set(name, list);
  }
  for (const list of found.values()) list.sort((a, b) => a.row.created - b.row.created || a.row.no - b.row.no);
  return found;
}

function inProject(path: string, folder: string): string[] {
  const plain = path.replaceAll("\\", "/");
  const at = plain.indexOf(`/${folder}/`);
  if (at >= 0) return [plain.slice(at + folder.length + 2)];
  return plain.startsWith("/") || /^[A-Za-z]:/.test(plain) ? [] : [plain.replace(/^\.\//, "")];
}
