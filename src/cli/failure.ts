/** Reports a failed command: one sentence and a hint, never a stack trace or a dump. */
import { DexError, errorMessage, systemCode } from "../kernel/errors.ts";
import { jsonText } from "../text/clean.ts";
import { USAGE_CODES } from "./arguments.ts";
import { INTERRUPTED_STATUS } from "./terminal/interrupt.ts";
import { writeNotice } from "./terminal/notice.ts";
import { stderr, stdout } from "./terminal/standard_streams.ts";

const MAX_MESSAGE_CHARS = 300;

/** Prints the error and returns the exit status. `verb` is the command, if known. */
export function fail(error: unknown, json: boolean, verb?: string): number {
  const known = error instanceof DexError ? error : unexpected(error);
  const who = verb !== undefined && USAGE_CODES.has(known.code) ? `dex ${verb}` : "dex";
  writeNotice(`${who}: ${known.message}${known.hint ? `\n${known.hint}` : ""}`);
  if (process.env.DEX_DEBUG && error instanceof Error) stderr().write(`${error.stack ?? ""}\n`);
  if (json) {
    const { code, message, hint } = known;
    stdout().write(`${jsonText({ error: { code, message, hint } })}\n`);
  }
  return known.code === "stopped" ? INTERRUPTED_STATUS : known.exitCode;
}

function unexpected(error: unknown): DexError {
  const hint = process.env.DEX_DEBUG ? undefined : "Set DEX_DEBUG=1 for details.";
  return new DexError("unexpected", `unexpected failure: ${sentenceOf(error)}`, { hint, cause: error });
}

/** The first line of the message. The message of a validator is a long document that does not help. */
function sentenceOf(error: unknown): string {
  if (error instanceof Error && error.name === "ZodError") return "data in an unexpected format.";
  const line = errorMessage(error).trim().split("\n")[0] ?? "";
  const code = systemCode(error);
  const text = line === "" ? (code ?? "without a message") : line;
  return text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text;
}

/** Reports errors that no caller catches in the same way as those of a command. */
export function endOnUncaught(json: boolean): void {
  process.on("uncaughtException", (error) => process.exit(fail(error, json)));
}
