/**
 * The thread that answers requests of MCP clients. In the build, all it does is one file, which it loads with the compiled
 * code of earlier threads: a thread that loads hundreds of modules is ready only after a quarter of a second.
 */
import path from "node:path";
import { workerData } from "node:worker_threads";
import { compileCacheFolder } from "../config/compile_cache.ts";
import { loadWithCodeCache } from "../threads/code_cache.ts";
import type { ThreadSetup } from "./tool_threads.ts";

/** The hash of `answering.cjs`; the build defines it. */
declare const DEX_ANSWERING_BUILD: string;

const setup = workerData as ThreadSetup;

if (import.meta.url.endsWith(".ts")) {
  const source = "./answering.ts";
  const { answerRequests }: typeof import("./answering.ts") = await import(source);
  answerRequests(setup, () => {});
} else {
  const file = path.join(import.meta.dirname, "answering.cjs");
  const folder = compileCacheFolder(setup.vars);
  const { module, save } = loadWithCodeCache<typeof import("./answering.ts")>(file, DEX_ANSWERING_BUILD, folder);
  module.answerRequests(setup, (name) => setImmediate(save, name));
}
