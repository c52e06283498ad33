/** Serving over stdin and stdout. Stdout carries protocol only; closing stdin ends the server. */
import { Transform } from "node:stream";
import { StdioServerTransport, serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import { errorMessage } from "../kernel/errors.ts";
import type { Desk } from "./desk.ts";
import { makeServer } from "./server.ts";

const LONGEST_MESSAGE = 4 << 20;
/** Calls that were made before stdin was closed are still answered, if that takes no longer than this. */
const LAST_ANSWERS = 1500;

/** Resolves when the connection has ended. */
export async function serveStdio(desk: Desk, ended: Promise<void>, instructions?: string): Promise<void> {
  const input = process.stdin.pipe(boundedLines(desk));
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: LONGEST_MESSAGE + (1 << 20) });
  const closed = new Promise<void>((resolve) => input.once("close", resolve));
  const connection = serveConnection(() => makeServer(desk, instructions), {
    transport,
    onerror: (error) => void process.stderr.write(`dex: ${errorMessage(error)}\n`),
  });
  await Promise.race([closed, ended]);
  process.stdin.destroy();
  await connection.close();
}

/** Passes messages on, but for those that are too long: they are answered with an error instead of being held. */
function boundedLines(desk: Desk): Transform {
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      while (from < chunk.length) {
        const newline = chunk.indexOf(10, from);
        const to = newline < 0 ? chunk.length : newline + 1;
        const before = length;
        length += to - from;
        if (length <= LONGEST_MESSAGE) this.push(chunk.subarray(from, to));
        else if (before <= LONGEST_MESSAGE) refuse(this);
        if (newline >= 0) length = 0;
        from = to;
      }
      done();
    },
    flush(done) {
      const patience = setTimeout(done, LAST_ANSWERS);
      // What was read in this turn becomes a call in the next.
      setImmediate(async () => {
        await desk.idle();
        clearTimeout(patience);
        setImmediate(done);
      });
    },
  });
}

/** Ends the message that was begun, which is then no JSON and is passed over. */
function refuse(stream: Transform): void {
  stream.push("\n");
  const error = { code: -32600, message: `A message may have ${LONGEST_MESSAGE} bytes at most.` };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: null, error })}\n`);
}
