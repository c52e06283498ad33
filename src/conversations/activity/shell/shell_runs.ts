/**
 * The shell commands that a message calls, and the ends of commands that it reports. A call and its result are in
 * different messages, which are judged one by one, so they are matched when they are read.
 */
import type { Message } from "../../model.ts";
import { outcomeOf } from "../outcome.ts";
import { shellCommand, toolKind } from "../tools.ts";
import { reportsFailures, wasNotRun } from "./commands.ts";

/**
 * How a command line ended. `reported`: it passed, but its output reports failures, so if it ends in a pipe, the exit
 * code is not that of the command. `unclear`: not run, interrupted or still running.
 */
export const SHELL_OUTCOMES = ["passed", "failed", "reported", "unclear"] as const;
export type ShellOutcome = (typeof SHELL_OUTCOMES)[number];

/** Longer command lines are mostly scripts in a here-document. */
const MAX_COMMAND_CHARS = 2000;

export interface ShellCall {
  /** The position in the message. */
  part: number;
  id: string | undefined;
  command: string;
}

export interface ShellResult {
  part: number;
  id: string | undefined;
  outcome: ShellOutcome;
  exit_code: number | null;
}

export function deriveShellRuns({ parts }: Message): { calls: ShellCall[]; results: ShellResult[] } {
  const calls: ShellCall[] = [];
  const results: ShellResult[] = [];
  for (const [part, each] of parts.entries()) {
    if (each.type === "tool_call") {
      const command = shellCommand(each);
      if (command !== undefined) calls.push({ part, id: each.id, command: command.slice(0, MAX_COMMAND_CHARS) });
    }
    // An agent that names no tool in its results gives ids.
    if (each.type !== "tool_result" || (each.name === undefined ? each.id === undefined : !isShell(each.name)))
      continue;
    const outcome = outcomeOf(each);
    results.push({
      part,
      id: each.id,
      outcome:
        wasNotRun(each) || outcome === "interrupted"
          ? "unclear"
          : outcome === "passed" && reportsFailures(each)
            ? "reported"
            : outcome,
      exit_code: each.exit_code ?? null,
    });
  }
  return { calls, results };
}

function isShell(name: string): boolean {
  return toolKind(name) === "shell";
}
