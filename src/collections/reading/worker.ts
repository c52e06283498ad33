/** A thread that reads documents: parsing and embedding are most of the work of a first sync. */
import { workerData } from "node:worker_threads";
import { serveJobs } from "../../threads/serve.ts";
import { type TermDelta, TermSender } from "../../threads/term_delta.ts";
import { DocumentDigester } from "./digest.ts";
import { type ReadJob, type ReadResult, readDigested } from "./read.ts";

export interface ReaderSetup {
  /** The file of the static model, where vectors are wanted. */
  model: string | undefined;
}

export interface PostedResult {
  /** A digested document has no names here. */
  read: ReadResult;
  /** Terms that the other side does not have. */
  terms?: TermDelta;
}

const { model } = workerData as ReaderSetup;
const digester = new DocumentDigester(model);
const sender = new TermSender();

serveJobs<ReadJob, PostedResult>(async (job, post) => {
  const read = await readDigested(digester, job);
  if (!("digested" in read)) {
    post({ read });
    return;
  }
  const { names } = read.digested;
  post({ read: { ...read, digested: { ...read.digested, names: [] } }, terms: sender.next(names) });
});
