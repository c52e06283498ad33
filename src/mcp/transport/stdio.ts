/**
 * Serving over stdin and stdout. Stdout carries protocol only; closing stdin ends the server. The opening of a session is
 * answered at once; the protocol library is loaded for the first message that needs it, or soon after the tools were
 * listed.
 */
import { reportError } from "../../serving/report.ts";
import type { Offer } from "../offer.ts";
import type { ThreadSetup } from "../tool_threads.ts";
import type { Connection } from "./connection.ts";
import { messageLines } from "./messages.ts";
import { Opening } from "./opening.ts";

/** The delay after the list of tools, in which clients ask for other lists: these do not wait for the library. */
const LOAD_DELAY_MS = 200;

export interface StdioServer {
  setup: ThreadSetup;
  offer: Offer;
  /** Keeps the compiled code of a program of one file, as it is after an opening or an answer. */
  save?: SaveCode | undefined;
}

export type SaveCode = (kind: "opened" | "answered") => void;

/** Resolves when the connection has ended. */
export async function serveStdio({ setup, offer, save }: StdioServer, ended: Promise<void>): Promise<void> {
  // The transport waits for stdout with one listener for each answer that is not written yet.
  process.stdout.setMaxListeners(0);
  const write = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
  const opening = new Opening(offer);
  let connection: Promise<Connection> | undefined;
  const sent = (): void => void setImmediate(() => save?.("answered"));
  const connect = async (): Promise<Connection> => {
    save?.("opened");
    try {
      const { ToolThreads } = await import("../tool_threads.ts");
      const tools = new ToolThreads(setup);
      // It starts while the library is loaded. An error of the thread is reported by the call that meets it.
      tools.prepare().catch(() => {});
      const { connect } = await import("./connection.ts");
      return connect({ tools, offer, input, drops: (message) => opening.drops(message), sent });
    } catch (error) {
      reportError(error);
      input.destroy();
      throw error;
    }
  };
  const prepare = (): void => {
    connection ??= connect();
  };
  const takes = (line: string): boolean => {
    const known = connection === undefined ? opening.answer(line) : undefined;
    if (known) write(known.response);
    else if (!opening.canWait(line)) prepare();
    if (known?.isToolList) setTimeout(prepare, LOAD_DELAY_MS).unref();
    return known?.alsoForLibrary === false;
  };
  const settled = async (): Promise<void> => {
    // No message needs the library: those that were kept for it are dropped.
    if (connection === undefined) input.resume();
    const made = await connection?.catch(() => undefined);
    await made?.drained();
  };
  const input = process.stdin.pipe(messageLines({ answer: write, takes, settled }));
  const closed = new Promise<void>((resolve) => input.once("close", resolve));
  await Promise.race([closed, ended]);
  process.stdin.destroy();
  const made = await connection?.catch(() => undefined);
  await made?.close();
}
