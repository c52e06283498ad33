/** The push to the team of those conversations that may leave this machine. */
import { join } from "node:path";
import { userHome } from "../../config/paths.ts";
import type { Dex } from "../../dex.ts";
import { errorMessage } from "../../kernel/errors.ts";
import { yieldToEventLoop } from "../../kernel/event_loop.ts";
import { ensureFolder } from "../../kernel/files/atomic_write.ts";
import { acquireLock } from "../../kernel/lock.ts";
import { REDACTION_RULES } from "../../redact/rules_hash.ts";
import { openState } from "../../store/engine/state.ts";
import { isUnreachable } from "../../store/postgres/failure.ts";
import type { StateStore } from "../../store/state/state.ts";
import type { TeamNotes } from "../../store/state/team.ts";
import { openTeam, type Session } from "../../team/access.ts";
import { clearSilence } from "../../team/finding/silence.ts";
import type { GateRules } from "../../team/gate/cleaning.ts";
import { forgetPushedNotes, hasNotes } from "../../team/notes.ts";
import { type Ledger, objectedIn, pending, push, readLedger, rulesHash } from "../../team/push.ts";
import type { PushReport } from "../../team/sending.ts";
import { VERSION } from "../../version.ts";
import { takeConnection } from "./connecting.ts";
import { type PushCandidate, selectConversations } from "./selection.ts";
import { type IndexState, indexPushed } from "./team_index.ts";

/** The rules of the gate: the current ones, and the patterns of the team. */
export function gateRules(dex: Dex, patterns: readonly string[]): GateRules {
  return { homes: [userHome(dex.vars)], patterns, redaction: REDACTION_RULES };
}

export interface TeamPush extends PushReport {
  /** Projects that this machine shares. */
  projects: number;
  /** Conversations whose time of review is not over. */
  waiting: number;
  /** Conversations that were removed from the server: forgotten here, or objected to. */
  forgotten: number;
  /** Decisions and notes that are new on the server, changed or removed. */
  notes: number;
  /** The role of the member is reader: the server takes nothing from them. */
  reader?: boolean;
  index: IndexState;
}

interface PushOptions {
  /** Nobody waits for the push, so one that another process is running is enough. */
  background?: boolean;
  /** Wait until everything pushed is indexed. */
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
  const connection = takeConnection(dex);
  try {
    const { session, report } = await pushed(dex, connection.session, options);
    try {
      // Indexing takes longer than pushing, and must not keep another push waiting.
      unlock();
      const { hello } = session;
      if (!hello.unindexed && report.conversations + report.forgotten === 0) return { ...report, index: "current" };
      const index = await indexPushed(dex, session, options.background === true || options.wait === true);
      return { ...report, index };
    } finally {
      await session.link.close();
    }
  } catch (error) {
    connection.cut.abort();
    throw error;
  } finally {
    unlock();
  }
}

async function pushed(
  dex: Dex,
  opening: Promise<Session>,
  options: PushOptions,
): Promise<{ session: Session; report: Omit<TeamPush, "index"> }> {
  const state = openState(dex.paths.state);
  try {
    const version = state.team.version();
    const read = await readMeanwhile(dex, state);
    const session = await opening;
    clearSilence(dex.paths.team);
    // A person may have objected to something while the server was silent.
    const here = state.team.version() === version ? read : readHere(dex, state);
    try {
      return { session, report: await pushWith(dex, state, session, here, options) };
    } catch (error) {
      await session.link.close();
      throw error;
    }
  } finally {
    state.close();
  }
}

/** The conversations of this machine that may be pushed, and the ledger of those that were. */
interface Here {
  ledger: Ledger;
  leaving: PushCandidate[];
}

/**
 * Reads in steps while the connection is opened. After each step, dex answers what the server has sent: a connection and
 * the greeting take four exchanges.
 */
async function readMeanwhile(dex: Dex, { team }: StateStore): Promise<Here> {
  await yieldToEventLoop();
  const ledger = readLedger(team);
  await yieldToEventLoop();
  const { leaving } = selectConversations(dex, team);
  return { ledger, leaving };
}

