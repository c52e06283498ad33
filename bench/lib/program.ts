/** The built program in a separate home, as a user starts it, with the cost of one run. */
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { asNumber, isObject, parseJson } from "../../src/kernel/json.ts";

export interface Program {
  /** A copy of `dist` in a copy of the package, so a build in the meantime does not change the measured program. */
  dist: string;
  /** An empty folder: the one the program is started in. */
  cwd: string;
  home: string;
  dexHome: string;
  /** A command that starts the program with less than the whole machine: `taskset -c 0`. */
  launcher?: readonly string[];
}

export interface Cost {
  ms: number;
  stdout: string;
}

/** Of the whole process, all its threads together. */
export interface Usage {
  /** Bytes. */
  peak: number;
  /** Milliseconds. */
  cpu: number;
  /** Of the main thread alone: on a busy machine the nearest to the time that an idle one would take. */
  main: number;
}

/** Copies the built package to `folder`, and returns its `dist`. */
export function copyPackage(root: string, folder: string): string {
  const built = join(root, "dist");
  if (!existsSync(join(built, "dex.js"))) throw new Error("There is no build to measure: run `npm run build`.");
  // With its package.json: without one Node has to detect the kind of module for each file.
  const dist = join(folder, "dist");
  cpSync(built, dist, { recursive: true });
  copyFileSync(join(root, "package.json"), join(folder, "package.json"));
  return dist;
}

/** Only the path of the environment reaches it: settings and agents' folders are those of the corpus. */
export function variables(program: Program): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: program.home, DEX_HOME: program.dexHome, TZ: "UTC" };
}

export function dexCommand(program: Program, ...args: string[]): string[] {
  return [join(program.dist, "dex.js"), ...args];
}

export function runNode(
  program: Program,
  args: readonly string[],
  vars: Record<string, string> = {},
  input = "",
): Cost {
  const [command = "", ...first] = [...(program.launcher ?? []), process.execPath];
  const started = performance.now();
  const run = spawnSync(command, [...first, ...args], {
    cwd: program.cwd,
    env: { ...variables(program), ...vars },
    input,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  const ms = performance.now() - started;
  // 1 is a success too: nothing was found.
  if (run.status !== 0 && run.status !== 1) throw new Error(`node ${args.join(" ")} failed: ${run.stderr}`);
  return { ms, stdout: run.stdout };
}

export function runForUsage(
  program: Program,
  args: readonly string[],
  vars: Record<string, string> = {},
  input = "",
): Cost & Usage {
  const file = join(program.cwd, "../usage.json");
  const preload = join(import.meta.dirname, "usage.mjs");
  const cost = runNode(program, ["--import", preload, ...args], { ...vars, USAGE_FILE: file }, input);
  const usage = parseJson(readFileSync(file, "utf8"));
  const peak = isObject(usage) ? asNumber(usage.peak) : undefined;
  const cpu = isObject(usage) ? asNumber(usage.cpu) : undefined;
  const main = isObject(usage) ? asNumber(usage.main) : undefined;
  if (peak === undefined || cpu === undefined || main === undefined)
    throw new Error(`${file} does not say what the run used`);
  return { ...cost, peak, cpu, main };
}
