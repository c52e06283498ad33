/** The OpenCode program: found on the PATH, started with the person's terminal, ended as it ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { constants as system } from "node:os";
import { join } from "node:path";
import { DexError } from "../kernel/errors.ts";
import { findOnPath } from "../kernel/programs.ts";

/** On Windows npm puts a script on the PATH, which only a shell can run; the program itself lies beside it. */
const NAMES =
  process.platform === "win32"
    ? ["opencode.exe", join("node_modules", "opencode-ai", "bin", "opencode.exe")]
    : ["opencode"];

export function findOpencode(vars: NodeJS.ProcessEnv): string {
  const found = findOnPath(NAMES, vars);
  if (found) return found;
  const message = "dex chat needs OpenCode, which is not on the PATH: install it with `npm install -g opencode-ai`.";
  throw new DexError("no_opencode", message);
}

export interface StartOptions {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Its output is not shown. */
  quiet: boolean;
  /**
   * Given on its standard input in place of dex's own. A question goes this way: as arguments its words would be
   * quoted, numbers among them rewritten, and other users could see them.
   */
  input?: string;
}

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs it to its end and returns its exit status; 128 and the signal's number when a signal ended it. */
export function runOpencode(program: string, options: StartOptions): Promise<number> {
  const { args, env, cwd, input } = options;
  const stdin = input === undefined ? "inherit" : "pipe";
  const child = spawn(program, args, { env, cwd, stdio: [stdin, options.quiet ? "ignore" : "inherit", "inherit"] });
  // One that ends before it has read the question says why by itself.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  const stop = forwardSignals(child);
  return new Promise<number>((resolve, reject) => {
    child.once("error", (error) =>
      reject(new DexError("opencode_failed", `${program} could not be started: ${error.message}`, { cause: error })),
    );
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? system.signals[signal] : 0)));
  }).finally(stop);
}

/** dex lives on until OpenCode has ended, to write down what was said. At a terminal both get its Ctrl-C anyway. */
function forwardSignals(child: ChildProcess): () => void {
  const handlers = FORWARDED.map((signal) => {
    const handler = (): void => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => {
    for (const remove of handlers) remove();
  };
}
