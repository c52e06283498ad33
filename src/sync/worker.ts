/** A reader thread. It waits when the recorder falls behind, so that memory stays bounded whatever is read. */
import { parentPort, workerData } from "node:worker_threads";
import type { ReadEvent, ReaderSetup, ReadJob } from "./events.ts";
import { runJob } from "./read.ts";

export interface WorkerSetup extends ReaderSetup {
  /** Characters handed over and not yet recorded. */
  outstanding: SharedArrayBuffer;
}

const MAX_OUTSTANDING = 12 << 20;

const setup = workerData as WorkerSetup;
const outstanding = new Int32Array(setup.outstanding);

parentPort?.on("message", (job: ReadJob) => {
  runJob(job, setup, post);
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
  const buffer = event.frame.buffer;
  const owned = event.frame.byteLength === buffer.byteLength && buffer instanceof ArrayBuffer;
  parentPort?.postMessage(event, owned ? [buffer] : []);
}
