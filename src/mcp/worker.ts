/** The thread that answers requests of MCP clients: the tools it serves are opened by the first request. */
import { workerData } from "node:worker_threads";
import type { Caller } from "../serving/call_runner.ts";
import { serveJobs } from "../threads/serve.ts";
import type { ThreadSetup, ToolJob, ToolMessage } from "./tool_threads.ts";
import type { Tools } from "./tools/tools.ts";

type Step = Extract<ToolMessage, { step: unknown }>["step"];

const setup = workerData as ThreadSetup;
const sets = new Set(setup.sets);
let opened: Promise<Tools> | undefined;

async function open(): Promise<Tools> {
  const [{ makeTools, toolsOf }, { CallRunner }] = await Promise.all([
    import("./tools/tools.ts"),
    import("../serving/call_runner.ts"),
  ]);
  const runner = new CallRunner(setup.vars, setup.scope);
  if (!setup.agent) return makeTools(sets, runner, setup.structured);
  const { askDocuments } = await import("./agent/tool.ts");
  return toolsOf([askDocuments(setup.agent)], runner, setup.structured);
}

serveJobs<ToolJob, ToolMessage>(async (job, post, { signal, waits }) => {
  opened ??= open();
  const tools = await opened;
  const { session, cwd } = job;
  const caller: Caller = { signal, session, cwd, waits, step: (step: Step) => post({ step }) };
  post({ answer: await answer(tools, job, caller) });
});

async function answer(tools: Tools, job: ToolJob, caller: Caller): Promise<unknown> {
  switch (job.kind) {
    case "tools":
      return tools.definitions;
    case "call":
      return tools.call(job.name, job.input, caller);
    case "resource":
      return (await import("./resources.ts")).readResource(tools, sets, job.uri, caller);
    case "prompt":
      return (await import("./prompts.ts")).getPrompt(tools, sets, { name: job.name, given: job.arguments, caller });
  }
}
