/**
 * Opens a project's code store for answers: refreshed first when that is quick, and kept open between calls in quick
 * succession, because values derived from it (names, ranks) are cached with it.
 */
import { plural } from "../kernel/text.ts";
import type { CodeReader } from "../store/code.ts";
import { indexProject } from "./indexing/indexer.ts";
import { type CodeProject, openCode } from "./project.ts";

const FRESH_FOR_MS = 1000;
const OPEN_FOR_MS = 5000;
/** With more changed files, an answer comes from the existing store. */
const MAX_FILES_PER_REFRESH = 2000;

interface Opened {
  store: CodeReader;
  freshUntil: number;
  notice: string | undefined;
  closing: NodeJS.Timeout;
}

const opened = new Map<string, Opened>();

export interface OpenOptions {
  now: () => number;
  /** Answer from the existing store without a refresh. */
  stale?: boolean;
  progress?(done: number, total: number, label: string): void;
}

export async function openFresh(
  project: CodeProject,
  options: OpenOptions,
): Promise<{ store: CodeReader; notice: string | undefined }> {
  const known = opened.get(project.path);
  if (known && (options.stale || performance.now() < known.freshUntil)) {
    known.closing.refresh();
    return known;
  }
  const notice = options.stale ? undefined : await refresh(project, options);
  const entry = known ?? { store: openCode(project).store, freshUntil: 0, notice, closing: closeLater(project.path) };
  entry.notice = notice;
  entry.freshUntil = performance.now() + FRESH_FOR_MS;
  entry.closing.refresh();
  opened.set(project.path, entry);
  return entry;
}

/** Must be called before the database file is replaced. */
export function closeCode(path: string): void {
  const entry = opened.get(path);
  if (!entry) return;
  opened.delete(path);
  clearTimeout(entry.closing);
  entry.store.close();
}

async function refresh(project: CodeProject, { now, progress }: OpenOptions): Promise<string | undefined> {
  const done = await indexProject(project, { now: now(), progress, atMost: MAX_FILES_PER_REFRESH });
  if (done === undefined) return "another dex process is indexing this project; the answer may be out of date.";
  if (done.postponed === 0) return undefined;
  return `${plural(done.postponed, "file")} changed since the last \`dex code index\`; the answer may be out of date.`;
}

function closeLater(path: string): NodeJS.Timeout {
  return setTimeout(() => closeCode(path), OPEN_FOR_MS).unref();
}
