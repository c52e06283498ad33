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
export const BYTE_ORDER_MARK = /^\uFEFF/;

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

/** Objects written one after another without a newline between them; none if the line begins with no whole object. */
function splitObjects(text: string): JsonObject[] {
  const found: JsonObject[] = [];
  let start = 0;
  for (let end = objectEnd(text, 0); end > 0; end = objectEnd(text, start)) {
    const value = parseJson(text.slice(start, end));
    if (!isObject(value)) break;
    found.push(value);
    start = end;
  }
  return found.length > 1 || text[start] === "{" ? found : [];
}

const STRING_OR_BRACE = /["{}]/g;
const QUOTE_OR_ESCAPE = /["\\]/g;

/** The position after the object that begins at `start`, or 0: in time linear in the text, whatever is in its strings. */
function objectEnd(text: string, start: number): number {
  if (text[start] !== "{") return 0;
  let depth = 0;
  let inString = false;
  for (let at = start; ; ) {
    const mark = inString ? QUOTE_OR_ESCAPE : STRING_OR_BRACE;
    mark.lastIndex = at;
    const found = mark.exec(text);
    if (!found) return 0;
    at = found.index + 1;
    if (found[0] === "\\") at += 1;
    else if (found[0] === '"') inString = !inString;
    else depth += found[0] === "{" ? 1 : -1;
    if (depth === 0) return at;
  }
}
