/** Reads the host's event, a JSON object on stdin. Input beyond any plausible size is an error. */
import { asObject, isObject, type JsonObject, parseJson } from "../kernel/json.ts";

/** An event may hold the result of a tool: a whole file, or the output of a build. */
const MAX_EVENT_BYTES = 16 << 20;

export class BadInput extends Error {}

export async function readInput(stream: NodeJS.ReadStream): Promise<JsonObject> {
  if (stream.isTTY) throw new BadInput("nothing was given on stdin");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > MAX_EVENT_BYTES) throw new BadInput(`more than ${MAX_EVENT_BYTES} bytes were given on stdin`);
  }
  const value = parseJson(Buffer.concat(chunks).toString("utf8"));
  if (!isObject(value)) throw new BadInput(size === 0 ? "nothing was given on stdin" : "stdin is not a JSON object");
  return asObject(value);
}
