/** Starts another program that takes over this terminal, and waits for its end. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { DexError, errorMessage, systemCode } from "../../kernel/errors.ts";
import { programFile, withSafePath } from "../../kernel/programs.ts";

export function startProgram(command: readonly string[], cwd: string): Promise<number> {
  const [program = "", ...args] = command;
  return new Promise((resolve, reject) => {
    // Ctrl-C reaches both programs; leave it to the other one.
    const ignored = (): void => undefined;
    process.on("SIGINT", ignored);
    const child = spawn(programFile(program, process.env), args, {
      cwd,
      stdio: "inherit",
      env: withSafePath(process.env),
    });
    const finish = (done: () => void): void => {
      process.off("SIGINT", ignored);
      done();
    };
    child.once("error", (error) => finish(() => reject(cannotStart(program, error))));
    child.once("close", (status, signal) =>
      finish(() => resolve(status ?? 128 + (signal ? (constants.signals[signal] ?? 0) : 0))),
    );
  });
}

function cannotStart(program: string, error: unknown): DexError {
  if (systemCode(error) === "ENOENT") {
    return new DexError("no_program", `${program} is not installed, or not on your PATH.`, {
      hint: "Install it, or run the printed command on a machine that has it.",
      cause: error,
    });
  }
  return new DexError("no_program", `${program} could not be started: ${errorMessage(error)}`, {
    hint: "Run the printed command yourself.",
    cause: error,
  });
}
