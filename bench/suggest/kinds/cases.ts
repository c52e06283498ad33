/**
 * The cases of a project: what dex would have suggested at each commit and in each session, with knowledge of the past
 * only, and whether it was of use.
 */
import { basename } from "node:path";
import { renderMessage } from "../../../src/conversations/render.ts";
import type { Dex } from "../../../src/dex.ts";
import { insidePath } from "../../../src/history/repository.ts";
import { loadMessages } from "../../../src/search/messages.ts";
import type { CommitRecord } from "../../../src/store/history.ts";
import type { ConversationRow } from "../../../src/store/ports.ts";
import type { Candidate, Evidence, ProjectView } from "../../../src/suggest/evidence.ts";
import type { Activity, ItemType } from "../../../src/suggest/model.ts";
import { hasContent } from "../../../src/suggest/prompt_content.ts";
import { recentChanges } from "../../../src/suggest/providers/changes.ts";
import { pastConversations } from "../../../src/suggest/providers/conversations.ts";
import { relatedDecisions } from "../../../src/suggest/providers/decisions.ts";
import { relatedDocuments } from "../../../src/suggest/providers/documents.ts";
import { relatedCode } from "../../../src/suggest/providers/related.ts";
import { history } from "../../history/cochange.ts";
import { diffOf, isUseful, type LaterWork } from "./outcomes.ts";
import { PastProject } from "./past.ts";
import { plainSubject } from "./plain_subject.ts";

export interface Case {
  /** The repository or project. */
  set: string;
  /** The commit or session. */
  unit: string;
  asked: "file" | "prompt";
  type: ItemType | "stated decision";
  evidence: Pick<Evidence, "kind" | "strength" | "share" | "features">[];
  useful: boolean;
}

export interface CaseOptions {
  /** The number of the last commits that are asked. */
  commits: number;
}

const NOTHING: ReadonlySet<string> = new Set();
const PROVIDERS = [recentChanges, relatedDocuments, relatedDecisions, relatedCode, pastConversations];
const MAX_COMMIT_FILES = 30;
const MAX_PROMPT_CHARS = 4000;
const SITTING_MS = 2 * 3_600_000;
/** Files of a session that are asked about. */
const MAX_OPENED = 3;

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
  const cases: Case[] = [];
  try {
    for (const moment of moments) {
      const before = commits.findLastIndex(({ time, sha }) => time < moment.time && sha !== moment.commit?.sha);
      const at = commits[before];
      if (isRepository && !at) continue;
      if (at) await project.advance(at.sha, before, moment.time);
      const ask = async (unit: string, about: Pick<Activity, "file" | "prompt" | "session">, later: LaterWork) => {
        const view = await project.view({ folder: root, recent: [], ...about }, moment.time);
        const head = { set: basename(root), unit, asked: about.file === undefined ? "prompt" : "file" } as const;
        for (const candidate of merged(PROVIDERS.flatMap((provide) => provide(view)))) {
          if (moment.commit && isSameSitting(candidate, view, moment.commit)) continue;
          const { type } = candidate;
          // Conversations of other projects have no outcome that this project shows.
          const evidence = candidate.evidence.filter(({ kind }) => kind !== "conversation_elsewhere");
          if (evidence.length === 0) continue;
          const useful = isUseful(candidate, view, later, root);
          const plain = evidence.map(({ reason: _, ...rest }) => rest);
          cases.push({ ...head, type, evidence: plain, useful });
        }
      };
      if (moment.commit) await askCommit(moment.commit, root, ask);
      if (moment.session)
        await askSession(dex, moment.session, await project.view({ folder: root, recent: [] }, moment.time), ask);
    }
  } finally {
    project.close();
  }
  return cases;
}

/** An author knows a commit of their own from the two hours before. */
function isSameSitting({ entityId }: Candidate, { history: past }: ProjectView, commit: CommitRecord): boolean {
  const [known] = entityId.startsWith("commit:") ? past.byPrefix(entityId.slice("commit:".length), 1) : [];
  return known !== undefined && known.author === commit.author && commit.time - known.time < SITTING_MS;
}

type Ask = (unit: string, about: Pick<Activity, "file" | "prompt" | "session">, later: LaterWork) => Promise<void>;

/** With its first file, and with its subject. */
async function askCommit(commit: CommitRecord, root: string, ask: Ask): Promise<void> {
  if (commit.file_count > MAX_COMMIT_FILES || commit.files.length === 0) return;
  const paths = commit.files.map(({ path, old }) => old ?? path);
  const edited = new Set(paths);
  const later = { edited, opened: new Set<string>(), about: NOTHING, diff: diffOf(root, commit.sha) };
  const [first] = paths;
  if (first !== undefined)
    await ask(commit.sha, { file: `${root}/${first}` }, { ...later, about: new Set([first]), message: commit.subject });
  const prompt = plainSubject(commit.subject);
  if (hasContent(prompt)) await ask(commit.sha, { prompt }, { ...later, message: "" });
}

/** With its first prompt, and with the first files it opened. */
async function askSession(dex: Dex, row: ConversationRow, { repository }: ProjectView, ask: Ask): Promise<void> {
  const inside = (path: string): string[] => {
    const found = insidePath(repository, path, row.project ?? repository.root);
    return found === undefined ? [] : [found];
  };
  const used = dex.store.files(row.no).filter(({ how }) => how !== "mentioned");
  const after = (first: number): Pick<LaterWork, "edited" | "opened"> => {
    const rest = used.filter((each) => each.first >= first);
    return {
      edited: new Set(rest.flatMap(({ path, how }) => (how === "edited" ? inside(path) : []))),
      opened: new Set(rest.flatMap(({ path }) => inside(path))),
    };
  };
  // Without any use of a file, nothing shows what would have helped.
  if (after(0).opened.size === 0) return;
  const unit = `${row.source}:${row.id}`;
  const prompt = promptOf(dex, row);
  const none = { about: NOTHING, message: "", diff: undefined };
  if (hasContent(prompt)) await ask(unit, { prompt, session: unit }, { ...after(0), ...none });
  const opened = used.toSorted((a, b) => a.first - b.first).slice(0, MAX_OPENED);
  for (const { path, first, how } of opened) {
    const file = inside(path);
    const later = after(first + 1);
    if (file.length === 0) continue;
    const about = new Set(how === "edited" ? file : []);
    await ask(unit, { file: path, session: unit }, { ...later, ...none, about });
  }
}

function promptOf(dex: Dex, row: ConversationRow): string {
  for (const { message } of loadMessages(dex, row)) {
    if (message.role !== "user") continue;
    const text = renderMessage(message, "user_only")?.trim() ?? "";
    if (text !== "") return text.slice(0, MAX_PROMPT_CHARS);
  }
  return "";
}

/** One case per entity, with all its evidence, as an answer has one item. */
function merged(candidates: readonly Candidate[]): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const each of candidates) {
    const known = found.get(each.entityId);
    found.set(each.entityId, known ? { ...known, evidence: [...known.evidence, ...each.evidence] } : each);
  }
  return [...found.values()];
}
