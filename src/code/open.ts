/** Opens a project's code store for answers: refreshed first when that is quick, and shared by all readers. */
import { existsSync } from "node:fs";
import { DexError } from "../kernel/errors.ts";
import { isWriteRefused } from "../kernel/files/atomic_write.ts";
import { holdsHome } from "../kernel/git/project_folder.ts";
import type { OwnedCaches } from "../kernel/owned_caches.ts";
import { plural } from "../kernel/text.ts";
import type { CodeReader } from "../store/code.ts";
import { openCodeGraphs } from "../store/databases/open_databases.ts";
import { type IndexReport, indexProject } from "./indexing/indexer.ts";
import { type CodeProject, openCode } from "./project.ts";

const FRESH_FOR_MS = 1000;
/** With more changed files, an answer comes from the existing store; with more files, the first index must be asked for. */
const MAX_FILES_PER_REFRESH = 2000;
/** For another process that makes the first index. */
const MAX_WAIT_MS = 20_000;

/** When each open store was last refreshed, and the notice of that refresh. */
const freshness = new WeakMap<CodeReader, { until: number; notice: string | undefined }>();

export interface OpenOptions {
  now: () => number;
  /** Answer from the existing store without a refresh. */
  stale?: boolean;
  progress?: ((done: number, total: number, label: string) => void) | undefined;
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
  const notice = await refresh(project, options);
  const store = open();
  freshness.set(store, { until: performance.now() + FRESH_FOR_MS, notice });
  return { store, notice };
}

/**
 * Whether the project has an index now. A repository with few enough files gets its first one, which takes seconds;
 * a home folder under version control does not. Nobody asked for the index, so a failure to write one is ignored.
 */
export async function indexUnasked(
  project: CodeProject,
  { now, progress }: Pick<OpenOptions, "now" | "progress">,
): Promise<boolean> {
  if (isIndexed(project)) return true;
  if (!project.git || holdsHome(project.root)) return false;
  try {
    const limits = { atMostFirst: MAX_FILES_PER_REFRESH, waitMs: MAX_WAIT_MS };
    await indexProject(project, { now: now(), progress, ...limits });
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
  }
  return isIndexed(project);
}

/** The file of a first index exists before its content, while another process builds it. */
function isIndexed(project: CodeProject): boolean {
  if (!existsSync(project.path)) return false;
  const { store, wasIndexed } = openCode(project);
  store.close();
  return wasIndexed;
}

async function refresh(project: CodeProject, { now, progress }: OpenOptions): Promise<string | undefined> {
  let done: IndexReport | undefined;
  try {
    done = await indexProject(project, { now: now(), progress, atMost: MAX_FILES_PER_REFRESH });
  } catch (error) {
    // A reader on a full or read-only disk gets its answer from the stored graph.
    if (!isWriteRefused(error) || !isIndexed(project)) throw error;
    return `the code is as of the last \`dex code index\`: ${error.message}`;
  }
  if (done === undefined) return "another dex process is indexing this project; the answer may be out of date.";
  if (done.postponed === 0) return undefined;
  return `${plural(done.postponed, "file")} changed since the last \`dex code index\`; the answer may be out of date.`;
}
