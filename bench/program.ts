/** The built program in a home of its own, as a user starts it, with what one run of it costs. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Program {
  /** A copy of `dist`, so that a build in the meantime does not change what is measured. */
  dist: string;
  /** An empty folder: the one the program is started in. */
  cwd: string;
  home: string;
  dexHome: string;
}

export interface Cost {
  ms: number;
  stdout: string;
}

/** Nothing of the environment reaches it but the path: settings and agents' folders are those of the corpus. */
export function variables(program: Program): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: program.home, DEX_HOME: program.dexHome, TZ: "UTC" };
}

export function runDex(program: Program, ...args: string[]): Cost {
  return runNode(program, [join(program.dist, "dex.js"), ...args]);
}

/** The peak is that of the whole process, all its threads included. */
export function runDexForPeak(program: Program, ...args: string[]): Cost & { peak: number } {
  const file = join(program.cwd, "..", "peak");
  const preload = join(import.meta.dirname, "peak.mjs");
  const cost = runNode(program, ["--import", preload, join(program.dist, "dex.js"), ...args], { PEAK_FILE: file });
  return { ...cost, peak: Number(readFileSync(file, "utf8")) };
}

export function runNode(program: Program, args: readonly string[], vars: Record<string, string> = {}): Cost {
  const started = performance.now();
  const run = spawnSync(process.execPath, args, {
    cwd: program.cwd,
    env: { ...variables(program), ...vars },
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  const ms = performance.now() - started;
  // 1 is an answer too: nothing was found.
  if (run.status !== 0 && run.status !== 1) throw new Error(`node ${args.join(" ")} failed: ${run.stderr}`);
  return { ms, stdout: run.stdout };
}
