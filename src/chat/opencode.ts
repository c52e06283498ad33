/** Finds OpenCode on the PATH, runs it in the user's terminal, and returns its exit status. */
import { type ChildProcess, spawn } from "node:child_process";
import { constants as system } from "node:os";
import { join } from "node:path";
import { DexError } from "../kernel/errors.ts";
import { findOnPath, withSafePath } from "../kernel/programs.ts";

/** On Windows npm puts a script on the PATH, which only a shell can run; the program itself is in the same folder. */
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
  /** Hides its output. */
  quiet: boolean;
  /**
   * Text for its standard input instead of dex's own. dex passes questions this way, because OpenCode would quote the
   * words of an argument and rewrite numbers, and other users could see them in the list of processes.
   */
  input?: string;
}

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs OpenCode to its end and returns its exit status; 128 plus the signal's number when a signal ended it. */
export function runOpencode(program: string, options: StartOptions): Promise<number> {
  const { args, cwd, input } = options;
  const env = withSafePath(options.env);
  const stdin = input === undefined ? "inherit" : "pipe";
  const child = spawn(program, args, { env, cwd, stdio: [stdin, options.quiet ? "ignore" : "inherit", "inherit"] });
  // If OpenCode ends before it has read the question, it reports the reason itself.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  const stop = forwardSignals(child);
  return new Promise<number>((resolve, reject) => {
    child.once("error", (error) =>
      reject(
        new DexError("opencode_failed", `${program} could not be started: ${error.message}`, {
          hint: `Check that \`${program} --version\` works.`,
          cause: error,
        }),
      ),
    );
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? system.signals[signal] : 0)));
  }).finally(stop);
}

/** dex keeps running until OpenCode has ended, to record the messages. At a terminal both receive Ctrl-C anyway. */
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
