/** Serving over stdin and stdout. Stdout carries protocol only; closing stdin ends the server. */
import { StdioServerTransport, serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import { reportError } from "../../serving/report.ts";
import { makeServer, type Served } from "../server.ts";
import type { ToolThreads } from "../tool_threads.ts";
import { MAX_MESSAGE_BYTES, messageLines } from "./messages.ts";

/** How long the server still answers calls that were made before stdin was closed. */
const DRAIN_MS = 4000;

/** Resolves when the connection has ended. */
export async function serveStdio(served: Served, ended: Promise<void>): Promise<void> {
  // The transport waits for stdout with one listener for each answer that is not written yet.
  process.stdout.setMaxListeners(0);
  const input = process.stdin.pipe(
    messageLines({
      answer: (error) => void process.stdout.write(`${JSON.stringify(error)}\n`),
      settled: () => drain(served.tools),
    }),
  );
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES + (1 << 20) });
  const closed = new Promise<void>((resolve) => input.once("close", resolve));
  const connection = serveConnection(() => makeServer(served), { transport, onerror: reportError });
  await Promise.race([closed, ended]);
  process.stdin.destroy();
  await connection.close();
}

function drain(tools: ToolThreads): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, DRAIN_MS);
    // The last lines that were read become calls in the next turn.
    setImmediate(async () => {
      await tools.idle();
      clearTimeout(timer);
      setImmediate(resolve);
    });
  });
}
