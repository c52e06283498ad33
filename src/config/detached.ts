/** Starts dex as a detached process, which outlives this one and runs at a low priority. */
import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { ownProgram } from "./own_program.ts";

const LOW_PRIORITY = 10;

export function spawnDetached(args: readonly string[], options: { cwd: string; vars: NodeJS.ProcessEnv }): void {
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
