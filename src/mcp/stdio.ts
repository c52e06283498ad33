/** Serving over stdin and stdout. Stdout carries protocol only; closing stdin ends the server. */
import { StdioServerTransport, serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import { reportError } from "../serving/report.ts";
import type { Desk } from "./desk.ts";
import { MAX_MESSAGE_BYTES, messageLines } from "./messages.ts";
import { makeServer } from "./server.ts";

/** Calls that were made before stdin was closed are still answered, if that takes no longer than this. */
const LAST_ANSWERS_MS = 1500;

/** Resolves when the connection has ended. */
export async function serveStdio(desk: Desk, ended: Promise<void>, instructions?: string): Promise<void> {
  // The transport waits for stdout with one listener for each answer that is not written yet.
  process.stdout.setMaxListeners(0);
  const input = process.stdin.pipe(
    messageLines({
      answer: (error) => void process.stdout.write(`${JSON.stringify(error)}\n`),
      settled: () => lastAnswers(desk),
    }),
  );
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES + (1 << 20) });
  const closed = new Promise<void>((resolve) => input.once("close", resolve));
  const connection = serveConnection(() => makeServer(desk, instructions), { transport, onerror: reportError });
  await Promise.race([closed, ended]);
  process.stdin.destroy();
  await connection.close();
}

function lastAnswers(desk: Desk): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeout(resolve, LAST_ANSWERS_MS);
    // The last lines that were read become calls in the next turn.
    setImmediate(async () => {
      await desk.idle();
      clearTimeout(patience);
      setImmediate(resolve);
    });
  });
}
