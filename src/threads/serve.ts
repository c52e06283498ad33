/** The side of a thread in a `ThreadPool`: it does its jobs one after another, in the order in which they came. */
import { parentPort, type Transferable } from "node:worker_threads";
import { type PostedError, postedError } from "./posted_error.ts";
import { shareCalls } from "./uninterrupted.ts";

/** A message from a thread to its pool. */
export type Posted<Message> = { id: number } & (
  | { type: "message"; message: Message }
  /** The job goes on, but from here on it waits for another program: the thread can do other jobs meanwhile. */
  | { type: "waits" }
  | { type: "done" }
  | ({ type: "failed" } & PostedError)
);

/** A message from a pool to a thread. */
export type Ordered<Job> = { guard: SharedArrayBuffer } | { id: number; job: Job } | { cancel: number };

/** Posts a message of the current job to whoever wants the job done. */
export type Post<Message> = (message: Message, transfer?: readonly Transferable[]) => void;

export interface JobControl {
  /** Aborted when nobody wants the job done any more. */
  signal: AbortSignal;
  /** Called by a job that now waits for a model or a server: the thread starts its next job. */
  waits(): void;
}

type Work<Job, Message> = (job: Job, post: Post<Message>, control: JobControl) => Promise<void> | void;

export function serveJobs<Job, Message>(work: Work<Job, Message>): void {
  const port = parentPort;
  if (!port) throw new Error("This program runs in a thread only.");
  const post = (posted: Posted<Message>, transfer: readonly Transferable[] = []): void =>
    port.postMessage(posted, transfer);
  /** Of jobs that came and are not finished. */
  const controllers = new Map<number, AbortController>();
  /** Resolves when the next job can start. */
  const one = (id: number, job: Job, controller: AbortController): Promise<void> =>
    new Promise((next) => {
      const control: JobControl = {
        signal: controller.signal,
        waits: () => {
          post({ id, type: "waits" });
          next();
        },
      };
      const finish = async (): Promise<void> => {
        try {
          controller.signal.throwIfAborted();
          await work(job, (message, transfer) => post({ id, type: "message", message }, transfer), control);
          post({ id, type: "done" });
        } catch (error) {
          post({ id, type: "failed", ...postedError(error) });
        }
        controllers.delete(id);
      };
      void finish().then(next);
    });
  let last = Promise.resolve();
  port.on("message", (ordered: Ordered<Job>) => {
    if ("guard" in ordered) {
      shareCalls(ordered.guard);
      return;
    }
    if ("cancel" in ordered) {
      controllers.get(ordered.cancel)?.abort();
      return;
    }
    const { id, job } = ordered;
    const controller = new AbortController();
    controllers.set(id, controller);
    last = last.then(() => one(id, job, controller));
  });
}
