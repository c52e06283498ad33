/** Syncing as the rest of dex asks for it: what to read is decided here, from settings and what is already known. */

import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { DexPaths } from "../config/paths.ts";
import { userHome } from "../config/paths.ts";
import type { Settings } from "../config/settings.ts";
import { trustedHistories } from "../config/trust.ts";
import { staticModel } from "../embedding/locate.ts";
import type { Refusal } from "../integrations/history/reading/files.ts";
import { findRoots } from "../integrations/history/roots.ts";
import type { Container, SourceEnv } from "../integrations/history/source.ts";
import { SOURCE_IDS } from "../integrations/registry.ts";
import { unknownName } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import { asArray, asString, parseJson } from "../kernel/json.ts";
import { forgottenConversations, STATE_NOTICE } from "../store/engine/state.ts";
import type { ConversationReader } from "../store/ports.ts";
import type { Policy } from "./events.ts";
import { changedOnly, discoverAll, readableOnly } from "./plan.ts";
import { StoredStamps } from "./stored_paths.ts";
import type { SyncRequest } from "./sync.ts";
import { noTotals, type SyncProgress, type SyncTotals, sumLeftOut } from "./totals.ts";

export interface SyncContext {
  paths: DexPaths;
  settings: Settings;
  vars: NodeJS.ProcessEnv;
  cwd: string;
  now: () => number;
  /** Takes a sentence for whoever asked, beside the answer. */
  notice?: (text: string) => void;
}

export interface SyncOptions {
  source?: string;
  project?: string;
  full?: boolean;
  /** Another home folder to read agents' history from: a backup, another machine's. */
  home?: string;
  waitMs?: number;
  progress?: (progress: SyncProgress) => void;
  /** Stops the sync early; what was read until then stays. */
  signal?: AbortSignal;
  /** A person asked for it: its time is kept also when there was nothing to read. */
  asked?: boolean;
}

const HOUR = 3_600_000;
/** How long a sync waits for another one, and for how long at a stretch. */
const PATIENCE_MS = 30_000;
const LOCK_TRY_MS = 100;
const KNOWN_PROJECTS = 500;

/** Undefined when another process is syncing. */
export async function syncAll(
  context: SyncContext,
  reader: ConversationReader,
  options: SyncOptions = {},
): Promise<SyncTotals | undefined> {
  checkSource(options.source);
  const { settings, paths, now } = context;
  const foundRoots = options.home === undefined ? searchRoots(context, reader, options.full ?? false) : undefined;
  const env = options.home === undefined ? sourceEnv(context, reader, foundRoots) : foreignEnv(options.home);
  const policy = policyOf(context, options.project);
  const scope = { source: options.source, excludeSources: settings.sync.exclude_sources };
  const { containers, refused } = await discoverAll(env, scope);
  if (!options.full && !foundRoots && nothingToDo(context, reader, containers, policy)) {
    if (options.asked && options.source === undefined && options.home === undefined) await noteSync(context);
    const unread = [...refused, ...readableOnly(changedOnly(containers, reader.stamps(), policy)).refused];
    return {
      ...noTotals(),
      unchanged: reader.totals().conversations,
      failed: unread.map(failure),
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
    waitMs: Math.min(options.waitMs ?? PATIENCE_MS, LOCK_TRY_MS),
    now,
    progress: options.progress,
    signal: options.signal,
    foundRoots,
  };
  const totals = await tryUntil(performance.now() + (options.waitMs ?? PATIENCE_MS), request);
  return totals && { ...totals, failed: [...refused.map(failure), ...totals.failed] };
}

/** Waiting for a lock stops everything else in this thread: it is done in short stretches, so that Ctrl-C is heard. */
async function tryUntil(deadline: number, request: SyncRequest): Promise<SyncTotals | undefined> {
  const { runSync } = await import("./sync.ts");
  for (;;) {
    const totals = await runSync(request);
    if (totals || request.signal?.aborted || performance.now() >= deadline) return totals;
    await sleep(LOCK_TRY_MS);
  }
}

/** Nothing was new, but that is known as of now. A home that cannot be written, or that is busy, is left as it is. */
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

/** Known without the lock: no container changed, and no sync was interrupted. */
function nothingToDo(
  context: SyncContext,
  reader: ConversationReader,
  containers: readonly Container[],
  policy: Policy,
): boolean {
  if (existsSync(context.paths.running) || !existsSync(context.paths.index)) return false;
  return readableOnly(changedOnly(containers, reader.stamps(), policy)).readable.length === 0;
}

export interface Freshness {
  /** All containers there are. */
  files: number;
  /** Containers that changed since they were last read. */
  changed: number;
  /** Bytes of them that have not been read, at most. */
  bytes: number;
}

/** Listings and stat calls only. */
export async function checkFreshness(context: SyncContext, reader: ConversationReader): Promise<Freshness> {
  const env = sourceEnv(context, reader);
  const { containers } = await discoverAll(env, { excludeSources: context.settings.sync.exclude_sources });
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

/** `foundRoots`: the result of a search made just now. */
export function sourceEnv(context: SyncContext, reader: ConversationReader, foundRoots?: string[]): SourceEnv {
  const { vars, settings, cwd, paths } = context;
  const found = foundRoots ?? storedRoots(reader);
  const projects = reader.projects(KNOWN_PROJECTS).map(({ project }) => project);
  const roots = [...new Set([...settings.sources.roots, cwd, ...found, ...projects])];
  const chats = settings.chat.index ? paths.chats : undefined;
  return { home: userHome(vars), platform: process.platform, vars, roots, ...(chats ? { chats } : {}) };
}

/** Another home: the overrides of this one do not apply to it. */
function foreignEnv(home: string): SourceEnv {
  return { home, platform: process.platform, vars: {}, roots: findRoots(home) };
}

/** Agents without a central store leave files in project folders: the home folder is searched, at most hourly. */
function searchRoots(context: SyncContext, reader: ConversationReader, always: boolean): string[] | undefined {
  const last = Number(reader.getValue("roots_at") ?? 0);
  return always || context.now() - last > HOUR ? findRoots(userHome(context.vars)) : undefined;
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
    sentence: `There is no source "${source}".`,
    typed: source,
    names: SOURCE_IDS,
    hint: `Sources: ${SOURCE_IDS.join(", ")}.`,
    alwaysHint: true,
    show: JSON.stringify,
  });
}
