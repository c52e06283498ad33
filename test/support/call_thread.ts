/** A thread of a server whose calls load a file. */
import { workerData } from "node:worker_threads";
import { serveCalls } from "../../src/serving/call_threads.ts";

serveCalls<string>(workerData as NodeJS.ProcessEnv, async (file) => {
  await import(file);
  return file;
});
