/** A thread that reads files: parsing is most of the work of a first index. */
import { parentPort } from "node:worker_threads";
import { errorMessage } from "../../kernel/errors.ts";
import { type ReadRequest, readFile } from "./read_file.ts";

const port = parentPort;
port?.on("message", async ({ id, ...request }: ReadRequest & { id: number }) => {
  try {
    port.postMessage({ id, result: await readFile(request) });
  } catch (error) {
    port.postMessage({ id, failure: errorMessage(error) });
  }
});
