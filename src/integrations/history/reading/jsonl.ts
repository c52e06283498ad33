/** Records of a JSON Lines file, from a byte offset on, with the torn and malformed lines that real files have. */
import { type Line, readLines } from "../../../kernel/files/lines.ts";
import { isObject, type JsonObject, parseJson } from "../../../kernel/json.ts";
import type { Sink } from "../source.ts";

export interface Record {
  value: JsonObject;
  /** Byte offset of the line. */
  offset: number;
  /** Byte offset of the end of the line. */
  end: number;
}

export interface RecordOptions {
  offset?: number;
  dropKeys?: readonly string[];
  sink: Pick<Sink, "malformed">;
  /** Given instead of reading the path: lines of a file that had to be decompressed. */
  lines?: Iterable<Line>;
  /** Lines for which this returns true are skipped unparsed: dex needs only a small part of a transcript. */
  skip?: (text: string) => boolean;
}

/** Programs on Windows write it when they copy or convert a file. */
const BYTE_ORDER_MARK = /^\uFEFF/;

/**
 * A newline-terminated line that does not parse is counted and skipped; two objects on one line are both returned. An
 * unterminated last line that does not parse is being written right now: it ends the read, and the next sync begins
 * with it.
 */
export function* readRecords(path: string, options: RecordOptions): Generator<Record> {
  const lines = options.lines ?? readLines(path, options);
  for (const line of lines) {
    if (line.oversized) {
      options.sink.malformed(path, `line at byte ${line.offset} is too long`);
      continue;
    }
    if (line.text === "" || options.skip?.(line.text)) continue;
    const value = parseJson(line.offset === 0 ? line.text.replace(BYTE_ORDER_MARK, "") : line.text);
    if (isObject(value)) {
      yield { value, offset: line.offset, end: line.end };
      continue;
    }
    if (value === undefined && !line.terminated) return;
    if (line.text.trim() === "") continue;
    options.sink.malformed(path, `line at byte ${line.offset} is not a JSON object`);
    for (const piece of splitObjects(line.text)) yield { value: piece, offset: line.offset, end: line.end };
  }
}

/** Objects written one after another without a newline between them. */
function splitObjects(text: string): JsonObject[] {
  const found: JsonObject[] = [];
  let start = 0;
  for (let cut = text.indexOf("}{", start); cut >= 0; cut = text.indexOf("}{", cut + 1)) {
    const value = parseJson(text.slice(start, cut + 1));
    if (!isObject(value)) continue;
    found.push(value);
    start = cut + 1;
  }
  if (start === 0) return [];
  const last = parseJson(text.slice(start));
  return isObject(last) ? [...found, last] : found;
}
