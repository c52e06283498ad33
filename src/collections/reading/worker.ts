/** Worker thread that reads documents: parsing and embedding are most of the work of a first sync. */
import { parentPort, workerData } from "node:worker_threads";
import { errorMessage } from "../../kernel/errors.ts";
import { DocumentDigester } from "./digest.ts";
import { type ReadJob, type ReadResult, readDigested } from "./read.ts";

export interface ReaderSetup {
  /** File of the static model; undefined: no vectors. */
  model: string | undefined;
}

export type PostedResult = { id: number } & (
  | {
      read: ReadResult;
      /** Terms that the receiver does not have yet. */
      names: readonly string[];
      /** The terms replace all earlier ones. */
      reset: boolean;
    }
  | { failure: string }
);

const { model } = workerData as ReaderSetup;
const digester = new DocumentDigester(model);
const port = parentPort;
/** The list of terms, and how many of them the receiver has. */
let sharedTerms: readonly string[] = [];
let shared = 0;

port?.on("message", async ({ id, ...job }: ReadJob & { id: number }) => {
  try {
    post(id, await readDigested(digester, job));
  } catch (error) {
    port.postMessage({ id, failure: errorMessage(error) } satisfies PostedResult);
  }
});

function post(id: number, read: ReadResult): void {
  if (!("digested" in read)) {
    port?.postMessage({ id, read, names: [], reset: false } satisfies PostedResult);
    return;
  }
  const { names } = read.digested;
  if (names !== sharedTerms) shared = 0;
  const bare = { ...read, digested: { ...read.digested, names: [] } };
  port?.postMessage({ id, read: bare, names: names.slice(shared), reset: shared === 0 } satisfies PostedResult);
  sharedTerms = names;
  shared = names.length;
}
