/** Examines and repairs state.db and its backups. */
import { rmSync } from "node:fs";
import { DexError } from "../kernel/errors.ts";
import { plural } from "../kernel/text.ts";
import { openState } from "../store/engine/state.ts";
import {
  backupState,
  isSoundBackup,
  listBackups,
  lockBackups,
  newestSound,
  restoreLostState,
  type StateBackup,
} from "../store/state/backups.ts";
import { checkState } from "../store/state/health.ts";
import { type Salvage, salvageState } from "../store/state/salvage.ts";
import { savedTombstones, tombstoneFile } from "../store/state/tombstones.ts";
import { counted, type Problem, REPAIR, type Repair } from "./problem.ts";

export function stateProblems(path: string): Problem[] {
  const problems: Problem[] = [];
  const { state, found } = checkState(path);
  const backup = state === "damaged" || state === "lost" ? newestSound(path) : undefined;
  const source = backup ? `There is a backup of ${timeOf(backup)}.` : "There is no backup of it.";
  if (state === "damaged") {
    problems.push({ code: "state_damaged", what: `${path} is damaged: ${found}. ${source}`, path, fix: REPAIR });
  } else if (state === "lost") {
    const what = `${path} is missing or empty: it held pins, notes, decisions and the list of forgotten conversations. ${source}`;
    problems.push({ code: "state_lost", what, path, fix: REPAIR });
  }
  if (state === "newer") {
    const what = `${path} was written by a newer dex: pins, notes, decisions and subscriptions are left out.`;
    problems.push({ code: "state_newer", what, path, fix: "update dex" });
  }
  const unsound = listBackups(path).filter((each) => !isSoundBackup(each.path));
  const [first] = unsound;
  if (first) {
    const names = unsound.map((each) => each.path);
    const what = `Damaged backups of state.db: ${counted(names, "file")}.`;
    problems.push({ code: "backup_damaged", what, path: first.path, fix: REPAIR });
  }
  if (savedTombstones(path) === undefined) {
    const file = tombstoneFile(path);
    const what = `${file}, the second list of forgotten conversations, cannot be read.`;
    problems.push({ code: "tombstones_damaged", what, path: file, fix: REPAIR });
  }
  return problems;
}

export function repairState(path: string, problems: readonly Problem[], now: number): Repair {
  const codes = new Set(problems.map(({ code }) => code));
  const done: Repair = { fixed: [], lost: [] };
  if (codes.has("tombstones_damaged")) {
    rmSync(tombstoneFile(path), { force: true });
    done.fixed.push(`Recreated ${tombstoneFile(path)}.`);
  }
  if (codes.has("state_lost")) {
    const backup = restoreLostState(path);
    if (backup) {
      done.fixed.push(`Restored state.db from its backup of ${timeOf(backup)}.`);
      done.lost.push(`Changes to pins, notes, decisions and subscriptions after ${timeOf(backup)}.`);
    }
  }
  if (codes.has("state_damaged")) salvage(path, now, done);
  for (const { path: file } of listBackups(path)) {
    if (isSoundBackup(file)) continue;
    rmSync(file, { force: true });
    done.fixed.push(`Removed the damaged backup ${file}.`);
  }
  if (codes.size > 0 && checkState(path).state === "sound") {
    // Open it once to migrate an older version, so that the backup is of the current version.
    openState(path).close();
    backupState(path, now);
  }
  return done;
}

function salvage(path: string, now: number, done: Repair): void {
  const lock = lockBackups(path);
  if (!lock)
    throw new DexError("busy", "Another dex process is repairing state.db.", {
      hint: "Wait for it to finish and run the command again.",
    });
  try {
    const saved = salvageState(path, now);
    done.fixed.push(fixedSentence(saved));
    const lost = lostSentence(saved);
    if (lost) done.lost.push(lost);
  } finally {
    lock.release();
  }
}

function fixedSentence({ tables, backup, setAside }: Salvage): string {
  const rows = tables.reduce((sum, each) => sum + each.rows, 0);
  const restored = tables.reduce((sum, each) => sum + each.restored, 0);
  const parts = [`${plural(rows, "row")} read from the damaged file`];
  if (backup) parts.push(`${restored} more from the backup of ${timeOf(backup)}`);
  return `Rebuilt state.db: ${parts.join(", ")}. The damaged file is kept as ${setAside}.`;
}

function lostSentence({ tables, backup }: Salvage): string | undefined {
  const names = tables.filter(({ complete }) => !complete).map(({ table }) => table);
  if (names.length === 0) return undefined;
  const since = backup ? `may lack what was changed after ${timeOf(backup)}` : "may lack rows, and there was no backup";
  return `${counted(names, "table")} of state.db could not be read to the end and ${since}.`;
}

function timeOf({ time }: StateBackup): string {
  return new Date(time).toISOString();
}
