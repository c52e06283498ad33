/**
 * Reconstructs a file as a conversation wrote it: from whole writes, the edits after them, and whole reads in between.
 * Where a conversation only edits, a commit's version of the file serves as the start if the edits fit. Changes by shell
 * commands and by people are invisible, unless a later edit does not fit.
 */
import { callFiles } from "../../conversations/activity/derive.ts";
import { callKind } from "../../conversations/activity/tools.ts";
import type { Message, ToolCallPart, ToolResultPart } from "../../conversations/model.ts";
import { isObject } from "../../kernel/json.ts";
import { applyStep } from "./apply.ts";
import { type FileStep, stepsOf } from "./steps.ts";

/** The start of a version: the conversation wrote or read the whole file, or a commit had it. */
export type Base = { from: "write" | "read" } | { from: "commit"; sha: string };

export interface FileVersion {
  /** The index of the message. */
  index: number;
  time: number;
  kind: FileStep["kind"];
  /** Null: the file was deleted. Undefined: unknown, for the reason in `why`. */
  text: string | null | undefined;
  base: Base | undefined;
  why?: string;
}

export interface ReconstructOptions {
  isFile(path: string): boolean;
  /** The time of a message without one. */
  fallback: number;
  /** Versions of the file in commits between these times, the latest first. */
  committed(after: number, before: number): AsyncIterable<{ sha: string; text: string }>;
}

interface Open {
  steps: FileStep[];
  index: number;
  time: number;
  /** The call reads the whole file. */
  reads: boolean;
}

const MAX_VERSIONS = 2000;
/** Claude Code's Read truncates longer files and lines. */
const MAX_READ_LINES = 2000;
const MAX_READ_LINE_CHARS = 2000;

/** Each version that the conversation made, in order. */
export async function reconstruct(
  messages: Iterable<{ index: number; message: Message }>,
  options: ReconstructOptions,
): Promise<FileVersion[]> {
  const versions: FileVersion[] = [];
  let text: string | null | undefined;
  let base: Base | undefined;
  const apply = async ({ steps, index, time }: Open): Promise<void> => {
    for (const step of steps) {
      if (versions.length >= MAX_VERSIONS) return;
      let applied = applyStep(text, step);
      if (step.kind === "write") base = { from: "write" };
      else if (!("text" in applied) && step.kind !== "unclear") {
        // A commit from before the conversation's last edit would lack that edit.
        for await (const { sha, text: start } of options.committed(versions.at(-1)?.time ?? 0, time)) {
          const again = applyStep(start, step);
          if (!("text" in again)) continue;
          applied = again;
          base = { from: "commit", sha };
          break;
        }
      }
      text = "text" in applied ? applied.text : undefined;
      if (text === undefined) base = undefined;
      versions.push({ index, time, kind: step.kind, text, base, ...("why" in applied ? { why: applied.why } : {}) });
    }
  };
  for (const { result, open } of answered(messages, options)) {
    if (result?.is_error === true || hasFailed(result)) continue;
    const read = open.reads && result ? wholeRead(result.output) : undefined;
    if (read !== undefined && read !== text) {
      text = read;
      base = { from: "read" };
    }
    await apply(open);
  }
  return versions;
}

/** Calls on the file in order, with their results where the agent recorded them. */
function answered(
  messages: Iterable<{ index: number; message: Message }>,
  { isFile, fallback }: ReconstructOptions,
): { result: ToolResultPart | undefined; open: Open }[] {
  const calls: { result: ToolResultPart | undefined; open: Open }[] = [];
  const byId = new Map<string, (typeof calls)[number]>();
  for (const { index, message } of messages) {
    const time = message.time === undefined ? fallback : Date.parse(message.time);
    for (const part of message.parts) {
      if (part.type === "tool_call") {
        const steps = stepsOf(part).filter(({ path }) => isFile(path));
        const reads = steps.length === 0 && readsWhole(part, isFile);
        if (steps.length === 0 && !reads) continue;
        const call = { result: undefined, open: { steps, index, time, reads } };
        calls.push(call);
        if (part.id !== undefined) byId.set(part.id, call);
      } else if (part.type === "tool_result" && part.id !== undefined) {
        const call = byId.get(part.id);
        // The output of an edit is not needed, and may be large.
        if (call) call.result = call.open.reads ? part : { ...part, output: part.output.slice(0, 400) };
      }
    }
  }
  return calls;
}

function readsWhole(call: ToolCallPart, isFile: (path: string) => boolean): boolean {
  if (callKind(call) !== "read" || !isObject(call.input)) return false;
  const { offset, limit, view_range: range } = call.input;
  if (offset !== undefined || limit !== undefined || range !== undefined) return false;
  const files = callFiles(call);
  return files.length === 1 && files.every(({ path }) => isFile(path));
}

/** Not every agent marks the result of a failed call. */
function hasFailed(result: ToolResultPart | undefined): boolean {
  if (!result) return false;
  return /^(?:<tool_use_error>|error[: ]|apply_patch verification failed|failed to |no match(?:es)? found|the user doesn't want)/i.test(
    result.output.trimStart(),
  );
}

/** The file that a numbered listing from line 1 shows; undefined if it may be truncated. */
function wholeRead(output: string): string | undefined {
  const lines: string[] = [];
  const note = output.indexOf("<system-reminder>");
  const rows = (note < 0 ? output : output.slice(0, note)).split("\n");
  while (rows.at(-1) === "") rows.pop();
  for (const row of rows) {
    const [, number, line = ""] = /^ *(\d{1,7})(?:\t|→)(.*)$/.exec(row) ?? [];
    if (Number(number) !== lines.length + 1 || line.length >= MAX_READ_LINE_CHARS) return undefined;
    lines.push(line);
  }
  if (lines.length >= MAX_READ_LINES) return undefined;
  return lines.at(-1) === "" ? lines.join("\n") : `${lines.join("\n")}\n`;
}
