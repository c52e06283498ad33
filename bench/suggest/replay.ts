/**
 * Replays a history for suggestions: each commit is queried with its files, and only earlier commits are known. The
 * past commits are in memory; the code graph is dex's own, of a clone that is checked out at an earlier commit: it is
 * refreshed every few commits, always to the commit before the queried one or an older one.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { indexProject } from "../../src/code/indexing/indexer.ts";
import { type CodeProject, findCodeProject, openCode } from "../../src/code/project.ts";
import { compareText } from "../../src/kernel/text.ts";
import type { ChangeHistory } from "../../src/project/changes.ts";
import type { CodeReader } from "../../src/store/code.ts";
import type { CommitRecord, Touch } from "../../src/store/history_records.ts";
import { MAX_COCHANGE_FILES } from "../../src/store/history_records.ts";
import { history } from "../history/cochange.ts";

export interface Question {
  commit: number;
  sha: string;
  time: number;
  subject: string;
  /** The commit's files that existed before it, by name. */
  known: readonly string[];
  code: CodeReader;
  /** Every file that existed before it. */
  paths(): string[];
  commits: ChangeHistory;
  exists(path: string): boolean;
}

export interface ReplayOptions {
  /** Commits between two states of the code graph. */
  step: number;
  /** Commits at the beginning that only serve for learning. */
  warm: number;
  /** Only the last commits are asked about, at most this many. */
  most: number;
}

/** Calls `ask` for each commit that changed an existing file, in order. */
export async function replayHistory(
  folder: string,
  options: ReplayOptions,
  ask: (question: Question) => void,
): Promise<{ commits: number; asked: number }> {
  const commits = (await history(folder)).filter(({ parents }) => parents < 2);
  const past = new Past();
  const graph = await GraphThen.open(folder);
  const begin = Math.max(options.warm, beginOf(commits, options.most));
  let asked = 0;
  try {
    for (const [at, commit] of commits.entries()) {
      const small = isSmall(commit);
      const known = commit.files.flatMap(({ path, old }) => (past.exists(old ?? path) ? [old ?? path] : []));
      if (small && known.length > 0 && at >= begin) {
        await graph.advance(commits[at - 1]?.sha ?? commit.sha, at - 1, options.step);
        asked += 1;
        ask({
          commit: at,
          sha: commit.sha,
          time: commit.time,
          subject: commit.subject,
          known,
          code: graph.reader,
          paths: () => past.paths(),
          commits: past.view(),
          exists: (path) => past.exists(path),
        });
      }
      past.add(commit, small);
    }
  } finally {
    graph.close();
  }
  return { commits: commits.length, asked };
}

export function isSmall({ files, file_count }: CommitRecord): boolean {
  return files.length > 0 && files.length <= MAX_COCHANGE_FILES && file_count <= 3 * MAX_COCHANGE_FILES;
}

/** The place of the first commit that is asked about. */
function beginOf(commits: readonly CommitRecord[], most: number): number {
  let left = most;
  for (let at = commits.length - 1; at >= 0; at -= 1) {
    const commit = commits[at];
    if (commit && isSmall(commit) && --left <= 0) return at;
  }
  return 0;
}

/** The knowledge before a commit. A renamed file keeps its past, as in the program. */
export class Past implements ChangeHistory {
  readonly #touches = new Map<string, Touch[]>();
  readonly #latest: Touch[] = [];
  readonly #now = new Map<string, string>();
  readonly #there = new Set<string>();
  #total = 0;

  /** An object of its own for each question: statistics are cached by it. */
  view(): ChangeHistory {
    return {
      touches: (path) => this.touches(path),
      count: (path) => this.count(path),
      total: () => this.total(),
      latest: (limit) => this.latest(limit),
    };
  }

  exists(path: string): boolean {
    return this.#there.has(path);
  }

  paths(): string[] {
    return [...this.#there].sort(compareText);
  }

  touches(path: string): Touch[] {
    return (this.#touches.get(path) ?? []).map((touch) => this.#renamed(touch));
  }

  count(path: string): number {
    return this.#touches.get(path)?.length ?? 0;
  }

  total(): number {
    return this.#total;
  }

  latest(limit: number): Touch[] {
    return this.#latest.slice(0, limit).map((touch) => this.#renamed(touch));
  }

  add(commit: CommitRecord, small: boolean): void {
    for (const { path, old } of commit.files) {
      if (old !== undefined && old !== path) {
        this.#touches.set(path, this.#touches.get(old) ?? []);
        this.#touches.delete(old);
        this.#there.delete(old);
        this.#now.set(old, path);
        this.#now.delete(path);
      }
      this.#there.add(path);
    }
    if (!small) return;
    this.#total += 1;
    const touch = { time: commit.time, files: commit.files.map(({ path }) => path) };
    this.#latest.unshift(touch);
    this.#latest.length = Math.min(this.#latest.length, 100);
    for (const path of touch.files) this.#touches.set(path, [touch, ...(this.#touches.get(path) ?? [])].slice(0, 300));
  }

  #renamed({ time, files }: Touch): Touch {
    return { time, files: [...new Set(files.map((path) => this.#current(path)))] };
  }

  #current(path: string): string {
    let at = path;
    for (let steps = 0; steps < 50; steps += 1) {
      const next = this.#now.get(at);
      if (next === undefined) break;
      at = next;
    }
    return at;
  }
}

/** The code graph of an earlier commit. */
export class GraphThen {
  readonly #folder: string;
  readonly #clone: string;
  readonly #project: CodeProject;
  #at = Number.NEGATIVE_INFINITY;
  reader: CodeReader;

  private constructor(folder: string, clone: string, project: CodeProject) {
    this.#folder = folder;
    this.#clone = clone;
    this.#project = project;
    this.reader = openCode(project).store;
  }

  static async open(repository: string): Promise<GraphThen> {
    const folder = mkdtempSync(join(tmpdir(), "dex-replay-"));
    const clone = join(folder, "clone");
    run(["clone", "--quiet", "--shared", "--no-checkout", repository, clone]);
    return new GraphThen(folder, clone, findCodeProject(join(folder, "code"), clone));
  }

  async advance(sha: string, at: number, step: number): Promise<void> {
    if (at - this.#at < step) return;
    this.#at = at;
    run(["-C", this.#clone, "checkout", "--quiet", "--force", "--detach", sha]);
    this.reader.close();
    await indexProject(this.#project, { now: Date.now() });
    this.reader = openCode(this.#project).store;
  }

  close(): void {
    this.reader.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function run(args: string[]): void {
  execFileSync("git", args, {
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
    stdio: ["ignore", "ignore", "ignore"],
  });
}
