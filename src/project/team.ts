/** Which conversations of this machine may go to the team, and the push of those that may. */
import { join } from "node:path";
import { userHome } from "../config/paths.ts";
import type { Dex } from "../dex.ts";
import { remotesOf } from "../history/copies/names.ts";
import { findRepository } from "../history/repository.ts";
import { errorMessage } from "../kernel/errors.ts";
import { ensureFolder } from "../kernel/files/atomic_write.ts";
import { matchesGlob } from "../kernel/files/glob.ts";
import { isBelow } from "../kernel/files/paths.ts";
import { acquireLock } from "../kernel/lock.ts";
import { REDACTION_RULES } from "../redact/rules_hash.ts";
import { openIndex } from "../store/engine/index.ts";
import { openState } from "../store/engine/state.ts";
import type { ConversationRow } from "../store/ports.ts";
import { isUnreachable } from "../store/postgres/failure.ts";
import { guessRoot } from "../store/shared/placing.ts";
import type { Share, TeamNotes } from "../store/state/team.ts";
import { openTeam, type Session } from "../team/access.ts";
import type { GateRules } from "../team/cleaning.ts";
import { clearSilence } from "../team/finding/silence.ts";
import { rulesHash } from "../team/gate.ts";
import { forgetPushedNotes, hasPendingNotes, pushNotes } from "../team/notes.ts";
import { pending, push } from "../team/push.ts";
import type { Candidate, PushReport } from "../team/sending.ts";
import { VERSION } from "../version.ts";
import { type IndexState, indexPushed } from "./team_index.ts";

/** More than a home has. */
const MAX_CONVERSATIONS = 1_000_000;

export interface PushCandidate {
  candidate: Candidate;
  row: ConversationRow;
  share: Share;
}

export interface Selection {
  /** Of shared projects, whether or not their time of review is over. */
  leaving: PushCandidate[];
  objected: number;
  excluded: number;
  headless: number;
}

