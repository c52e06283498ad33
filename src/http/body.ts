/** Reads the body of a request: JSON of limited size. */
import type { IncomingMessage } from "node:http";
import { isObject, type JsonObject, parseJson } from "../kernel/json.ts";
import { formatCount } from "../kernel/text.ts";
import type { ApiError } from "./answers.ts";

const MAX_BODY_BYTES = 1 << 20;

const tooLarge: ApiError = {
  status: 413,
  code: "too_large",
  message: `The body of a request may have at most ${formatCount(MAX_BODY_BYTES)} bytes.`,
};

/** An empty body is an empty object. */
export async function readInput(request: IncomingMessage): Promise<{ input: JsonObject } | { error: ApiError }> {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    return { error: { status: 415, code: "bad_type", message: "The API takes JSON: Content-Type: application/json." } };
  }
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) return { error: tooLarge };
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return { error: tooLarge };
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  const input = text.trim() === "" ? {} : parseJson(text);
  if (isObject(input)) return { input };
  return { error: { status: 400, code: "bad_json", message: "The body of a request must be a JSON object." } };
}
