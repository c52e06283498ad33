/** The thread that answers requests to the API: the index is opened by the first of them. */
import { workerData } from "node:worker_threads";
import { keepLoadedCode, serveCalls } from "../serving/calls/serve_calls.ts";
import type { ApiAnswer, ApiRequest, ApiSetup } from "./requests.ts";
import type { VerbRunner } from "./verbs.ts";

const { vars } = workerData as ApiSetup;
let opened: Promise<VerbRunner> | undefined;

async function open(): Promise<VerbRunner> {
  const { VerbRunner } = await import("./verbs.ts");
  return new VerbRunner(vars);
}

serveCalls<ApiRequest>(async (request, caller): Promise<ApiAnswer> => {
  if (request.kind === "openapi") return { text: await (await import("./openapi.ts")).openApiText() };
  opened ??= open();
  return (await opened).run(request.verb, request.input, caller);
}, keepLoadedCode(vars));
