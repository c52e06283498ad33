/**
 * Checks each line of stdin before the protocol's own reader, which ignores a broken line without an answer. A line that
 * is too long, not JSON or not a message gets the matching JSON-RPC error and goes no further.
 */
import { Transform } from "node:stream";
import { isObject, parseJson } from "../../kernel/json.ts";
import { formatCount } from "../../kernel/text.ts";

export const MAX_MESSAGE_BYTES = 4 << 20;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

export interface LineReader {
  /** Writes an error for the client. */
  answer(error: object): void;
  /** True if the message needs no further reader. */
  takes?(line: string): boolean;
  /** Resolves when every message that was passed on is answered, or the wait timed out. */
  settled(): Promise<void>;
}

/** Passes messages on, one whole line at a time. */
export function messageLines({ answer, takes, settled }: LineReader): Transform {
  let pieces: Buffer[] = [];
  let length = 0;
  const endLine = (stream: Transform): void => {
    const line = Buffer.concat(pieces);
    const isTooLong = length > MAX_MESSAGE_BYTES;
    pieces = [];
    length = 0;
    if (isTooLong) return;
    const text = line.toString("utf8");
    const error = messageError(text);
    if (error !== undefined) {
      if (error !== "blank") answer(error);
    } else if (!takes?.(text)) {
      stream.push(Buffer.concat([line, Buffer.from("\n")]));
    }
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let from = 0; from < chunk.length; ) {
        const newline = chunk.indexOf(10, from);
        const to = newline < 0 ? chunk.length : newline;
        const before = length;
        length += to - from;
        if (length <= MAX_MESSAGE_BYTES) pieces.push(chunk.subarray(from, to));
        else if (before <= MAX_MESSAGE_BYTES) {
          pieces = [];
          answer(
            errorResponse(null, INVALID_REQUEST, `A message may have at most ${formatCount(MAX_MESSAGE_BYTES)} bytes.`),
          );
        }
        if (newline >= 0) endLine(this);
        from = to + 1;
      }
      done();
    },
    flush(done) {
      if (length > 0) endLine(this);
      settled().then(() => done(), done);
    },
  });
}

/** Undefined for a valid message; "blank" for an empty line, which needs no answer. */
export function messageError(line: string): object | "blank" | undefined {
  if (line.trim() === "") return "blank";
  const value = parseJson(line);
  if (value === undefined) return errorResponse(null, PARSE_ERROR, "The message is not valid JSON.");
  if (Array.isArray(value))
    return errorResponse(null, INVALID_REQUEST, "Batches are not supported: send one message per line.");
  if (!isObject(value)) return errorResponse(null, INVALID_REQUEST, "A message must be a JSON object.");
  const { jsonrpc, id, method, params } = value;
  const isId = typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id));
  const refuse = (message: string): object => errorResponse(isId ? id : null, INVALID_REQUEST, message);
  if (jsonrpc !== "2.0") return refuse('A message needs "jsonrpc": "2.0".');
  if (id !== undefined && !isId && !(id === null && "error" in value))
    return refuse("An id must be a string or an integer.");
  if (method === undefined && id !== undefined && ("result" in value || "error" in value)) return undefined;
  if (typeof method !== "string") return refuse("A request needs a method.");
  if (params !== undefined && !isObject(params)) return refuse("The params of a request must be an object.");
  return undefined;
}

function errorResponse(id: string | number | null, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
