/**
 * One batch of a project's changes, brought into the indexes: the code graph first, because an answer about a saved file
 * is asked for soonest, then the history, then test reports.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { indexPaths, indexProject } from "../code/indexing/indexer.ts";
import { languageOf } from "../code/languages/registry.ts";
import type { CodeProject } from "../code/project.ts";
import type { Dex } from "../dex.ts";
import { findProject as findRepositoryOf } from "../history/repository.ts";
import { updateHistory } from "../history/update.ts";
import { DexError } from "../kernel/errors.ts";
import type { ChangeBatch } from "../suggest/model.ts";
import { type Differences, named, type ProjectFiles } from "./files.ts";
import type { GitState } from "./git_state.ts";
import type { Reports } from "./reports.ts";

/** What is known to have changed. */
export interface Dirt {
  /** From the root; folders stand for all below them. */
  paths: ReadonlySet<string>;
  /** Anything may have changed. */
  all: boolean;
  /** HEAD may name another commit. */
  head: boolean;
  /** Folders may have gone unwatched. */
  renew: boolean;
}

export const NO_DIRT: Dirt = { paths: new Set(), all: false, head: false, renew: false };
/** More names than this are not kept: everything is looked at. */
const MOST_PATHS = 20_000;
const LOCK_TRIES = 120;
const LOCK_PAUSE_MS = 500;

export function mergeDirt(known: Dirt | undefined, more: Dirt): Dirt {
  const paths = new Set([...(known?.paths ?? []), ...more.paths]);
  if (!known) return { ...more, paths };
  const all = known.all || more.all || paths.size > MOST_PATHS;
  return {
    paths: paths.size > MOST_PATHS ? new Set() : paths,
    all,
    head: known.head || more.head,
    renew: known.renew || more.renew,
  };
}

export interface UpdateTools {
  project: CodeProject;
  files: ProjectFiles;
  reports: Reports;
  git: GitState | undefined;
  signal: AbortSignal;
  report(line: string): void;
}

/** What could not be brought into an index is tried again with the next batch. */
export class ProjectUpdate {
  readonly #tools: UpdateTools;
  #left: Differences = { changed: [], removed: [] };
  #historyLeft = false;

  constructor(tools: UpdateTools) {
    this.#tools = tools;
  }

  /** At the start: everything. A store that is not there yet is made, and nothing counts as changed. */
  async begin(dex: Dex): Promise<ChangeBatch> {
    const { files, reports } = this.#tools;
    const found = files.begin(dex.now());
    await this.#index(dex, found, undefined);
    const head = await this.#history(dex);
    await this.#tests(dex, reports.written(reports.usualPlaces()));
    return this.#batch(dex, found, head, false);
  }

  async run(dex: Dex, dirt: Dirt): Promise<ChangeBatch> {
    const { files, git, reports } = this.#tools;
    const moved = dirt.head && (git?.hasMoved() ?? false);
    const only = dirt.all || moved ? undefined : named(dirt.paths);
    const found = merged(this.#left, files.look(dex.now(), only));
    this.#left = found;
    await this.#index(dex, found, named([...found.changed, ...found.removed]));
    this.#left = { changed: [], removed: [] };
    const newer = dirt.head || this.#historyLeft ? await this.#history(dex) : false;
    const places = only ? dirt.paths : [...dirt.paths, ...reports.usualPlaces()];
    const tests = await this.#tests(dex, reports.written(places));
    return this.#batch(dex, found, moved || newer, tests);
  }

  #batch(dex: Dex, { changed, removed }: Differences, head: boolean, tests: boolean): ChangeBatch {
    const { root } = this.#tools.project;
    return { folder: root, time: dex.now(), changed, removed, head, conversations: false, tests };
  }

  /** `only` undefined: a look at every file. Another process that indexes the project is waited for. */
  async #index(dex: Dex, { changed, removed }: Differences, only: readonly string[] | undefined): Promise<void> {
    const { project, signal } = this.#tools;
    if (only && ![...changed, ...removed].some((path) => languageOf(path) !== undefined)) return;
    for (let tries = 0; tries < LOCK_TRIES && !signal.aborted; tries += 1) {
      const options = { now: dex.now() };
      if (await (only ? indexPaths(project, only, options) : indexProject(project, options))) return;
      await sleep(LOCK_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
    throw new DexError("busy", `Another dex process is reading ${project.root}.`, {
      hint: "The changes are taken in with the next ones.",
    });
  }

  /** Whether commits came or went. */
  async #history(dex: Dex): Promise<boolean> {
    const { project, git, report } = this.#tools;
    if (!git) return false;
    this.#historyLeft = true;
    try {
      const done = await updateHistory(findRepositoryOf(project.root), dex.paths.history, { waitMs: 0 });
      this.#historyLeft = false;
      return !done.anew && done.added + done.removed > 0;
    } catch (error) {
      if (!(error instanceof DexError)) throw error;
      report(`the history could not be read: ${error.message}`);
      this.#historyLeft = error.code !== "no_git";
      return false;
    }
  }

  async #tests(dex: Dex, written: readonly string[]): Promise<boolean> {
    const { project, report } = this.#tools;
    if (written.length === 0) return false;
    const { importReport } = await import("../project/tests.ts");
    let taken = false;
    for (const file of written) {
      try {
        await importReport(dex, { file, repository: project.root }, {});
        taken = true;
      } catch (error) {
        if (!(error instanceof DexError)) throw error;
        // Other XML lies in such folders, too; and a report that is half written is told of again when it is whole.
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
