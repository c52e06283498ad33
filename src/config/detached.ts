/** A run of dex that goes on by itself after this process has ended, and gives way to others. */
import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { ownProgram } from "./own_program.ts";

const GIVES_WAY = 10;

export function runBehind(args: readonly string[], options: { cwd: string; vars: NodeJS.ProcessEnv }): void {
  const { cwd, vars } = options;
  const child = spawn(process.execPath, [ownProgram(), ...args], { cwd, env: vars, detached: true, stdio: "ignore" });
  child.on("error", () => undefined);
  child.unref();
  if (child.pid === undefined) return;
  try {
    setPriority(child.pid, GIVES_WAY);
  } catch {
    // It has ended, or the system does not allow it: then it runs like others.
  }
}
