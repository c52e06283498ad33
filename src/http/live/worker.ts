/** The program of the thread that watches for changes while a page listens. */
import { parentPort, workerData } from "node:worker_threads";
import { remoteNative } from "./remote_native.ts";
import { END, type LiveSetup } from "./thread.ts";
import { LiveWatch } from "./watch.ts";

const { vars, fileEvents } = workerData as LiveSetup;
const watch = new LiveWatch(vars, remoteNative(fileEvents), (line) => parentPort?.postMessage(line));
const started = watch.start();

parentPort?.on("message", async (message) => {
  if (message !== END) return;
  await started.catch(() => undefined);
  await watch.close();
  process.exit(0);
});
await started;
