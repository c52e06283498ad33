/** Worker thread that reads documents: parsing and embedding are most of the work of a first sync. */
import { parentPort, workerData } from "node:worker_threads";
import { errorMessage } from "../../kernel/errors.ts";
import { type TermDelta, TermSender } from "../../text/term_delta.ts";
import { DocumentDigester } from "./digest.ts";
import { type ReadJob, type ReadResult, readDigested } from "./read.ts";

export interface ReaderSetup {
  /** File of the static model; undefined: no vectors. */
  model: string | undefined;
}

export type PostedResult = { id: number } & ({ read: ReadResult; terms?: TermDelta } | { failure: string });

const { model } = workerData as ReaderSetup;
const digester = new DocumentDigester(model);
const port = parentPort;
const sender = new TermSender();

port?.on("message", async ({ id, ...job }: ReadJob & { id: number }) => {
  try {
    post(id, await readDigested(digester, job));
  } catch (error) {
    port.postMessage({ id, failure: errorMessage(error) } satisfies PostedResult);
  }
});

function post(id: number, read: ReadResult): void {
  if (!("digested" in read)) {
    port?.postMessage({ id, read } satisfies PostedResult);
    return;
  }
  const terms = sender.delta(read.digested.names);
  const bare = { ...read, digested: { ...read.digested, names: [] } };
  port?.postMessage({ id, read: bare, terms } satisfies PostedResult);
}
