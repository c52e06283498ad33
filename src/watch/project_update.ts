/**
 * Puts one batch of a project's changes into the indexes: the code graph first, because a saved file is queried soonest,
 * then the history, then test reports.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { indexPaths, indexProject } from "../code/indexing/indexer.ts";
import { languageOf } from "../code/languages/registry.ts";
import type { CodeProject } from "../code/project.ts";
import type { Dex } from "../dex.ts";
import { repositoryOrFolder } from "../history/repository.ts";
import { updateHistory } from "../history/update.ts";
import { DexError } from "../kernel/errors.ts";
import type { ChangeBatch } from "../suggest/model.ts";
import type { GitState } from "./events/git_state.ts";
import { boundedPaths, type Differences, type FileSnapshot } from "./files.ts";
import type { Reports } from "./reports.ts";

/** Changes that are not in the indexes yet. */
export interface PendingChanges {
  /** Relative to the root; a folder includes everything below it. */
  paths: ReadonlySet<string>;
  /** Anything may have changed. */
  all: boolean;
  /** HEAD may have moved. */
  head: boolean;
  /** Some folders may be unwatched. */
  renew: boolean;
}

export const NO_CHANGES: PendingChanges = { paths: new Set(), all: false, head: false, renew: false };
/** With more paths, everything is scanned. */
const MAX_PATHS = 20_000;
const MAX_LOCK_ATTEMPTS = 120;
const LOCK_RETRY_MS = 500;

export function mergeChanges(known: PendingChanges | undefined, more: PendingChanges): PendingChanges {
  const paths = new Set([...(known?.paths ?? []), ...more.paths]);
  if (!known) return { ...more, paths };
  const all = known.all || more.all || paths.size > MAX_PATHS;
  return {
    paths: paths.size > MAX_PATHS ? new Set() : paths,
    all,
    head: known.head || more.head,
    renew: known.renew || more.renew,
  };
}

export interface UpdateTools {
  project: CodeProject;
  files: FileSnapshot;
  reports: Reports;
  git: GitState | undefined;
  signal: AbortSignal;
  report(line: string): void;
}

/** Failed updates are retried with the next batch. */
export class ProjectUpdate {
  readonly #tools: UpdateTools;
  #pending: Differences = { changed: [], removed: [] };
  #historyPending = false;

  constructor(tools: UpdateTools) {
    this.#tools = tools;
  }

  /** The first update indexes everything. If there was no code index, nothing counts as changed. */
  async begin(dex: Dex): Promise<ChangeBatch> {
    const { files, reports } = this.#tools;
    const found = files.begin(dex.now());
    await this.#index(dex, found, undefined);
    const head = await this.#history(dex);
    await this.#tests(dex, reports.written(reports.usualPlaces()));
    return this.#batch(dex, found, head, false);
  }

  async run(dex: Dex, pending: PendingChanges): Promise<ChangeBatch> {
    const { files, git, reports } = this.#tools;
    const moved = pending.head && (git?.hasMoved() ?? false);
    const only = pending.all || moved ? undefined : boundedPaths(pending.paths);
    const found = merged(this.#pending, files.scan(dex.now(), only));
    this.#pending = found;
    await this.#index(dex, found, boundedPaths([...found.changed, ...found.removed]));
    this.#pending = { changed: [], removed: [] };
    const newer = pending.head || this.#historyPending ? await this.#history(dex) : false;
    const places = only ? pending.paths : [...pending.paths, ...reports.usualPlaces()];
    const tests = await this.#tests(dex, reports.written(places));
    return this.#batch(dex, found, moved || newer, tests);
  }

  #batch(dex: Dex, { changed, removed }: Differences, head: boolean, tests: boolean): ChangeBatch {
    const { root } = this.#tools.project;
    return { folder: root, time: dex.now(), changed, removed, head, conversations: false, tests };
  }

  /** `only` undefined: every file. Waits for another process that indexes the project. */
  async #index(dex: Dex, { changed, removed }: Differences, only: readonly string[] | undefined): Promise<void> {
    const { project, signal } = this.#tools;
    if (only && ![...changed, ...removed].some((path) => languageOf(path) !== undefined)) return;
    for (let tries = 0; tries < MAX_LOCK_ATTEMPTS && !signal.aborted; tries += 1) {
      const options = { now: dex.now() };
      if (await (only ? indexPaths(project, only, options) : indexProject(project, options))) return;
      await sleep(LOCK_RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
    throw new DexError("busy", `Another dex process is reading ${project.root}.`, {
      hint: "dex will index these changes with the next ones.",
    });
  }

  /** Returns whether commits were added or removed. */
  async #history(dex: Dex): Promise<boolean> {
    const { project, git, report } = this.#tools;
    if (!git) return false;
    this.#historyPending = true;
    try {
      const done = await updateHistory(repositoryOrFolder(project.root), dex.paths.history, { waitMs: 0 });
      this.#historyPending = false;
      return !done.reread && done.added + done.removed > 0;
    } catch (error) {
      if (!(error instanceof DexError)) throw error;
      report(`The history could not be read: ${error.message}`);
      this.#historyPending = error.code !== "no_git";
      return false;
    }
  }

  async #tests(dex: Dex, written: readonly string[]): Promise<boolean> {
    const { project, report } = this.#tools;
    if (written.length === 0) return false;
    const { importReport } = await import("../project/tests/tests.ts");
    let taken = false;
    for (const file of written) {
      try {
        await importReport(dex, { file, project: project.root }, {});
        taken = true;
      } catch (error) {
        if (!(error instanceof DexError)) throw error;
        // Such folders contain other XML too; and a half-written report is reported again when it is complete.
        if (error.code !== "unknown_report" && error.code !== "not_a_file") report(`${file}: ${error.message}`);
      }
    }
    return taken;
  }
}

function merged(known: Differences, more: Differences): Differences {
  if (known.changed.length + known.removed.length === 0) return more;
  const removed = new Set([...known.removed, ...more.removed]);
  for (const path of more.changed) removed.delete(path);
  const changed = new Set([...known.changed, ...more.changed].filter((path) => !removed.has(path)));
  return { changed: [...changed], removed: [...removed] };
}