/** Conversations of shared projects, without those that must stay: excluded, of programs, or held back by a person. */
export function selectConversations(dex: Dex, notes: TeamNotes): Selection {
  const shares = notes.shares();
  const selection: Selection = { leaving: [], objected: 0, excluded: 0, headless: 0 };
  if (shares.length === 0) return selection;
  const objections = new Set(notes.objections().map(({ source, id }) => `${source}\0${id}`));
  const exclude = [...dex.settings.sync.exclude, ...dex.settings.team.exclude];
  const shareOf = shareFinder(shares);
  // The index of this machine alone, also where a team's conversations are searched with it.
  const { store } = openIndex(dex.paths.index);
  try {
    const archived = new Map(store.archivedConversations().map((each) => [each.no, each]));
    for (const row of store.list({}, MAX_CONVERSATIONS, 0)) {
      const { project } = row;
      const share = project === null ? undefined : shareOf(project);
      if (project === null || !share) continue;
      const { origin = null, headless } = archived.get(row.no) ?? {};
      const paths = [project, origin].filter((path) => path !== null);
      if (headless) selection.headless += 1;
      else if (exclude.some((glob) => paths.some((path) => matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`))))
        selection.excluded += 1;
      else if (objections.has(`${row.source}\0${row.id}`)) selection.objected += 1;
      else {
        const { source, id, archive: path, archive_bytes: bytes } = row;
        const root = (): string | undefined => unguessedRoot(project, share);
        selection.leaving.push({ candidate: { source, id, scope: share.scope, root, path, bytes }, row, share });
      }
    }
  } finally {
    store.close();
  }
  return selection;
}

/** By folder first; any other clone of the same remote is the same project. */
function shareFinder(shares: readonly Share[]): (project: string) => Share | undefined {
  const byScope = new Map(shares.map((share) => [share.scope, share]));
  const known = new Map<string, Share | undefined>();
  const find = (project: string): Share | undefined => {
    const around = shares.filter(({ root }) => isBelow(root, project));
    const nearest = around.sort((a, b) => b.root.length - a.root.length)[0];
    if (nearest) return nearest;
    const repository = findRepository(project);
    return repository && remotesOf(repository).flatMap((remote) => byScope.get(remote) ?? [])[0];
  };
  return (project) => {
    if (!known.has(project)) known.set(project, find(project));
    return known.get(project);
  };
}

/**
 * The root of the project that the folder is in, where its path does not show it: a clone or a worktree has a root of its
 * own. A folder that is gone counts from the shared root.
 */
function unguessedRoot(project: string, { scope, root: shared }: Share): string | undefined {
  const repository = findRepository(project);
  const own = repository && remotesOf(repository).includes(scope) ? [repository.root] : [];
  const root = [...own, shared].find((each) => isBelow(each, project));
  return root === guessRoot(project, scope) ? undefined : root;
}

/** The rules of the gate: today's, with the patterns of the team. */
export function gateRules(dex: Dex, patterns: readonly string[]): GateRules {
  return { homes: [userHome(dex.vars)], patterns, redaction: REDACTION_RULES };
}

export interface TeamPush extends PushReport {
  /** Conversations whose time of review is not over. */
  waiting: number;
  forgotten: number;
  /** Decisions and notes that are new on the server, changed or removed. */
  notes: number;
  index: IndexState;
}

interface PushOptions {
  /** Nobody waits for it: another process that pushes already is enough. */
  background?: boolean;
  /** Until everything that was pushed is indexed. */
  wait?: boolean;
  signal?: AbortSignal | undefined;
  progress?: ((done: number, total: number) => void) | undefined;
}

const LOCK_WAIT_MS = 30_000;

/** Undefined: another process is pushing. */
export async function pushToTeam(dex: Dex, options: PushOptions = {}): Promise<TeamPush | undefined> {
  ensureFolder(dex.paths.team);
  const lock = acquireLock(join(dex.paths.team, "push.lock"), options.background ? 0 : LOCK_WAIT_MS);
  if (!lock) return undefined;
  let isLocked = true;
  const unlock = (): void => {
    if (isLocked) lock.release();
    isLocked = false;
  };
  try {
    const session = await openTeam(dex.paths.team);
    clearSilence(dex.paths.team);
    try {
      const report = await pushWith(dex, session, options);
      // Indexing takes longer than pushing, and must not keep another push waiting.
      unlock();
      const { hello } = session;
      if (!hello.unindexed && report.conversations + report.forgotten === 0) return { ...report, index: "current" };
      const index = await indexPushed(dex, session, options.background === true || options.wait === true);
      return { ...report, index };
    } finally {
      await session.link.close();
    }
  } finally {
    unlock();
  }
}

async function pushWith(dex: Dex, { link, hello }: Session, options: PushOptions): Promise<Omit<TeamPush, "index">> {
  const state = openState(dex.paths.state);
  try {
    const notes = state.team;
    const forgotten = await sendForgets(link, notes);
    const { leaving } = selectConversations(dex, notes);
    const now = dex.now();
    const ready = leaving.filter(({ share }) => share.opens <= now);
    const rules = gateRules(dex, hello.settings.patterns ?? []);
    const patterns = JSON.stringify(rules.patterns);
    // A write waits for the disk, and a push with nothing new should not.
    if (notes.value("patterns") !== patterns) notes.setValue("patterns", patterns);
    const { signal, progress } = options;
    const context = { link, hello, notes, archive: dex.archive, rules, version: VERSION, signal };
    // The server was restored, and may have lost some.
    if (notes.value("epoch") !== hello.epoch) forgetPushedNotes(state);
    const report = await push(
      progress ? { ...context, progress } : context,
      ready.map(({ candidate }) => candidate),
    );
    const shares = notes.shares().filter(({ opens }) => opens <= now);
    const ids = new Set(ready.map(({ candidate }) => candidate.id));
    const noted = hello.role === "reader" ? 0 : await pushNotes(state, link, shares, (id) => ids.has(id), rules);
    return { ...report, waiting: leaving.length - ready.length, forgotten, notes: noted };
  } finally {
    state.close();
  }
}

/** Tells the server about conversations that were forgotten here. Safe to repeat. */
async function sendForgets(link: Session["link"], notes: TeamNotes): Promise<number> {
  let count = 0;
  for (const { source, id } of notes.forgets()) {
    await link.call("forget", source, id);
    notes.forgotOnServer(source, id);
    count += 1;
  }
  return count;
}

const FORGET_CONNECT_MS = 3000;

/** Tells the team at once where it can be reached. Returns a sentence where it cannot; the queue then waits. */
export async function forgetInTeam(dex: Dex): Promise<string | undefined> {
  try {
    const session = await openTeam(dex.paths.team, { connectMs: FORGET_CONNECT_MS });
    const state = openState(dex.paths.state);
    try {
      await sendForgets(session.link, state.team);
    } finally {
      state.close();
      await session.link.close();
    }
    return undefined;
  } catch (error) {
    return `The team's server will forget it at the next contact: ${errorMessage(error)}`;
  }
}

/** Whether a push would have anything to do; asks nobody else. */
function hasPending(dex: Dex): boolean {
  return dex.withState((state) => {
    const { team } = state;
    if (team.forgets().length > 0) return true;
    const now = dex.now();
    const ready = selectConversations(dex, team)
      .leaving.filter(({ share }) => share.opens <= now)
      .map(({ candidate }) => candidate);
    const rules = gateRules(dex, JSON.parse(team.value("patterns") ?? "[]") as string[]);
    if (pending(ready, team, rulesHash(VERSION, rules)).length > 0) return true;
    const shares = team.shares().filter(({ opens }) => opens <= now);
    const ids = new Set(ready.map(({ id }) => id));
    return hasPendingNotes(state, shares, (id) => ids.has(id), rules);
  });
}

/** After an update of the index, on a machine that has joined a team: pushes. Returns a sentence where it could not. */
export async function pushAfterUpdate(dex: Dex): Promise<string | undefined> {
  if (!dex.settings.team.push || !dex.hasState) return undefined;
  if (!hasPending(dex)) return undefined;
  try {
    await pushToTeam(dex, { background: true });
    return undefined;
  } catch (error) {
    if (isUnreachable(error)) return "The team's server cannot be reached; the push waits.";
    return `Nothing was pushed to the team: ${errorMessage(error)}`;
  }
}
