/**
 * Answers as lines of JSON (`application/x-ndjson`), for work that takes long: lines of progress first, the answer or
 * the error last.
 */
import type { ServerResponse } from "node:http";
import { jsonText } from "../text/clean.ts";
import { SECURITY_HEADERS } from "./headers.ts";

export const LINES_TYPE = "application/x-ndjson";

const MAX_UNREAD_BYTES = 4 << 20;

export class LineStream {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      "Content-Type": `${LINES_TYPE}; charset=utf-8`,
      "Cache-Control": "no-store",
    });
    response.flushHeaders();
  }

  /** False when the client does not read as fast as lines come. */
  send(line: object): boolean {
    return this.#response.writableEnded || this.#response.write(`${jsonText(line)}\n`);
  }

  /** The client has read nothing of many lines. */
  get isStalled(): boolean {
    return this.#response.writableLength > MAX_UNREAD_BYTES;
  }

  destroy(): void {
    this.#response.destroy();
  }

  end(line?: object): void {
    if (line) this.send(line);
    this.#response.end();
  }
}
