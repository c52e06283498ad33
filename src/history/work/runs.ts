/**
 * Collects the runs of commands in one conversation: the last few of each command, whether they failed and what the
 * output said, and whether a file was edited afterwards, which makes a failure less certain to come again.
 */
import { OpenCalls } from "../../conversations/activity/calls.ts";
import {
  commandName,
  errorLine,
  runOutcome,
  TRUNCATING_PIPE,
  wasNotRun,
} from "../../conversations/activity/shell/commands.ts";
import { callKind, shellCommand } from "../../conversations/activity/tools.ts";
import type { Message, ToolCallPart, ToolResultPart } from "../../conversations/model.ts";
import type { CommandRun } from "../../store/history_records.ts";

const MAX_COMMANDS = 300;
const MAX_RUNS_EACH = 5;

/** A run with the index of its result. */
export type FoundRun = Omit<CommandRun, "owner" | "place"> & { index: number };

interface OpenRun {
  name: string;
  isPiped: boolean;
}

export class RunCollector {
  readonly #roots: readonly string[];
  readonly #folder: string;
  readonly #open = new OpenCalls<OpenRun | undefined>();
  readonly #runs = new Map<string, FoundRun[]>();
  #lastEdit = -1;

  /** `roots`: the folders of the project. `folder`: the conversation's own. */
  constructor(roots: readonly string[], folder: string) {
    this.#roots = roots;
    this.#folder = folder;
  }

  take(index: number, message: Message, time: number): void {
    for (const part of message.parts) {
      if (part.type === "tool_call") this.#call(part, index);
      if (part.type === "tool_result") this.#result(part, index, time);
    }
  }

  #call(call: ToolCallPart, index: number): void {
    const command = shellCommand(call);
    if (callKind(call) === "edit") this.#lastEdit = index;
    // Without an id, calls and results are matched by their order, which is not certain enough here.
    const isSure = command !== undefined && call.id !== undefined;
    const name = isSure ? commandName(command, this.#roots, this.#folder) : undefined;
    const isPiped = command !== undefined && command.replace(TRUNCATING_PIPE, "") !== command.trimEnd();
    this.#open.add(call, name === undefined ? undefined : { name, isPiped });
  }

  #result(result: ToolResultPart, index: number, time: number): void {
    const open = this.#open.take(result);
    if (!open || wasNotRun(result)) return;
    const outcome = runOutcome(result, open.isPiped);
    if (outcome === "interrupted") return;
    const known = this.#runs.get(open.name) ?? [];
    if (known.length === 0 && this.#runs.size >= MAX_COMMANDS) return;
    const hasFailed = outcome === "failed";
    const message = hasFailed ? (errorLine(result.output) ?? null) : null;
    known.push({ command: open.name, index, failed: hasFailed, edited: false, message, time });
    if (known.length > MAX_RUNS_EACH) known.shift();
    this.#runs.set(open.name, known);
  }

  /** In the order of the conversation. */
  runs(): FoundRun[] {
    return [...this.#runs.values()]
      .flat()
      .map((run) => ({ ...run, edited: this.#lastEdit > run.index }))
      .sort((a, b) => a.index - b.index);
  }
}
