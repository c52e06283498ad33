/** The side of a thread in `CallThreads`. */
import module from "node:module";
import { compileCacheFolder } from "../../config/compile_cache.ts";
import { serveJobs } from "../../threads/serve.ts";
import type { Caller } from "./call_runner.ts";
import type { Call, CallMessage } from "./call_threads.ts";

/** After each of the first answers, a thread writes the compiled code that is new. */
const KEPT_ANSWERS = 3;

/** `answered` is called after each answer. */
export function serveCalls<Request>(
  answer: (request: Request, caller: Caller) => Promise<unknown>,
  answered: (request: Request) => void,
): void {
  serveJobs<Call<Request>, CallMessage>(async ({ request, caller }, post, { signal, waits }) => {
    const reporting: Caller = {
      ...caller,
      signal,
      waits,
      step: (step) => post({ step }),
      progress: (...progress) => post({ progress }),
    };
    post({ answer: await answer(request, reporting) });
    answered(request);
  });
}

/**
 * Lets a thread load modules with the compiled code of earlier threads. Returns a function for `serveCalls` to call after
 * each answer, which writes the code that is new.
 */
export function keepLoadedCode(vars: NodeJS.ProcessEnv): () => void {
  const cache = compileCacheFolder(vars);
  // A thread does not share the cache of the process.
  if (cache !== undefined) module.enableCompileCache(cache);
  let answered = 0;
  // Threads are terminated, and would then write nothing.
  return () => {
    answered += 1;
    if (cache !== undefined && answered <= KEPT_ANSWERS) setImmediate(module.flushCompileCache);
  };
}
