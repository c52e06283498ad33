/** `dex gc`: frees disk space in dex's home. */
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { ownerOf } from "../../history/scan.ts";
import { removeTemporaryFiles } from "../../kernel/files/atomic_write.ts";
import { dropSummaries } from "../../memory/summaries.ts";
import { listArchive } from "../../store/archive/archive.ts";
import { findOrphaned, removeOrphaned } from "../../store/databases/orphaned_databases.ts";
import { setAsideStates } from "../../store/state/backups.ts";
import { busyError, withWriter } from "../../sync/writing.ts";
import { defineOperation } from "../operation.ts";

export const gc = defineOperation({
  name: "dex_gc",
  verb: "gc",
  summary: "Compact the index, remove the indexes of deleted projects, and report the space used",
  positionals: [],
  input: z.strictObject({
    damaged: z.boolean().default(false).describe("Also delete damaged files that a repair set aside"),
    dry_run: z.boolean().default(false).describe("Show what would be removed, and change nothing"),
  }),
  output: z.object({
    index_before: z.number(),
    index_after: z.number(),
    archive: z.number(),
    archive_files: z.number(),
    damaged_files: z.number(),
    damaged_removed: z.number(),
    traces: z.number(),
    dry_run: z.boolean(),
    projects_removed: z
      .array(z.object({ root: z.string(), kind: z.enum(["code", "history"]), bytes: z.number() }))
      .describe("Code indexes and histories of deleted projects"),
    projects_away: z
      .array(z.string())
      .describe("Projects that may be on a disk that is not mounted; their indexes are kept"),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  traced: true,
  run: async (dex, input, context) => {
    const before = size(dex.paths.index) + size(`${dex.paths.index}-wal`);
    const { gone, away } = findOrphaned(dex.paths);
    if (!input.dry_run) {
      const done = await withWriter({ places: dex.places, waitMs: 30_000, now: dex.now }, (writer) => {
        writer.removeOrphans();
        writer.purge();
        return true;
      });
      if (!done) throw busyError();
      dex.reopen();
      const known = new Set(dex.store.ids().map(ownerOf));
      // An empty index may be in the middle of a rebuild, so keep the summaries.
      if (known.size > 0) dropSummaries(dex.paths.summaries, (summary) => !known.has(ownerOf(summary)));
    }
    if (existsSync(dex.paths.home)) removeTemporaryFiles(dex.paths.home, dex.now(), input.dry_run);
    const damaged = [
      ...files(dex.paths.archive).filter((path) => path.endsWith(".damaged")),
      ...setAsideStates(dex.paths.state),
    ];
    if (input.damaged && !input.dry_run) for (const path of damaged) rmSync(path);
    const archived = listArchive(dex.paths.archive);
    const report = {
      index_before: before,
      index_after: size(dex.paths.index),
      archive: archived.reduce((sum, path) => sum + size(join(dex.paths.archive, path)), 0),
      archive_files: archived.length,
      damaged_files: damaged.length,
      damaged_removed: input.damaged ? damaged.length : 0,
      traces: files(dex.paths.traces).reduce((sum, path) => sum + size(path), 0),
      dry_run: input.dry_run,
      projects_removed: input.dry_run
        ? gone.map(({ root, kind, bytes }) => ({ root, kind, bytes }))
        : removeOrphaned(gone),
      projects_away: away,
    };
    context.trace?.({ inputs: { index_before: report.index_before, index_after: report.index_after } });
    return report;
  },
});

function files(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path));
  } catch {
    return [];
  }
}

function size(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.size : 0;
}
