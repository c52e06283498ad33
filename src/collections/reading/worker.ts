/**
 * A thread that makes digests, which is half of the work of a first sync. It parses nothing: the main thread and
 * this one compile different code.
 */
import { workerData } from "node:worker_threads";
import { serveJobs } from "../../threads/serve.ts";
import { type TermDelta, TermSender } from "../../threads/term_delta.ts";
import { TextDigester } from "./digest.ts";
import type { DigestJob, TextDigest } from "./texts.ts";

export interface DigestSetup {
  /** The file of the static model, if vectors are wanted. */
  model: string | undefined;
}

export interface PostedDigest {
  digest: TextDigest;
  /** Terms that the other side does not have. */
  terms: TermDelta;
}

const { model } = workerData as DigestSetup;
const digester = new TextDigester(model);
const sender = new TermSender();

serveJobs<DigestJob, PostedDigest>((job, post) => {
  const digest = digester.digest(job);
  const { sections, chunks, terms, vectors } = digest;
  const buffers = [sections.buffer, chunks.buffer, terms.buffer, vectors.buffer];
  post({ digest, terms: sender.next(digester.names) }, buffers);
});
