/** Plans a sync: the containers that changed since they were last read, in an order that respects forks. */
import { accessSync, constants } from "node:fs";
import { noteRefusals, type Refusal, refusalOf } from "../integrations/history/reading/files.ts";
import type { Container, Lineage, Source, SourceEnv } from "../integrations/history/source.ts";
import { loadSources, SOURCE_IDS } from "../integrations/registry.ts";
import { yieldToEventLoop } from "../kernel/event_loop.ts";
import type { Json } from "../kernel/json.ts";
import { parseJson } from "../kernel/json.ts";
import { compareText } from "../kernel/text.ts";
import type { IndexWriter } from "../store/index_writer.ts";
import type { Policy } from "./reading/events.ts";
import { StoredStamps } from "./stored_paths.ts";

/** After this time, a discovery yields to the rest of the program. */
const MAX_SILENT_MS = 2;

export interface SyncScope {
  /** Only this agent. */
  source?: string;
  excludeSources: readonly string[];
}

export interface Planned {
  container: Container;
  state: Json | undefined;
  lineage: Lineage | undefined;
  /** The container that must be recorded first, because this one repeats its records. */
  after: Planned | undefined;
}

/** All containers, and the folders that dex may not read. */
export async function discoverAll(
  env: SourceEnv,
  scope: SyncScope,
): Promise<{ containers: Container[]; refused: Refusal[] }> {
  const sources = await loadSources(wantedSources(scope), env);
  const containers: Container[][] = [];
  const refused = new Map<string, Refusal>();
  let since = performance.now();
  for (const source of sources) {
    const found = noteRefusals(() => source.discover(env));
    containers.push(found.result);
    for (const each of found.refused) refused.set(each.path, each);
    if (performance.now() - since < MAX_SILENT_MS) continue;
    // Meanwhile, a server that dex is connecting to waits for dex's answers.
    await yieldToEventLoop();
    since = performance.now();
  }
  return { containers: containers.flat(), refused: [...refused.values()] };
}

/** Separates readable from unreadable containers. */
export function readableOnly(containers: readonly Container[]): { readable: Container[]; refused: Refusal[] } {
  const readable: Container[] = [];
  const refused: Refusal[] = [];
  for (const container of containers) {
    try {
      accessSync(container.path, constants.R_OK);
      readable.push(container);
    } catch (error) {
      const refusal = refusalOf(container.path, error);
      if (refusal) refused.push(refusal);
      // Deleted meanwhile, or another error: reading it will show.
      else readable.push(container);
    }
  }
  return { readable, refused };
}

function wantedSources(scope: SyncScope): string[] {
  return SOURCE_IDS.filter((id) => (scope.source ?? id) === id && !scope.excludeSources.includes(id));
}

export function changedOnly(
  containers: readonly Container[],
  stamps: ReadonlyMap<string, string>,
  policy: Policy,
): Container[] {
  const known = new StoredStamps(stamps);
  return containers.filter((container) => {
    const stamp = known.of(container);
    if (stamp === undefined || stamp === container.stamp) return stamp === undefined;
    return !stamp.includes(REFUSED) || stamp !== refusedStamp(container.stamp, policy);
  });
}

/**
 * The stamp of a container with conversations that the policy refused: it is read again from the start when the policy
 * changes. A checksum is enough for that.
 */
export function refusedStamp(stamp: string, policy: Policy): string {
  const text = JSON.stringify(policy);
  return `${stamp}${REFUSED}${text.length.toString(36)}-${crc32(Buffer.from(text)).toString(36)}`;
}

/** For a few hundred bytes; loading Node's faster one would slow down every command. */
export function crc32(bytes: Uint8Array): number {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

const REFUSED = " refused by ";

function refusedByAnother(stamp: string | undefined, policy: Policy): boolean {
  return stamp?.includes(REFUSED) === true && !stamp.endsWith(refusedStamp("", policy));
}

/**
 * Newest first, so a first sync makes yesterday's work searchable within seconds. A container that repeats records of
 * another one comes after it: a family of copies is read from its oldest member, as far as the newest needs it.
 */
export async function makePlan(
  changed: readonly Container[],
  env: SourceEnv,
  writer: IndexWriter,
  policy: Policy,
  full: boolean,
): Promise<Planned[]> {
  const sources = new Map((await loadSources(changed.map(({ source }) => source))).map((each) => [each.id, each]));
  const known = new StoredStamps(writer.stamps());
  const forks = writer.forkOrigins();
  const plan = changed
    .toSorted((a, b) => a.mtimeMs - b.mtimeMs || compareText(a.path, b.path))
    .map((container): Planned => {
      const fromStart = full || refusedByAnother(known.of(container), policy);
      const path = known.path(container);
      const saved = fromStart ? null : writer.containerState(container.source, path);
      const state = saved === null ? undefined : parseJson(saved);
      const fresh = state === undefined || forks.has(path);
      const lineage = fresh ? lineageOf(sources.get(container.source), container, env) : undefined;
      return { container, state, lineage, after: undefined };
    });
  const byId = new Map(plan.flatMap((each) => (each.lineage ? [[keyOf(each, each.lineage.id), each] as const] : [])));
  const families = new Map<string, Planned>();
  for (const planned of plan) {
    const { family, forkOf } = planned.lineage ?? {};
    const older = family === undefined ? undefined : families.get(keyOf(planned, family));
    const parent = forkOf === undefined ? undefined : byId.get(keyOf(planned, forkOf));
    planned.after = older ?? (parent === planned ? undefined : parent);
    if (family !== undefined) families.set(keyOf(planned, family), planned);
  }
  return newestFirst(plan);
}

/** Reverses the order, with each container after those it depends on. */
function newestFirst(oldestFirst: readonly Planned[]): Planned[] {
  const order = new Set<Planned>();
  for (const planned of oldestFirst.toReversed()) {
    const chain: Planned[] = [];
    // Two containers that claim to repeat each other end the walk; the older one goes first.
    for (let at: Planned | undefined = planned; at && !order.has(at) && !chain.includes(at); at = at.after) {
      chain.push(at);
    }
    for (const each of chain.toReversed()) order.add(each);
  }
  return [...order];
}

function keyOf(planned: Planned, name: string): string {
  return `${planned.container.source}\0${name}`;
}

function lineageOf(source: Source | undefined, container: Container, env: SourceEnv): Lineage | undefined {
  try {
    return source?.lineage?.(container, env);
  } catch {
    return undefined;
  }
}
