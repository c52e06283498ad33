/** A reader thread. It waits when the recorder falls behind, so memory stays bounded. */
import { parentPort, workerData } from "node:worker_threads";
import { type TermDelta, TermSender } from "../../text/term_delta.ts";
import { Digester } from "../digest.ts";
import type { ReadEvent, ReaderSetup, ReadJob } from "./events.ts";
import { runJob } from "./read.ts";

export interface WorkerSetup extends ReaderSetup {
  /** Characters posted and not yet recorded. */
  outstanding: SharedArrayBuffer;
}

/** An event as it crosses threads: a block has only the new terms. */
export type PostedEvent = ReadEvent & { terms?: TermDelta };

const MAX_OUTSTANDING_CHARS = 4 << 20;

const setup = workerData as WorkerSetup;
const outstanding = new Int32Array(setup.outstanding);
const digester = new Digester(setup.model);
const sender = new TermSender();

parentPort?.on("message", (job: ReadJob) => {
  runJob(job, setup, digester, post);
});

function post(event: ReadEvent): void {
  if (event.type !== "block") {
    parentPort?.postMessage(event);
    return;
  }
  for (;;) {
    const now = Atomics.load(outstanding, 0);
    if (now < MAX_OUTSTANDING_CHARS) break;
    Atomics.wait(outstanding, 0, now, 1000);
  }
  Atomics.add(outstanding, 0, event.weight);
  const message: PostedEvent = { ...event, names: [], terms: sender.delta(event.names) };
  const buffers = [event.frame.buffer, event.digests[0]?.terms.buffer, event.digests[0]?.vectors?.buffer];
  parentPort?.postMessage(message, buffers.filter(isOwn));
}

/** Small frames are in a buffer pool that Node shares; those are copied instead of transferred. */
function isOwn(buffer: ArrayBufferLike | undefined): buffer is ArrayBuffer {
  return buffer instanceof ArrayBuffer && buffer.byteLength !== Buffer.poolSize;
}
