/** A reader thread. It waits when the recorder falls behind, so that memory stays bounded whatever is read. */
import { parentPort, workerData } from "node:worker_threads";
import { Digester } from "./digest.ts";
import type { ReadEvent, ReaderSetup, ReadJob } from "./events.ts";
import { runJob } from "./read.ts";

export interface WorkerSetup extends ReaderSetup {
  /** Characters handed over and not yet recorded. */
  outstanding: SharedArrayBuffer;
}

/** A block as it crosses threads: with the terms that are new, not all of them. */
export type PostedEvent = ReadEvent & { anew?: boolean };

const MAX_OUTSTANDING = 4 << 20;

const setup = workerData as WorkerSetup;
const outstanding = new Int32Array(setup.outstanding);
const digester = new Digester(setup.model);
/** Of which list of terms how many the other side has. */
let sharedTerms: readonly string[] = [];
let shared = 0;

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
    if (now < MAX_OUTSTANDING) break;
    Atomics.wait(outstanding, 0, now, 1000);
  }
  Atomics.add(outstanding, 0, event.weight);
  if (event.names !== sharedTerms) shared = 0;
  const message: PostedEvent = { ...event, names: event.names.slice(shared), anew: shared === 0 };
  sharedTerms = event.names;
  shared = event.names.length;
  const buffers = [event.frame.buffer, event.digests[0]?.terms.buffer, event.digests[0]?.vectors?.buffer];
  parentPort?.postMessage(message, buffers.filter(isOwn));
}

/** Small frames lie in a buffer that Node shares among many: those are copied. */
function isOwn(buffer: ArrayBufferLike | undefined): buffer is ArrayBuffer {
  return buffer instanceof ArrayBuffer && buffer.byteLength !== Buffer.poolSize;
}
