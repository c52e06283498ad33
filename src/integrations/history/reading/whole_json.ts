/**
 * Files that contain one JSON document and are rewritten at every turn.
 *
 * They cannot be read from an offset: after a change, dex reads the whole file. One that does not parse is most likely
 * being written right now, so the caller keeps its old state and retries.
 */
import { readFileSync } from "node:fs";
import { errorMessage } from "../../../kernel/errors.ts";
import { type Json, parseJson } from "../../../kernel/json.ts";
import type { Sink } from "../source.ts";
import { statOrUndefined } from "./files.ts";
import { BYTE_ORDER_MARK } from "./jsonl.ts";

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
    text = readFileSync(path, "utf8").replace(BYTE_ORDER_MARK, "");
  } catch (error) {
    sink.malformed(path, errorMessage(error));
    return { kind: "torn" };
  }
  const value = parseJson(text);
  if (value !== undefined) return { kind: "read", value };
  sink.malformed(path, "not a complete JSON document");
  return { kind: "torn" };
}

/** A small side file (titles, settings): if it is missing or damaged, only its content is lost. */
export function readSideJson(path: string): Json | undefined {
  const side = readWholeJson(path, { malformed() {} });
  return side.kind === "read" ? side.value : undefined;
}
