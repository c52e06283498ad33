/** A project's code store as answers need it: up to date where that is quick, and shared with all who read it. */
import type { OwnedCaches } from "../kernel/owned_caches.ts";
import { plural } from "../kernel/text.ts";
import type { CodeReader } from "../store/code.ts";
import { openCodeGraphs } from "../store/open_databases.ts";
import { indexProject } from "./indexer.ts";
import { type CodeProject, openCode } from "./project.ts";

const FRESH_FOR_MS = 1000;
/** More than this is not read for an answer, where there is an older store to answer from. */
const MOST_AT_ONCE = 2000;

/** When each open store was last brought up to date, and what there was to say. */
const freshness = new WeakMap<CodeReader, { until: number; notice: string | undefined }>();

export interface OpenOptions {
  now: () => number;
  /** Answer from the store as it is. */
  stale?: boolean;
  progress?(done: number, total: number, label: string): void;
}

/** The store stays its owner's: do not close it. */
export async function openFresh(
  caches: OwnedCaches,
  project: CodeProject,
  options: OpenOptions,
): Promise<{ store: CodeReader; notice: string | undefined }> {
  const graphs = caches.of(openCodeGraphs);
  const open = (): CodeReader => graphs.get(project.path, () => openCode(project).store);
  const known = graphs.peek(project.path);
  const last = known && freshness.get(known);
  if (options.stale || (last && performance.now() < last.until)) return { store: open(), notice: last?.notice };
  const notice = await freshen(project, options);
  const store = open();
  freshness.set(store, { until: performance.now() + FRESH_FOR_MS, notice });
  return { store, notice };
}

async function freshen(project: CodeProject, { now, progress }: OpenOptions): Promise<string | undefined> {
  const done = await indexProject(project, { now: now(), progress, atMost: MOST_AT_ONCE });
  if (done === undefined) return "another dex process is reading this project now; the answer may be older.";
  if (done.postponed === 0) return undefined;
  return `${plural(done.postponed, "file")} changed since the last \`dex code index\`; the answer may be older.`;
}
