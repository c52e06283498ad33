/** A reader thread. It waits when the recorder falls behind, so that memory stays bounded whatever is read. */
import { workerData } from "node:worker_threads";
import { Backlog } from "../../threads/backlog.ts";
import { type Post, serveJobs } from "../../threads/serve.ts";
import { type TermDelta, TermSender } from "../../threads/term_delta.ts";
import { Digester } from "../recording/digest.ts";
import type { ReadEvent, ReaderSetup, ReadJob } from "./events.ts";
import { runJob } from "./read.ts";

export interface WorkerSetup extends ReaderSetup {
  /** Characters that were handed over and are not recorded yet. */
  backlog: SharedArrayBuffer;
}

type Block = Extract<ReadEvent, { type: "block" }>;
/** A block as it crosses threads: with the new terms, not all of them. */
export type PostedBlock = Omit<Block, "names"> & { terms: TermDelta };
export type PostedEvent = Exclude<ReadEvent, Block> | PostedBlock;

const MAX_BACKLOG_CHARACTERS = 4 << 20;

const setup = workerData as WorkerSetup;
const backlog = new Backlog(setup.backlog);
const digester = new Digester(setup.model);
const sender = new TermSender();

serveJobs<ReadJob, PostedEvent>((job, post) => runJob(job, setup, digester, (event) => send(event, post)));

function send(event: ReadEvent, post: Post<PostedEvent>): void {
  if (event.type !== "block") {
    post(event);
    return;
  }
  backlog.add(event.weight, MAX_BACKLOG_CHARACTERS);
  const { names, ...block } = event;
  const buffers = [event.frame.buffer, event.digests[0]?.terms.buffer, event.digests[0]?.vectors?.buffer];
  post({ ...block, terms: sender.next(names) }, buffers.filter(isOwn));
}

/** Small frames are in a buffer pool that Node shares; those are copied instead of transferred. */
function isOwn(buffer: ArrayBufferLike | undefined): buffer is ArrayBuffer {
  return buffer instanceof ArrayBuffer && buffer.byteLength !== Buffer.poolSize;
}
