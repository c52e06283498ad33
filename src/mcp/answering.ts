/** Answers requests of MCP clients, in a thread: the tools it serves are opened by the first request. */
import type { Caller } from "../serving/calls/call_runner.ts";
import { serveCalls } from "../serving/calls/serve_calls.ts";
import type { ThreadSetup, ToolRequest } from "./tool_threads.ts";
import type { Tools } from "./tools/tools.ts";

/** `answered` is called with the name of what was answered. */
export function answerRequests(setup: ThreadSetup, answered: (name: string) => void): void {
  let opened: Promise<Tools> | undefined;
  const answerOne = async (request: ToolRequest, caller: Caller): Promise<unknown> => {
    opened ??= open(setup);
    return answer(await opened, request, { ...caller, agent: true }, setup);
  };
  serveCalls(answerOne, (request) => answered("name" in request ? request.name : request.kind));
}

async function open({ agent, sets, scope, structured, vars }: ThreadSetup): Promise<Tools> {
  const [{ makeTools, toolsOf }, { CallRunner }] = await Promise.all([
    import("./tools/tools.ts"),
    import("../serving/calls/call_runner.ts"),
  ]);
  const runner = new CallRunner(vars, scope);
  if (!agent) return makeTools(new Set(sets), runner, structured);
  const { askDocuments } = await import("./agent/tool.ts");
  const operation = askDocuments(agent);
  return toolsOf([{ ...operation, load: async () => operation }], runner, structured);
}

async function answer(tools: Tools, request: ToolRequest, caller: Caller, setup: ThreadSetup): Promise<unknown> {
  const sets = new Set(setup.sets);
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
