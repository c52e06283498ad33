/**
 * The progress of a run: a folder for each run, and an atomically written file for each finished batch. A killed run
 * continues with the missing batches. dex reuses finished batches of earlier runs that did not change: a conversation
 * with new messages costs only its own batch.
 */
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ensureFolder, writeFileAtomic } from "../kernel/files/atomic_write.ts";
import { parseJson } from "../kernel/json.ts";
import { compareText } from "../kernel/text.ts";
import { type BatchResult, batchResultSchema } from "./workflow.ts";

/** dex keeps this many runs and deletes the oldest. */
const MAX_RUNS = 20;
const KEY = /^[0-9a-f]{16}$/;

export class RunState {
  readonly folder: string;
  readonly #all: string;

  constructor(workflows: string, run: string) {
    this.#all = workflows;
    this.folder = join(workflows, run);
  }

  begin(about: object, restart: boolean): void {
    if (restart) rmSync(this.folder, { recursive: true, force: true });
    ensureFolder(this.folder);
    writeFileAtomic(join(this.folder, "run.json"), `${JSON.stringify(about, null, 2)}\n`);
    for (const { folder } of runsIn(this.#all).slice(MAX_RUNS)) rmSync(folder, { recursive: true, force: true });
  }

  /** Undefined when the batch is not done or its file is damaged. */
  done(key: string, restart: boolean): BatchResult | undefined {
    const own = readResult(join(this.folder, `${key}.json`));
    if (own || restart) return own;
    for (const { folder } of runsIn(this.#all)) {
      const earlier = readResult(join(folder, `${key}.json`));
      if (!earlier) continue;
      this.save(key, earlier);
      return earlier;
    }
    return undefined;
  }

  save(key: string, result: BatchResult): void {
    if (!KEY.test(key)) throw new Error(`${key} is not a batch key`);
    writeFileAtomic(join(this.folder, `${key}.json`), JSON.stringify(result));
  }

  saveReport(markdown: string): string {
    const path = join(this.folder, "report.md");
    writeFileAtomic(path, markdown);
    return path;
  }
}

/** Newest first. */
function runsIn(workflows: string): { folder: string; time: number }[] {
  let names: string[];
  try {
    names = readdirSync(workflows);
  } catch {
    return [];
  }
  const runs = names.flatMap((name) => {
    const folder = join(workflows, name);
    const stats = statSync(folder, { throwIfNoEntry: false });
    return stats?.isDirectory() ? [{ folder, time: stats.mtimeMs }] : [];
  });
  return runs.sort((a, b) => b.time - a.time || compareText(a.folder, b.folder));
}

function readResult(path: string): BatchResult | undefined {
  try {
    return batchResultSchema.safeParse(parseJson(readFileSync(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}
