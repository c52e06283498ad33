/** Runs the built program as a user would, in a separate home. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { dexPaths } from "../../../src/config/paths.ts";
import { acquireLock, type Lock } from "../../../src/kernel/lock.ts";
import { temporaryFolder } from "../repository.ts";
import { CHECKOUT } from "./checkout.ts";
import { COMPILE_CACHE, HANG_MS } from "./limits.ts";
import { mayShare, runResident, runResidentBeside } from "./resident.ts";
import { running } from "./running.ts";

export const program = join(CHECKOUT, "dist/dex.js");
export const sampleHome = join(CHECKOUT, "samples/home");

export interface Answer {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** The output of a running program until it ends. */
export function answerOf(child: ChildProcess): Promise<Answer> {
  running(child);
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, stdout, stderr }));
  });
}

/** A home of its own for dex, which is removed when the process ends. */
export class TestHome {
  readonly home: string;
  readonly dexHome: string;
  readonly vars: Record<string, string>;
  /** The working folder of programs. */
  cwd: string;

  constructor(options: { samples?: boolean; vars?: Record<string, string> } = {}) {
    this.home = temporaryFolder();
    this.dexHome = join(this.home, ".dex");
    this.cwd = this.home;
    this.vars = options.vars ?? {};
    if (options.samples) cpSync(sampleHome, this.home, { recursive: true });
  }

  /** In the resident program; tests of the process itself use `runFresh`. */
  run(...args: string[]): Answer {
    if (!mayShare(args, this.vars)) return this.runFresh(...args);
    return runResident(program, { args, cwd: this.cwd, env: this.env });
  }

  /** The same in a separate process. */
  runFresh(...args: string[]): Answer {
    const run = spawnSync(process.execPath, [program, ...args], {
      cwd: this.cwd,
      env: this.env,
      encoding: "utf8",
      maxBuffer: 256 << 20,
      timeout: HANG_MS,
    });
    return { status: run.status, stdout: run.stdout, stderr: run.stderr };
  }

  /** Like `run`, while this process continues: for commands that call a server of the test. */
  async runBeside(...args: string[]): Promise<Answer> {
    if (mayShare(args, this.vars)) return runResidentBeside(program, { args, cwd: this.cwd, env: this.env });
    return answerOf(spawn(process.execPath, [program, ...args], { cwd: this.cwd, env: this.env, timeout: HANG_MS }));
  }

  /** The same home with other variables. */
  withVars(vars: Record<string, string>): TestHome {
    const other: TestHome = Object.create(TestHome.prototype);
    return Object.assign(other, {
      home: this.home,
      dexHome: this.dexHome,
      cwd: this.cwd,
      vars: { ...this.vars, ...vars },
    });
  }

  /** The parsed answer of a command that must succeed, or find nothing. */
  json<T = Record<string, unknown>>(...args: string[]): T {
    const answer = this.run(...args, "--json");
    if (answer.status !== 0 && answer.status !== 1) throw new Error(`dex ${args.join(" ")}: ${answer.stderr}`);
    return JSON.parse(answer.stdout) as T;
  }

  start(...args: string[]): ChildProcess {
    return running(spawn(process.execPath, [program, ...args], { cwd: this.cwd, env: this.env, stdio: "ignore" }));
  }

  /** A program that communicates through its streams. */
  open(...args: string[]): ChildProcessWithoutNullStreams {
    return running(spawn(process.execPath, [program, ...args], { cwd: this.cwd, env: this.env }));
  }

  /** As a sync in another process holds it: dex cannot write the index until it is released. */
  lockIndex(): Lock {
    const lock = acquireLock(dexPaths(this.env).lock, 0);
    if (!lock) throw new Error("the index is locked already");
    return lock;
  }

  /** Sooner: for tests with many or large homes. */
  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  get env(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? "",
      HOME: this.home,
      DEX_HOME: this.dexHome,
      TZ: "UTC",
      DEX_HOOKS_REFRESH: "off",
      DEX_SYNC_BACKGROUND: "off",
      // Compiled once for all homes of all tests.
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...this.vars,
    };
  }
}

/** The shared measuring data, if it is next to the repository; otherwise the reason why a test is skipped. */
export function sharedData(...path: string[]): { path: string; skip: string | false } {
  const base = process.env.DEX_SHARED ?? join(CHECKOUT, "../shared");
  const full = join(base, ...path);
  return { path: full, skip: existsSync(full) ? false : `${path.join("/")} is not next to this checkout` };
}
