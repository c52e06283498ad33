/** A reader thread. It waits when the recorder falls behind, so that memory stays bounded whatever is read. */
import { workerData } from "node:worker_threads";
import { Backlog } from "../../threads/backlog.ts";
import { type Post, serveJobs } from "../../threads/serve.ts";
import type { ReadEvent, ReaderSetup, ReadJob } from "./events.ts";
import { type PackedFacts, packFacts } from "./packed_digests.ts";
import { runJob } from "./read.ts";

export interface WorkerSetup extends ReaderSetup {
  /** Characters that were posted and not recorded yet. */
  backlog: SharedArrayBuffer;
}

type Block = Extract<ReadEvent, { type: "block" }>;
/** A block as it is posted to the recorder. */
export type PostedBlock = Omit<Block, "facts"> & { facts: PackedFacts };
export type PostedEvent = Exclude<ReadEvent, Block> | PostedBlock;

const MAX_BACKLOG_CHARACTERS = 4 << 20;
/** Blocks are posted in batches up to this size: each message wakes the recorder, which may take the reader's core. */
const BATCH_CHARACTERS = 512 << 10;

const setup = workerData as WorkerSetup;
const backlog = new Backlog(setup.backlog);

let batch: PostedEvent[] = [];
let buffers: ArrayBuffer[] = [];
let batched = 0;

serveJobs<ReadJob, PostedEvent[]>((job, post) => runJob(job, setup, (event) => send(event, post)));

function send(event: ReadEvent, post: Post<PostedEvent[]>): void {
  if (event.type === "block") {
    backlog.add(event.weight, MAX_BACKLOG_CHARACTERS);
    const { lines, texts } = event;
    const facts = packFacts(event.facts);
    batch.push({ ...event, facts });
    buffers.push(lines.buffer, texts.units.buffer, texts.numbers.buffer, facts.numbers.buffer);
    batched += event.weight;
  } else batch.push(event);
  if (batched < BATCH_CHARACTERS && event.type !== "done" && event.type !== "progress") return;
  const [events, transferred] = [batch, buffers];
  batch = [];
  buffers = [];
  batched = 0;
  post(events, transferred);
}
