/**
 * Aider: one markdown file in the project folder, to which every run is appended.
 *
 * There is no central store: dex looks for the file in the folders the user named and in known projects. A run is a
 * conversation. Aider gives it no id, so dex makes one from the file and the line that begins the run.
 */
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { readLines } from "../../../../kernel/files/lines.ts";
import { asNumber, asObject, asString, type Json } from "../../../../kernel/json.ts";
import { canResume, resumeCheck } from "../../../history/building/resume.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { ConversationWriter } from "../../../history/building/writer.ts";
import { fileContainer } from "../../../history/reading/files.ts";
import { isReadable } from "../../../history/reading/tail.ts";
import type { Sink, Source } from "../../../history/source.ts";
import { historyFiles } from "../integration.ts";
import { RunReader } from "./runs.ts";

const ID = "aider";
const START = /^# aider chat started at (\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\s*$/;

export const aiderHistory: Source = {
  id: ID,
  places(env) {
    return historyFiles(env).map((path) => ({ path, what: "chat history of the project" }));
  },
  discover(env) {
    return historyFiles(env).flatMap((path) => fileContainer(ID, path) ?? []);
  },
  besideCode({ path }) {
    return { project: dirname(path), history: path };
  },
  read({ container, state, sink }) {
    if (asObject(state).stamp === container.stamp) return state;
    if (!isReadable(container.path, sink)) return state;
    return { stamp: container.stamp, ...readRuns(container.path, lastRun(container.path, state), sink) };
  },
};

/** The last run of the file at the last read: it may have grown, so dex reads it again. */
interface LastRun {
  offset: number;
  check: string;
  /** The number of runs with the same first line up to this one. */
  tie: number;
  /** The latest first line so far: a later one cannot be a tie. */
  latest: string;
}

function lastRun(path: string, state: Json | undefined): LastRun | undefined {
  const saved = asObject(state);
  const offset = asNumber(saved.offset);
  const tie = asNumber(saved.tie);
  const check = asString(saved.check);
  const latest = asString(saved.latest);
  if (offset === undefined || tie === undefined || check === undefined || latest === undefined) return undefined;
  return canResume(path, { offset, index: 0, check }) ? { offset, tie, check, latest } : undefined;
}

function readRuns(path: string, resumed: LastRun | undefined, sink: Sink): { [key: string]: Json } {
  let offset = resumed?.offset ?? 0;
  let tie = resumed?.tie ?? 1;
  let latest = resumed?.latest ?? "";
  let seen = resumed ? undefined : new Map<string, number>();
  let run = startRun(path, "", 1, sink);
  for (const line of readLines(path, { offset })) {
    if (line.oversized) sink.malformed(path, `line at byte ${line.offset} is too long`);
    // A line without a line break is still being written. dex reads its run again.
    if (!line.terminated) break;
    if (!START.test(line.text)) {
      run.reader.line(line.text);
      continue;
    }
    run.end();
    const start = line.text.trimEnd();
    // The last run of the previous read keeps its number; it may be the second with its first line.
    if (line.offset !== resumed?.offset) {
      if (!seen && start <= latest) seen = countStarts(path, line.offset);
      tie = (seen?.get(start) ?? 0) + 1;
    }
    seen?.set(start, tie);
    if (start > latest) latest = start;
    offset = line.offset;
    run = startRun(path, start, tie, sink);
  }
  run.end();
  return { offset, tie, latest, check: resumeCheck(path, offset) };
}

function countStarts(path: string, end: number): Map<string, number> {
  const seen = new Map<string, number>();
  for (const line of readLines(path)) {
    if (line.offset >= end) break;
    const start = line.text.trimEnd();
    if (START.test(start)) seen.set(start, (seen.get(start) ?? 0) + 1);
  }
  return seen;
}

interface Run {
  reader: RunReader;
  end(): void;
}

/** Lines before the first start (of a file whose head was cut off) are a run without a start. */
function startRun(path: string, start: string, tie: number, sink: Sink): Run {
  const hash = createHash("sha1").update(`${path}${start}`).digest("hex").slice(0, 12);
  const id = tie > 1 ? `aider-${hash}-${tie}` : `aider-${hash}`;
  const meta = { id, source: ID, project: dirname(path), created: localTime(start) };
  const writer = new ConversationWriter(sink, meta);
  let prompt: string | undefined;
  const reader = new RunReader((message) => {
    prompt ??= promptOf(message);
    writer.message(message);
  });
  const end = (): void => {
    reader.end();
    writer.close({ title: titleFrom(prompt), model: reader.model });
  };
  return { reader, end };
}

function promptOf({ role, parts: [part] }: Message): string | undefined {
  return role === "user" && part?.type === "text" ? part.text : undefined;
}

/** Aider writes local time, without a zone. */
function localTime(start: string): string | undefined {
  const [, ...digits] = START.exec(start) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = digits.map(Number);
  const time = new Date(year, month - 1, day, hour, minute, second);
  return digits.length === 0 || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
