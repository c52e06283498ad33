/**
 * Reconstructs a file as a conversation wrote it: from whole writes, the edits after them, and whole reads in between.
 * Where a conversation only edits, a commit's version of the file serves as the start if the edits fit. Changes by shell
 * commands and by people are invisible, unless a later edit does not fit.
 */
import { callFiles } from "../../conversations/activity/derive.ts";
import { callKind } from "../../conversations/activity/tools.ts";
import type { Message, ToolCallPart, ToolResultPart } from "../../conversations/model.ts";
import { isObject } from "../../kernel/json.ts";
import { type Applied, applyStep } from "./apply.ts";
import type { CommittedVersion } from "./committed.ts";
import { asSeen, type Listing, listingOf, wholeText } from "./listing.ts";
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
  committed(after: number, before: number): AsyncIterable<CommittedVersion>;
}

interface Open {
  steps: FileStep[];
  index: number;
  time: number;
  /** The call reads the file, or only some of its lines. */
  reads: "whole" | "lines" | undefined;
}

const MAX_VERSIONS = 2000;
/** A commit's version of the file with an edit. */
interface Start {
  sha: string;
  applied: Applied;
}

/** Each version that the conversation made, in order. */
export async function reconstruct(
  messages: Iterable<{ index: number; message: Message }>,
  options: ReconstructOptions,
): Promise<FileVersion[]> {
  const versions: FileVersion[] = [];
  let text: string | null | undefined;
  let base: Base | undefined;
  /** Parts of the file that the conversation read since it last changed it. */
  let seen: (Listing & { time: number })[] = [];
  /** The latest commit that the edit fits and that has the lines as they were seen, else the latest with a few others. */
  const fittingCommit = async (step: FileStep, after: number, before: number): Promise<Start | undefined> => {
    let nearly: Start | undefined;
    for await (const { sha, text: start, time } of options.committed(after, before)) {
      const applied = applyStep(start, step);
      if (!("text" in applied)) continue;
      const then = seen.filter((each) => each.time >= time).reduce(asSeen, start);
      if (then === start) return { sha, applied };
      const again = applyStep(then, step);
      if ("text" in again) nearly ??= { sha, applied: again };
    }
    return nearly;
  };
  const apply = async ({ steps, index, time }: Open): Promise<void> => {
    for (const step of steps) {
      if (versions.length >= MAX_VERSIONS) return;
      let applied = applyStep(text, step);
      if (step.kind === "write") base = { from: "write" };
      else if (!("text" in applied) && step.kind !== "unclear") {
        // A commit from before the conversation's last edit would lack that edit.
        const start = await fittingCommit(step, versions.at(-1)?.time ?? 0, time);
        if (start) {
          applied = start.applied;
          base = { from: "commit", sha: start.sha };
        }
      }
      text = "text" in applied ? applied.text : undefined;
      if (text === undefined) base = undefined;
      seen = [];
      versions.push({ index, time, kind: step.kind, text, base, ...("why" in applied ? { why: applied.why } : {}) });
    }
  };
  for (const { result, open } of answered(messages, options)) {
    if (result?.is_error === true || hasFailed(result)) continue;
    const listing = open.reads && result ? listingOf(result.output) : undefined;
    const read = open.reads === "whole" && listing ? wholeText(listing) : undefined;
    if (read !== undefined && read !== text) {
      text = read;
      base = { from: "read" };
    } else if (read === undefined && listing) {
      seen.push({ ...listing, time: open.time });
      if (typeof text === "string") text = asSeen(text, listing);
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
        const reads = steps.length === 0 ? readsOf(part, isFile) : undefined;
        if (steps.length === 0 && reads === undefined) continue;
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

function readsOf(call: ToolCallPart, isFile: (path: string) => boolean): Open["reads"] {
  if (callKind(call) !== "read" || !isObject(call.input)) return undefined;
  const files = callFiles(call);
  if (files.length !== 1 || !files.every(({ path }) => isFile(path))) return undefined;
  const { offset, limit, view_range: range } = call.input;
  return offset === undefined && limit === undefined && range === undefined ? "whole" : "lines";
}

/** Not every agent marks the result of a failed call. */
function hasFailed(result: ToolResultPart | undefined): boolean {
  if (!result) return false;
  return /^(?:<tool_use_error>|error[: ]|apply_patch verification failed|failed to |no match(?:es)? found|the user doesn't want)/i.test(
    result.output.trimStart(),
  );
}
