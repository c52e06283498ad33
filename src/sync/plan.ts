/** What has to be read: the containers that changed since they were last read, each with what it may repeat. */
import { hash } from "node:crypto";
import type { Json } from "../kernel/json.ts";
import { parseJson } from "../kernel/json.ts";
import { compareText } from "../kernel/text.ts";
import { SOURCES, sourceById } from "../sources/registry.ts";
import type { Container, Lineage, Source, SourceEnv } from "../sources/source.ts";
import type { IndexWriter } from "../store/ports.ts";
import type { Policy } from "./events.ts";
import { StoredStamps } from "./stored_paths.ts";

export interface SyncScope {
  /** Only this agent. */
  source?: string;
  excludeSources: readonly string[];
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
  stamps: ReadonlyMap<string, string>,
  policy: Policy,
): Container[] {
  const known = new StoredStamps(stamps);
  return containers.filter((container) => {
    const stamp = known.of(container);
    return stamp === undefined || (stamp !== container.stamp && stamp !== refusedStamp(container.stamp, policy));
  });
}

/** For a container with conversations the policy refused: it is read again, and whole, when the policy changes. */
export function refusedStamp(stamp: string, policy: Policy): string {
  return `${stamp}${REFUSED}${hash("sha1", JSON.stringify(policy), "base64").slice(0, 12)}`;
}

const REFUSED = " refused by ";

function refusedByAnother(stamp: string | undefined, policy: Policy): boolean {
  return stamp?.includes(REFUSED) === true && !stamp.endsWith(refusedStamp("", policy));
}

/** Oldest first; what a container repeats is read before it. */
export function makePlan(
  changed: readonly Container[],
  env: SourceEnv,
  writer: IndexWriter,
  policy: Policy,
  full: boolean,
): Planned[] {
  const known = new StoredStamps(writer.stamps());
  const forks = writer.forkOrigins();
  const plan = changed
    .toSorted((a, b) => a.mtimeMs - b.mtimeMs || compareText(a.path, b.path))
    .map((container): Planned => {
      const anew = full || refusedByAnother(known.of(container), policy);
      const path = known.path(container);
      const saved = anew ? null : writer.containerState(container.source, path);
      const state = saved === null ? undefined : parseJson(saved);
      const fresh = state === undefined || forks.has(path);
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
