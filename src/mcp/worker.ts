/** The thread that answers requests of MCP clients: the tools it serves are opened by the first request. */
import { workerData } from "node:worker_threads";
import type { Caller } from "../serving/call_runner.ts";
import { serveCalls } from "../serving/call_threads.ts";
import type { ThreadSetup, ToolRequest } from "./tool_threads.ts";
import type { Tools } from "./tools/tools.ts";

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
  const operation = askDocuments(setup.agent);
  return toolsOf([{ ...operation, load: async () => operation }], runner, setup.structured);
}

serveCalls<ToolRequest>(setup.vars, async (request, caller) => {
  opened ??= open();
  return answer(await opened, request, { ...caller, agent: true });
});

async function answer(tools: Tools, request: ToolRequest, caller: Caller): Promise<unknown> {
  switch (request.kind) {
    case "prepare":
      return undefined;
    case "tools":
      return tools.definitions();
    case "call":
      return tools.call(request.name, request.input, caller);
    case "call_text":
      return JSON.stringify(await tools.call(request.name, request.input, caller));
    case "resource":
      return (await import("./resources.ts")).readResource(tools, sets, request.uri, caller);
    case "prompt": {
      const { name, arguments: given } = request;
      return (await import("./prompts.ts")).getPrompt(tools, sets, { name, given, caller });
    }
  }
}
