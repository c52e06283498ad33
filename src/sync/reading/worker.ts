/** A reader thread. It waits when the recorder falls behind, so that memory stays bounded whatever is read. */
import { workerData } from "node:worker_threads";
import { Backlog } from "../../threads/backlog.ts";
import { type Post, serveJobs } from "../../threads/serve.ts";
import { type TermDelta, TermSender } from "../../threads/term_delta.ts";
import { Digester } from "../recording/digest.ts";
import type { ReadEvent, ReaderSetup, ReadJob } from "./events.ts";
import { type PackedFacts, type PackedWords, packedBuffers, packFacts, packWords } from "./packed_digests.ts";
import { runJob } from "./read.ts";

export interface WorkerSetup extends ReaderSetup {
  /** Characters that were handed over and are not recorded yet. */
  backlog: SharedArrayBuffer;
}

type Block = Extract<ReadEvent, { type: "block" }>;
/** A block as it crosses threads: with the new terms, not all of them. */
export type PostedBlock = Omit<Block, "names" | "words" | "facts"> & {
  terms: TermDelta;
  words: PackedWords;
  facts: PackedFacts | undefined;
};
export type PostedEvent = Exclude<ReadEvent, Block> | PostedBlock;

const MAX_BACKLOG_CHARACTERS = 4 << 20;
/** Blocks are posted together up to this: each message wakes the recorder, which may take the reader's core. */
const BATCH_CHARACTERS = 512 << 10;
/** With less waiting for it, the recorder has more time than this reader. */
const IDLE_CHARACTERS = 1 << 20;

const setup = workerData as WorkerSetup;
const backlog = new Backlog(setup.backlog);
const digester = new Digester(setup.model, undefined, setup);
const sender = new TermSender();

let batch: PostedEvent[] = [];
let buffers: ArrayBuffer[] = [];
let batched = 0;

serveJobs<ReadJob, PostedEvent[]>((job, post) =>
  runJob(
    job,
    setup,
    digester,
    (event) => send(event, post),
    () => backlog.waiting < IDLE_CHARACTERS,
  ),
);

function send(event: ReadEvent, post: Post<PostedEvent[]>): void {
  if (event.type === "block") {
    backlog.add(event.weight, MAX_BACKLOG_CHARACTERS);
    const { names, ...block } = event;
    const words = packWords(block.words);
    const facts = block.facts && packFacts(block.facts);
    batch.push({ ...block, words, facts, terms: sender.next(names) });
    buffers.push(block.lines.buffer, ...packedBuffers(words, facts));
    batched += event.weight;
  } else batch.push(event);
  if (batched < BATCH_CHARACTERS && event.type !== "done" && event.type !== "progress") return;
  const [events, transferred] = [batch, buffers];
  batch = [];
  buffers = [];
  batched = 0;
  post(events, transferred);
}
