/** A session over stdio from its first call on: the protocol library and the threads that answer calls. */
import type { Readable } from "node:stream";
import { StdioServerTransport, serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import { reportError } from "../../serving/report.ts";
import type { Offer } from "../offer.ts";
import { makeServer } from "../server.ts";
import type { ToolThreads } from "../tool_threads.ts";
import { MAX_MESSAGE_BYTES } from "./messages.ts";

/** How long the server still answers calls that were made before stdin was closed. */
const DRAIN_MS = 15_000;

export interface Session {
  tools: ToolThreads;
  offer: Offer;
  /** Checked lines of stdin. */
  input: Readable;
  /** True for a message that must not be sent, because the client has had it. */
  drops(message: object): boolean;
  /** Called when a message is sent. */
  sent(): void;
}

export interface Connection {
  /** Resolves when every message that was read is answered, or the wait timed out. */
  drained(): Promise<void>;
  close(): Promise<void>;
}

export function connect({ tools, offer, input, drops, sent }: Session): Connection {
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES + (1 << 20) });
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    if (drops(message)) return;
    await send(message);
    sent();
  };
  const connection = serveConnection(() => makeServer({ tools, offer }), { transport, onerror: reportError });
  return {
    drained: () => drain(input, tools),
    close: async () => {
      await connection.close();
      await tools.close();
    },
  };
}

async function drain(input: Readable, tools: ToolThreads): Promise<void> {
  const timeout = AbortSignal.timeout(DRAIN_MS);
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  // The last lines that were read become calls in the next turn.
  do await turn();
  while (input.readableLength > 0 && !timeout.aborted);
  await Promise.race([tools.idle(), new Promise((resolve) => timeout.addEventListener("abort", resolve))]);
  await turn();
}
