/**
 * Files that hold one JSON document and are written anew at every turn.
 *
 * They cannot be read from an offset: a change means reading all of it. One that does not parse is most likely being
 * written at this moment, so the caller keeps its old state and comes back.
 */
import { readFileSync } from "node:fs";
import { errorMessage } from "../../../kernel/errors.ts";
import { type Json, parseJson } from "../../../kernel/json.ts";
import type { Sink } from "../source.ts";
import { statOrUndefined } from "./files.ts";

const MAX_FILE_BYTES = 200 * 1024 * 1024;

type WholeJson = { kind: "read"; value: Json } | { kind: "missing" } | { kind: "torn" } | { kind: "too_large" };

export function readWholeJson(path: string, sink: Pick<Sink, "malformed">): WholeJson {
  let text: string;
  try {
    const stats = statOrUndefined(path);
    if (!stats?.isFile()) return { kind: "missing" };
    if (stats.size > MAX_FILE_BYTES) {
      sink.malformed(path, `${stats.size} bytes are too many for one JSON document`);
      return { kind: "too_large" };
    }
    text = readFileSync(path, "utf8");
  } catch (error) {
    sink.malformed(path, errorMessage(error));
    return { kind: "torn" };
  }
  const value = parseJson(text);
  if (value !== undefined) return { kind: "read", value };
  sink.malformed(path, "not a complete JSON document");
  return { kind: "torn" };
}

/** A small side file (titles, settings): its absence or damage costs nothing but what it would have told. */
export function readSideJson(path: string): Json | undefined {
  const side = readWholeJson(path, { malformed() {} });
  return side.kind === "read" ? side.value : undefined;
}
