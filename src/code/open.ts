/**
 * A project's code store as answers need it: up to date where that is quick, and kept open between calls that come close
 * together, because what is worked out of it (names, ranks) is kept with it.
 */
import { plural } from "../kernel/text.ts";
import type { SqliteCodeReader } from "../store/sqlite/code/reader.ts";
import { indexProject } from "./indexing/indexer.ts";
import { type CodeProject, openCode } from "./project.ts";

const FRESH_FOR_MS = 1000;
const OPEN_FOR_MS = 5000;
/** More than this is not read for an answer, where there is an older store to answer from. */
const MOST_AT_ONCE = 2000;

interface Opened {
  store: SqliteCodeReader;
  freshUntil: number;
  notice: string | undefined;
  rest: NodeJS.Timeout;
}

const opened = new Map<string, Opened>();

export interface OpenOptions {
  now: () => number;
  /** Answer from what is there. */
  stale?: boolean;
  progress?(done: number, total: number, label: string): void;
}

export async function openFresh(
  project: CodeProject,
  options: OpenOptions,
): Promise<{ store: SqliteCodeReader; notice: string | undefined }> {
  const known = opened.get(project.path);
  if (known && (options.stale || performance.now() < known.freshUntil)) {
    known.rest.refresh();
    return known;
  }
  const notice = options.stale ? undefined : await freshen(project, options);
  const entry = known ?? { store: openCode(project).store, freshUntil: 0, notice, rest: closeLater(project.path) };
  entry.notice = notice;
  entry.freshUntil = performance.now() + FRESH_FOR_MS;
  entry.rest.refresh();
  opened.set(project.path, entry);
  return entry;
}

/** Before the file is replaced or the process goes on to other things. */
export function closeCode(path: string): void {
  const entry = opened.get(path);
  if (!entry) return;
  opened.delete(path);
  clearTimeout(entry.rest);
  entry.store.close();
}

async function freshen(project: CodeProject, { now, progress }: OpenOptions): Promise<string | undefined> {
  const done = await indexProject(project, { now: now(), progress, atMost: MOST_AT_ONCE });
  if (done === undefined) return "another dex process is reading this project now; the answer may be older.";
  if (done.postponed === 0) return undefined;
  return `${plural(done.postponed, "file")} changed since the last \`dex code index\`; the answer may be older.`;
}

function closeLater(path: string): NodeJS.Timeout {
  return setTimeout(() => closeCode(path), OPEN_FOR_MS).unref();
}
