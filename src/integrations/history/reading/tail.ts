/** The part of an append-only file that is new since the last read. */
import { accessSync, constants } from "node:fs";
import { errorMessage } from "../../../kernel/errors.ts";
import { asNumber, asObject, asString, type Json, type JsonObject } from "../../../kernel/json.ts";
import { canResume, type ResumePoint, resumeCheck } from "../building/resume.ts";
import type { Sink } from "../source.ts";

export interface Tail {
  /** End of the last record that was read. */
  offset: number;
  /** Messages that stay unchanged. */
  index: number;
  /** The whole saved state, with the source's own fields. */
  saved: JsonObject;
}

/**
 * Where to resume, if the file has only grown. A conversation without messages yet is read whole: it was never opened,
 * so its first opening must include everything from the head of the file.
 */
export function tailOf(path: string, state: Json | undefined): Tail | undefined {
  const saved = asObject(state);
  const offset = asNumber(saved.offset);
  const index = asNumber(saved.index);
  const check = asString(saved.check);
  if (offset === undefined || index === undefined || check === undefined || index < 1) return undefined;
  return canResume(path, { offset, index, check }) ? { offset, index, saved } : undefined;
}

export function resumePoint(path: string, offset: number, index: number): ResumePoint {
  return { offset, index, check: resumeCheck(path, offset) };
}

/** A file that was deleted or may not be read is reported, not thrown. */
export function isReadable(path: string, sink: Pick<Sink, "malformed">): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    sink.malformed(path, errorMessage(error));
    return false;
  }
}

/** For a first pass over records that a second pass reads again: each malformed line is counted once. */
export const silent: Pick<Sink, "malformed"> = { malformed() {} };
