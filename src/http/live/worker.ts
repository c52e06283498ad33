/** The thread that watches for changes while a page listens: one job, which ends when nobody listens any more. */
import { workerData } from "node:worker_threads";
import { serveJobs } from "../../threads/serve.ts";
import type { ApiSetup } from "../requests.ts";
import type { LiveLine } from "./lines.ts";
import { LiveWatch } from "./watch.ts";

const { vars } = workerData as ApiSetup;

serveJobs<"watch", LiveLine>(async (_, post, { signal }) => {
  const watch = new LiveWatch(vars, post);
  try {
    await watch.start();
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  } finally {
    await watch.close();
  }
});
