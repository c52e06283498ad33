/** Sync for the rest of dex: decides from settings and the index what to read. */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { DexPaths } from "../config/paths.ts";
import { userHome } from "../config/paths.ts";
import type { Settings } from "../config/schema.ts";
import { trustedHistories } from "../config/trust.ts";
import { staticModel } from "../embedding/locate.ts";
import type { Refusal } from "../integrations/history/reading/files.ts";
import { findRoots } from "../integrations/history/roots.ts";
import type { Container, SourceEnv } from "../integrations/history/source.ts";
import { SOURCE_IDS } from "../integrations/registry.ts";
import { unknownName } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import { yieldToEventLoop } from "../kernel/event_loop.ts";
import { asArray, asString, parseJson } from "../kernel/json.ts";
import { forgottenConversations, STATE_NOTICE } from "../store/engine/state.ts";
import type { ConversationReader } from "../store/ports.ts";
import { changedOnly, discoverAll, readableOnly } from "./plan.ts";
import type { Policy } from "./reading/events.ts";
import { StoredStamps } from "./stored_paths.ts";
import type { SyncRequest } from "./sync.ts";
import { noTotals, type SyncProgress, type SyncTotals, sumLeftOut } from "./totals.ts";

export interface SyncContext {
  paths: DexPaths;
  settings: Settings;
  vars: NodeJS.ProcessEnv;
  cwd: string;
  now: () => number;
  /** Receives notices for the caller, in addition to the answer. */
  notice?: (text: string) => void;
}

export interface SyncOptions {
  /** Only this agent: `claude_code`. */
  source?: string;
  /** Only conversations of the project in this folder. */
  project?: string;
  /** Read all files again, also those that have not changed. */
  full?: boolean;
  /** Another home folder with agents' history: a backup, or from another machine. */
  home?: string;
  /** How long to wait for a sync of another process. By default half a minute. */
  waitMs?: number;
  progress?: (progress: SyncProgress) => void;
  /** Stops the sync early; everything recorded so far stays. */
  signal?: AbortSignal;
  /** Explicitly requested: its time is recorded even if there was nothing to read. */
  asked?: boolean;
}

const ROOT_SEARCH_INTERVAL_MS = 3_600_000;
/** How long a sync waits for another one, and how long each attempt blocks. */
const DEFAULT_WAIT_MS = 30_000;
const LOCK_TRY_MS = 100;
const MAX_PROJECT_ROOTS = 500;

/** Undefined when another process is syncing. */
export async function syncAll(
  context: SyncContext,
  reader: ConversationReader,
  options: SyncOptions,
): Promise<SyncTotals | undefined> {
  checkSource(options.source);
  const { settings, paths, now } = context;
  const foundRoots = options.home === undefined ? searchRoots(context, reader, options.full ?? false) : undefined;
  const env = options.home === undefined ? sourceEnv(context, reader, foundRoots) : foreignEnv(options.home);
  const policy = policyOf(context, options.project);
  const scope = { source: options.source, excludeSources: settings.sync.exclude_sources };
  const { containers, refused } = await discoverAll(env, scope);
  const unread = options.full || foundRoots ? undefined : nothingToRead(context, reader, containers, policy);
  if (unread) {
    if (options.asked && options.source === undefined && options.home === undefined) await noteSync(context);
    return {
      ...noTotals(),
      unchanged: reader.count({}),
      failed: [...refused, ...unread].map(failure),
      left_out: sumLeftOut(reader.leftOut()),
    };
  }
  const request: SyncRequest = {
    places: { ...paths, model: staticModel(settings) },
    env,
    containers,
    policy,
    threads: settings.sync.threads,
    everything: options.source === undefined,
    full: options.full ?? false,
    waitMs: Math.min(options.waitMs ?? DEFAULT_WAIT_MS, LOCK_TRY_MS),
    now,
    progress: options.progress,
    signal: options.signal,
    foundRoots,
  };
  const totals = await tryUntil(performance.now() + (options.waitMs ?? DEFAULT_WAIT_MS), request);
  return totals && { ...totals, failed: [...refused.map(failure), ...totals.failed] };
}

/** Waiting for a lock blocks the thread, so it is done in short intervals that let Ctrl-C through. */
async function tryUntil(deadline: number, request: SyncRequest): Promise<SyncTotals | undefined> {
  const { runSync } = await import("./sync.ts");
  for (;;) {
    const totals = await runSync(request);
    if (totals || request.signal?.aborted || performance.now() >= deadline) return totals;
    await sleep(LOCK_TRY_MS);
  }
}

