/** What has to be read: the containers that changed since they were last read, each with what it may repeat. */
import { hash } from "node:crypto";
import type { Json } from "../kernel/json.ts";
import { parseJson } from "../kernel/json.ts";
import { SOURCES, sourceById } from "../sources/registry.ts";
import type { Container, Lineage, Source, SourceEnv } from "../sources/source.ts";
import type { ContainerState, IndexWriter } from "../store/ports.ts";
import { containerKey } from "../store/sqlite/reader.ts";
import type { Policy } from "./events.ts";

export interface SyncScope {
  /** Only this agent. */
  source?: string;
  excludeSources: readonly string[];
}

export interface Discovered {
  container: Container;
  /** Undefined: never read. */
  known: ContainerState | undefined;
}

export interface Planned {
  container: Container;
  state: Json | undefined;
  lineage: Lineage | undefined;
  /** The planned container that has to be recorded first, because this one repeats its records. */
  after: Planned | undefined;
}

export function discoverAll(env: SourceEnv, scope: SyncScope): Container[] {
  return wantedSources(scope).flatMap((source) => source.discover(env));
}

function wantedSources(scope: SyncScope): Source[] {
  return SOURCES.filter(({ id }) => (scope.source ?? id) === id && !scope.excludeSources.includes(id));
}

export function changedOnly(
  containers: readonly Container[],
  known: Map<string, ContainerState>,
  policy: Policy,
): Discovered[] {
  const changed: Discovered[] = [];
  for (const container of containers) {
    const before = known.get(containerKey(container.source, container.path));
    if (before?.stamp === container.stamp || before?.stamp === refusedStamp(container.stamp, policy)) continue;
    changed.push({ container, known: before });
  }
  return changed;
}

/** For a container with conversations the policy refused: it is read again when the policy changes. */
export function refusedStamp(stamp: string, policy: Policy): string {
  return `${stamp} refused by ${hash("sha1", JSON.stringify(policy), "base64").slice(0, 12)}`;
}

/** Oldest first; what a container repeats is read before it. */
export function makePlan(
  changed: readonly Discovered[],
  env: SourceEnv,
  writer: IndexWriter,
  full: boolean,
): Planned[] {
  const forks = writer.forkOrigins();
  const plan = changed
    .toSorted((a, b) => a.container.mtimeMs - b.container.mtimeMs || compare(a.container.path, b.container.path))
    .map(({ container, known }): Planned => {
      const state = full || !known?.state ? undefined : parseJson(known.state);
      const fresh = state === undefined || forks.has(container.path);
      return { container, state, lineage: fresh ? lineageOf(container, env) : undefined, after: undefined };
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
  return plan;
}

function keyOf(planned: Planned, name: string): string {
  return `${planned.container.source}\0${name}`;
}

function lineageOf(container: Container, env: SourceEnv): Lineage | undefined {
  try {
    return sourceById(container.source)?.lineage?.(container, env);
  } catch {
    return undefined;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
