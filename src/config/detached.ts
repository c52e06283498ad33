/** Starts dex as a detached process, which outlives this one and runs at a low priority. */
import { spawn } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { dirname } from "node:path";
import { ensureFolder } from "../kernel/files/atomic_write.ts";
import { ownProgram } from "./own_program.ts";

const LOW_PRIORITY = 10;

export interface DetachedOptions {
  cwd: string;
  vars: NodeJS.ProcessEnv;
}

/**
 * Starts dex unless it was started less than `ms` ago, and returns whether it did. The modification time of the file
 * `stamp` is the time of the last start.
 */
export function spawnDetachedAfter(
  stamp: string,
  ms: number,
  args: readonly string[],
  options: DetachedOptions,
): boolean {
  const last = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs;
  const now = Date.now();
  // A time in the future means that the clock was set back.
  if (last !== undefined && last <= now && now - last < ms) return false;
  writeStamp(stamp);
  spawnDetached(args, options);
  return true;
}

export function writeStamp(stamp: string): void {
  ensureFolder(dirname(stamp));
  writeFileSync(stamp, "", { mode: 0o600 });
}

export function spawnDetached(args: readonly string[], options: DetachedOptions): void {
  const { cwd, vars } = options;
  const child = spawn(process.execPath, [ownProgram(), ...args], { cwd, env: vars, detached: true, stdio: "ignore" });
  child.on("error", () => undefined);
  child.unref();
  if (child.pid === undefined) return;
  try {
    setPriority(child.pid, LOW_PRIORITY);
  } catch {
    // The process has ended, or the system forbids it; then it runs at normal priority.
  }
}