/** Records the time of a sync that found nothing new; skipped if dex's home is not writable or busy. */
async function noteSync({ paths, settings, now }: SyncContext): Promise<void> {
  const { withWriter } = await import("./writing.ts");
  const places = { ...paths, model: staticModel(settings) };
  try {
    await withWriter({ places, waitMs: 0, now }, (writer) => writer.setValue("last_sync", String(now())));
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
  }
}

function failure({ path, reason }: Refusal): { path: string; error: string } {
  return { path, error: `it may not be read (${reason})` };
}

/**
 * Without the lock: the changed containers that may not be read, if no other one changed and no sync was interrupted;
 * undefined if there is something to do.
 */
function nothingToRead(
  context: SyncContext,
  reader: ConversationReader,
  containers: readonly Container[],
  policy: Policy,
): Refusal[] | undefined {
  if (existsSync(context.paths.running) || !existsSync(context.paths.index)) return undefined;
  const { readable, refused } = readableOnly(changedOnly(containers, reader.stamps(), policy));
  return readable.length === 0 ? refused : undefined;
}

export interface Freshness {
  /** Number of all containers. */
  files: number;
  /** Number of containers that changed since they were last read. */
  changed: number;
  /** Upper bound of their unread bytes. */
  bytes: number;
}

/** Uses only directory listings and stat calls. */
export async function checkFreshness(context: SyncContext, reader: ConversationReader): Promise<Freshness> {
  const env = sourceEnv(context, reader);
  await yieldToEventLoop();
  const { containers } = await discoverAll(env, { excludeSources: context.settings.sync.exclude_sources });
  await yieldToEventLoop();
  const stamps = reader.stamps();
  const changed = readableOnly(changedOnly(containers, stamps, policyOf(context))).readable;
  const known = new StoredStamps(stamps);
  let bytes = 0;
  for (const container of changed) {
    const readBefore = Number.parseInt(known.of(container) ?? "0", 10) || 0;
    bytes += container.bytes > readBefore ? container.bytes - readBefore : container.bytes;
  }
  return { files: containers.length, changed: changed.length, bytes };
}

/** `foundRoots`: the result of a search in this sync. */
export function sourceEnv(context: SyncContext, reader: ConversationReader, foundRoots?: string[]): SourceEnv {
  const { vars, settings, cwd, paths } = context;
  const found = foundRoots ?? storedRoots(reader);
  const projects = reader.projects(MAX_PROJECT_ROOTS).map(({ project }) => project);
  const roots = [...new Set([...settings.sources.roots, cwd, ...found, ...projects])];
  const chats = settings.chat.index ? paths.chats : undefined;
  return { home: userHome(vars), platform: process.platform, vars, roots, ...(chats ? { chats } : {}) };
}

/** For another home; the overrides of this environment do not apply there. */
function foreignEnv(home: string): SourceEnv {
  return { home, platform: process.platform, vars: {}, roots: findRoots(home) };
}

/** Agents without a central store write into project folders, so the home folder is searched, at most hourly. */
function searchRoots(context: SyncContext, reader: ConversationReader, always: boolean): string[] | undefined {
  const last = Number(reader.getValue("roots_at") ?? 0);
  return always || context.now() - last > ROOT_SEARCH_INTERVAL_MS ? findRoots(userHome(context.vars)) : undefined;
}

function storedRoots(reader: ConversationReader): string[] {
  return asArray(parseJson(reader.getValue("roots") ?? "[]")).flatMap((root) => asString(root) ?? []);
}

export function policyOf(context: SyncContext, project?: string): Policy {
  const { settings, paths } = context;
  const { tombstones, damaged } = forgottenConversations(paths.state);
  if (damaged) context.notice?.(STATE_NOTICE);
  const forgotten = tombstones.map(({ source, id }) => `${source}\0${id}`);
  const chats = settings.chat.index ? [] : [`${paths.chats}/**`];
  const exclude = [...settings.sync.exclude, ...chats];
  const trusted = trustedHistories(paths.trust);
  return { exclude, trusted, headless: settings.sync.headless, forgotten, project };
}

function checkSource(source: string | undefined): void {
  if (source === undefined || SOURCE_IDS.includes(source)) return;
  throw unknownName({
    code: "unknown_source",
    sentence: `There is no agent "${source}".`,
    typed: source,
    names: SOURCE_IDS,
    hint: `Agents: ${SOURCE_IDS.join(", ")}.`,
    alwaysHint: true,
    show: JSON.stringify,
  });
}
