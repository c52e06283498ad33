/**
 * The thread that watches for changes. It ends by itself when it is asked to: a thread that is terminated while it
 * writes can take the process with it.
 */
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { threadProgram } from "../../threads/program.ts";
import type { ApiSetup } from "../requests.ts";
import type { LiveLine } from "./lines.ts";
import { subscribeFor } from "./remote_native.ts";

/** A sync that is asked to stop finishes the conversation it is reading. */
const MAX_END_MS = 3000;

export const END = "end";

/** The `workerData` of the thread; through the port it gets file events. */
export interface LiveSetup extends ApiSetup {
  fileEvents: MessagePort;
}

export class LiveThread {
  readonly #worker: Worker;
  /** Resolves when the thread has ended, with the error that ended it if there was one. */
  readonly ended: Promise<unknown>;

  constructor(setup: ApiSetup, take: (line: LiveLine) => void) {
    const { port1, port2 } = new MessageChannel();
    const unsubscribe = subscribeFor(port1);
    const workerData: LiveSetup = { ...setup, fileEvents: port2 };
    this.#worker = new Worker(threadProgram(import.meta.url, "live_worker.js"), { workerData, transferList: [port2] });
    let failure: unknown;
    this.#worker.on("message", take);
    this.#worker.on("error", (error) => {
      failure = error;
    });
    this.ended = new Promise((resolve) => {
      this.#worker.once("exit", () => {
        unsubscribe();
        resolve(failure);
      });
    });
  }

  async end(): Promise<void> {
    this.#worker.postMessage(END);
    const late = setTimeout(() => void this.#worker.terminate(), MAX_END_MS);
    await this.ended;
    clearTimeout(late);
  }
}
