/**
 * Codex: CLI, app and editor extension. dex reads a thread from its newest rollout file, and before it the earlier files
 * that a reverted thread continues.
 */
import { defined } from "../../../../kernel/defined.ts";
import { errorMessage } from "../../../../kernel/errors.ts";
import { type Line, readLines } from "../../../../kernel/files/lines.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  type Json,
  type JsonObject,
} from "../../../../kernel/json.ts";
import { resumeCheck, savedPairs, savedResumeMark } from "../../../history/building/resume.ts";
import { heldBackOf, type Mark, Transcript } from "../../../history/building/transcript.ts";
import { fileContainer } from "../../../history/reading/files.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { isReadable } from "../../../history/reading/tail.ts";
import { zstdLines } from "../../../history/reading/zstd_lines.ts";
import type { Lineage, ReadRequest, Sink, Source } from "../../../history/source.ts";
import { codexHomes } from "../integration.ts";
import { adoptStoredName, NOTHING_READ, type Reading, type ResumeState, withHashedTexts } from "./reading.ts";
import { canSkip, readRecord } from "./records.ts";
import { basesOf, type CodexFamily, folders, headOf, isBetter, type Rollout, rolloutOf, rollouts } from "./rollouts.ts";
import { threadName } from "./titles.ts";

/** Compactions repeat the whole history in one line of up to 100 MB. */
const DROP_KEYS = ["replacement_history", "encrypted_content", "image_url"];

export const codexHistory: Source = codexStyleSource({ id: "codex", homes: codexHomes });

export function codexStyleSource(family: CodexFamily): Source {
  return {
    id: family.id,
    places(env) {
      return folders(family, env).map((path) => ({ path, what: "one .jsonl or .jsonl.zst file per thread" }));
    },
    discover(env) {
      const best = new Map<string, Rollout>();
      for (const rollout of rollouts(family, env)) {
        const other = best.get(rollout.thread);
        if (!other || isBetter(rollout, other)) best.set(rollout.thread, rollout);
      }
      const containers = Array.from(best.values(), ({ path }) => fileContainer(family.id, path));
      return containers.filter((container) => container !== undefined);
    },
    lineage({ path }): Lineage {
      const meta = headOf(path);
      const spawn = asObject(asObject(asObject(meta.source).subagent).thread_spawn);
      return defined({
        id: firstString(meta, "id") ?? rolloutOf(path).thread,
        forkOf: firstString(meta, "forked_from_id") ?? firstString(spawn, "parent_thread_id"),
      });
    },
    read: (request) => read(family, request),
  };
}

function read(family: CodexFamily, request: ReadRequest): Json | undefined {
  const { container, sink } = request;
  const { path, stamp } = container;
  const saved = asObject(request.state);
  if (!isReadable(path, sink)) return request.state;
  const { thread, compressed } = rolloutOf(path);
  if (compressed && saved.stamp === stamp) return request.state;
  const resumed = compressed ? undefined : savedResumeMark(path, saved, toResumeState);
  if (resumed && saved.end === fileContainer(family.id, path)?.bytes) return request.state;

  const state = readFrom(family, request, thread, resumed);
  if (state !== GOES_BACK_FURTHER) return state;
  const again = readFrom(family, request, thread, undefined, heldBackOf(container.bytes));
  return again === GOES_BACK_FURTHER ? undefined : again;
}

const GOES_BACK_FURTHER = Symbol("goes back further");

function readFrom(
  family: CodexFamily,
  request: ReadRequest,
  thread: string,
  resumed: Mark<ResumeState> | undefined,
  heldBack?: number,
): Json | undefined | typeof GOES_BACK_FURTHER {
  const { container, env, sink, inherited } = request;
  const { path, stamp } = container;
  const start: Mark<ResumeState> = resumed ?? { offset: 0, index: 0, state: NOTHING_READ };
  const meta = { id: start.state.id ?? thread, source: family.id };
  const transcript = new Transcript<ResumeState>(sink, meta, start, heldBack);
  const nameOf = (id: string): string | undefined => threadName(family.homes(env), id);
  const reading: Reading = defined({ transcript, inherited, nameOf, dialect: family.dialect, first: false });
  if (resumed) adoptStoredName(reading);
  else for (const base of basesOf(family, path, env)) readFile(reading, base.path, 0, sink, base.before);
  // Offsets count in this file only: messages of earlier files are not read again.
  const end = readFile(reading, path, start.offset, sink);
  const mark = transcript.close(end.record);
  if (transcript.goesBackFurther && heldBack === undefined) return GOES_BACK_FURTHER;
  if (!mark) return undefined;
  if (path.endsWith(".zst")) return { stamp };
  if (mark.offset < 0) return undefined;
  return {
    offset: mark.offset,
    index: mark.index,
    check: resumeCheck(path, mark.offset),
    end: Math.max(end.line, end.record),
    carry: toJson(withHashedTexts(mark.state)),
  };
}

/** Returns the end of the last record, and of the last finished line. */
function readFile(
  reading: Reading,
  path: string,
  offset: number,
  sink: Sink,
  before?: number,
): { record: number; line: number } {
  const { transcript } = reading;
  const end = { record: offset, line: offset };
  const lines = function* (): Generator<Line> {
    try {
      const source = path.endsWith(".zst")
        ? zstdLines(path, { dropKeys: DROP_KEYS })
        : readLines(path, { offset, dropKeys: DROP_KEYS });
      for (const line of source) {
        yield line;
        if (line.terminated || canSkip(line.text)) end.line = line.end;
      }
    } catch (error) {
      sink.malformed(path, errorMessage(error));
    }
  };
  let reverted: { index: number; state: ResumeState } | undefined;
  for (const record of readRecords(path, { lines: lines(), skip: canSkip, sink })) {
    if (before !== undefined && (asNumber(record.value.ordinal) ?? 0) >= before) {
      reverted ??= { index: transcript.position, state: transcript.state };
    }
    transcript.begin(record.offset, before === undefined);
    reading.first = record.offset === 0;
    readRecord(reading, record.value);
    if (transcript.refused) break;
    end.record = record.end;
  }
  if (reverted) {
    transcript.state = reverted.state;
    transcript.cut(reverted.index);
  }
  return end;
}

function toJson(state: ResumeState): JsonObject {
  return { ...state };
}

function toResumeState(saved: JsonObject): ResumeState {
  return defined({
    id: asString(saved.id),
    turn: asString(saved.turn),
    model: asString(saved.model),
    ownFrom: asNumber(saved.ownFrom),
    calls: savedPairs(saved.calls, asString),
    texts: savedPairs(saved.texts, asNumber),
    prompts: asArray(saved.prompts).filter((each) => typeof each === "number"),
    lastAnswer: asString(saved.lastAnswer),
    prompted: saved.prompted === true ? true : undefined,
    titled: asString(saved.titled),
    total: asString(saved.total),
    appended:
      saved.appended === undefined
        ? undefined
        : asArray(saved.appended)
            .map(asString)
            .filter((id) => id !== undefined),
  });
}
