/** A thread that reads texts into facts: parsing is most of the work of a first index. */
import { parentPort } from "node:worker_threads";
import { errorMessage } from "../kernel/errors.ts";
import { readCode } from "./read_code.ts";

export interface ReadRequest {
  id: number;
  language: string;
  path: string;
  text: string;
}

const port = parentPort;
port?.on("message", async ({ id, language, path, text }: ReadRequest) => {
  try {
    port.postMessage({ id, facts: await readCode(language, text, path) });
  } catch (error) {
    port.postMessage({ id, failure: errorMessage(error) });
  }
});