function readHere(dex: Dex, { team }: StateStore): Here {
  return { ledger: readLedger(team), leaving: selectConversations(dex, team).leaving };
}

async function pushWith(
  dex: Dex,
  state: StateStore,
  { link, hello }: Session,
  { ledger, leaving }: Here,
  options: PushOptions,
): Promise<Omit<TeamPush, "index">> {
  const notes = state.team;
  const forgotten = (await sendForgets(link, notes)) + (await withdrawObjected(link, notes, ledger));
  const now = dex.now();
  const ready = leaving.filter(({ share }) => share.opens <= now);
  const rules = gateRules(dex, hello.settings.patterns ?? []);
  const patterns = JSON.stringify(rules.patterns);
  // A write waits for the disk, and a push with nothing new should not.
  if (notes.value("patterns") !== patterns) notes.setValue("patterns", patterns);
  const { signal, progress } = options;
  const context = { link, hello, notes, archive: dex.paths.archive, rules, version: VERSION, signal };
  // The server was restored from a backup and may have lost some.
  if (notes.value("epoch") !== hello.epoch) forgetPushedNotes(state);
  const report = await push(
    progress ? { ...context, progress } : context,
    ready.map(({ candidate }) => candidate),
    ledger,
  );
  const shared = notes.shares();
  const shares = shared.filter(({ opens }) => opens <= now);
  const ids = new Set(ready.map(({ candidate }) => candidate.id));
  const done = { ...report, projects: shared.length, waiting: leaving.length - ready.length, forgotten };
  if (hello.role === "reader") return { ...done, notes: 0, reader: true };
  if (!hasNotes(state, shares)) return { ...done, notes: 0 };
  const { pushNotes } = await import("../../team/pushing_notes.ts");
  return { ...done, notes: await pushNotes(state, link, shares, (id) => ids.has(id), rules) };
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

/** Removes from the server what a person has objected to since it was pushed. Safe to repeat. */
async function withdrawObjected(link: Session["link"], notes: TeamNotes, ledger: Ledger): Promise<number> {
  const objected = objectedIn(notes, ledger);
  for (const { scope, source, id } of objected) {
    await link.call("withdraw", scope, source, id);
    notes.dropPushed(source, id);
  }
  return objected.length;
}

const FORGET_CONNECT_MS = 3000;

/** Tells the team at once if its server can be reached. Otherwise returns a sentence, and the queue waits. */
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
    return `The team's server will forget it with the next push: ${errorMessage(error)}`;
  }
}

/** Whether a push would have anything to do. Does not contact the server. */
async function hasPending(dex: Dex): Promise<boolean> {
  const { hasPendingNotes } = await import("../../team/pushing_notes.ts");
  return dex.withState((state) => {
    const { team } = state;
    if (team.forgets().length > 0) return true;
    const now = dex.now();
    const ready = selectConversations(dex, team)
      .leaving.filter(({ share }) => share.opens <= now)
      .map(({ candidate }) => candidate);
    const rules = gateRules(dex, JSON.parse(team.value("patterns") ?? "[]") as string[]);
    const ledger = readLedger(team);
    if (objectedIn(team, ledger).length > 0) return true;
    if (pending(ready, ledger, rulesHash(VERSION, rules)).length > 0) return true;
    const shares = team.shares().filter(({ opens }) => opens <= now);
    const ids = new Set(ready.map(({ id }) => id));
    return hasPendingNotes(state, shares, (id) => ids.has(id), rules);
  });
}

/** Pushes after an update of the index, on a machine that has joined a team. Returns a sentence if that failed. */
export async function pushAfterUpdate(dex: Dex): Promise<string | undefined> {
  if (!dex.settings.team.push || !dex.hasState) return undefined;
  if (!(await hasPending(dex))) return undefined;
  try {
    await pushToTeam(dex, { background: true });
    return undefined;
  } catch (error) {
    if (isUnreachable(error)) return "The team's server cannot be reached; the push waits.";
    return `Nothing was pushed to the team: ${errorMessage(error)}`;
  }
}
