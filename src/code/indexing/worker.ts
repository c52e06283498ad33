/** Worker thread that reads files: parsing is most of the work of a first index. */
import { parentPort } from "node:worker_threads";
import { failureOf } from "./read_failure.ts";
import { type ReadRequest, readFile } from "./read_file.ts";
import type { WorkerAnswer } from "./readers.ts";

const port = parentPort;
port?.on("message", async ({ id, ...request }: ReadRequest & { id: number }) => {
  port.postMessage(await answer(id, request));
});

async function answer(id: number, request: ReadRequest): Promise<WorkerAnswer> {
  try {
    return { id, result: await readFile(request) };
  } catch (error) {
    return { id, failure: failureOf(error) };
  }
}
