/** A thread of a server whose calls load a file. */
import { workerData } from "node:worker_threads";
import { keepLoadedCode, serveCalls } from "../../../src/serving/calls/serve_calls.ts";

serveCalls<string>(
  async (file) => {
    await import(file);
    return file;
  },
  keepLoadedCode(workerData as NodeJS.ProcessEnv),
);
