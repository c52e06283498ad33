/**
 * Resumes an append-only file where the last read stopped.
 *
 * A file that was rewritten or truncated has other bytes before the offset: the check tells it from one that only grew.
 */
import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { asArray, asNumber, asString, isObject, type Json, type JsonObject } from "../../../kernel/json.ts";
import type { Mark } from "./transcript.ts";

export interface ResumePoint {
  /** Byte offset from which to resume. */
  offset: number;
  /** The number of messages before it. */
  index: number;
  /** `resumeCheck` of the offset when it was saved. */
  check: string;
}

const WINDOW = 64;

/** Base64 of the SHA-1 of the up to 64 bytes before `offset`; empty when the file does not reach that far. */
export function resumeCheck(path: string, offset: number): string {
  const bytes = bytesBefore(path, offset);
  return bytes ? createHash("sha1").update(bytes).digest("base64") : "";
}

export function canResume(path: string, point: ResumePoint): boolean {
  return point.check !== "" && resumeCheck(path, point.offset) === point.check;
}

/** The saved mark of a transcript, with its state; undefined if the file must be read from its beginning. */
export function savedResumeMark<State>(
  path: string,
  saved: JsonObject,
  stateOf: (carry: JsonObject) => State,
): Mark<State> | undefined {
  const offset = asNumber(saved.offset);
  const index = asNumber(saved.index);
  const check = asString(saved.check);
  if (offset === undefined || index === undefined || check === undefined || !isObject(saved.carry)) return undefined;
  return canResume(path, { offset, index, check }) ? { offset, index, state: stateOf(saved.carry) } : undefined;
}

/** Saved pairs of a text and a value; others are left out. */
export function savedPairs<T>(
  saved: Json | undefined,
  readValue: (value: Json | undefined) => T | undefined,
): [string, T][] {
  return asArray(saved).flatMap((pair): [string, T][] => {
    const [key, second] = asArray(pair);
    const value = readValue(second);
    return typeof key === "string" && value !== undefined ? [[key, value]] : [];
  });
}

function bytesBefore(path: string, offset: number): Buffer | undefined {
  if (!Number.isSafeInteger(offset) || offset < 0) return undefined;
  const length = Math.min(offset, WINDOW);
  const bytes = Buffer.alloc(length);
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    return readSync(fd, bytes, 0, length, offset - length) === length ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
