/** Reads the host's event, a JSON object on stdin. Input beyond any plausible size is an error. */
import { asObject, isObject, type JsonObject, parseJson } from "../../kernel/json.ts";

/** An event may hold the result of a tool: a whole file, or the output of a build. */
const MAX_EVENT_BYTES = 16 << 20;

export class BadInput extends Error {}

export async function readInput(stream: NodeJS.ReadStream): Promise<JsonObject> {
  if (stream.isTTY) throw new BadInput("nothing was given on stdin");
  const input = new Input();
  for await (const chunk of stream) input.add(chunk as Buffer);
  return input.value();
}

/** The bytes read so far. */
export class Input {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  /** Throws if there are too many. */
  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > MAX_EVENT_BYTES) throw new BadInput(`more than ${MAX_EVENT_BYTES} bytes were given on stdin`);
  }

  value(): JsonObject {
    const value = parseJson(Buffer.concat(this.#chunks).toString("utf8"));
    if (!isObject(value))
      throw new BadInput(this.#size === 0 ? "nothing was given on stdin" : "stdin is not a JSON object");
    return asObject(value);
  }
}
