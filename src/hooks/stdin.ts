/** What the host says, as JSON on stdin. More than a host would ever say is not read to its end. */
import { asObject, isObject, type JsonObject, parseJson } from "../kernel/json.ts";

/** The result of a tool is part of it: a whole file, or the output of a build. */
const LARGEST = 16 << 20;

export class BadInput extends Error {}

export async function readInput(stream: NodeJS.ReadStream): Promise<JsonObject> {
  if (stream.isTTY) throw new BadInput("nothing was given on stdin");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > LARGEST) throw new BadInput(`more than ${LARGEST} bytes were given on stdin`);
  }
  const value = parseJson(Buffer.concat(chunks).toString("utf8"));
  if (!isObject(value)) throw new BadInput(size === 0 ? "nothing was given on stdin" : "stdin is no JSON object");
  return asObject(value);
}
