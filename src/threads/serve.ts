/** The side of a thread in a `ThreadPool`: it does its jobs one after another, in the order in which they came. */
import { parentPort, type Transferable } from "node:worker_threads";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { shareCalls } from "./uninterrupted.ts";

/** A message from a thread to its pool. */
export type Posted<Message> = { id: number } & (
  | { type: "message"; message: Message }
  | { type: "done" }
  | { type: "failed"; message: string; code?: string; hint?: string; stack?: string }
);

/** Posts a message of the current job to whoever wants the job done. */
export type Post<Message> = (message: Message, transfer?: readonly Transferable[]) => void;

export function serveJobs<Job, Message>(work: (job: Job, post: Post<Message>) => Promise<void> | void): void {
  const port = parentPort;
  if (!port) throw new Error("This program runs in a thread only.");
  const post = (posted: Posted<Message>, transfer: readonly Transferable[] = []): void =>
    port.postMessage(posted, transfer);
  const one = async (id: number, job: Job): Promise<void> => {
    try {
      await work(job, (message, transfer) => post({ id, type: "message", message }, transfer));
      post({ id, type: "done" });
    } catch (error) {
      const { code, hint } = error instanceof DexError ? error : {};
      const stack = error instanceof Error ? error.stack : undefined;
      post({ id, type: "failed", message: errorMessage(error), code, hint, stack });
    }
  };
  let last = Promise.resolve();
  port.on("message", (given: { guard: SharedArrayBuffer } | { id: number; job: Job }) => {
    if ("guard" in given) {
      shareCalls(given.guard);
      return;
    }
    const { id, job } = given;
    last = last.then(() => one(id, job));
  });
}
