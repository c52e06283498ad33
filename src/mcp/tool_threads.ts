/** The requests of MCP clients, as calls to the threads that answer them. */
import type { CallToolResult, GetPromptResult, ReadResourceResult, Tool } from "@modelcontextprotocol/server";
import type { LibraryScope } from "../collections/library.ts";
import type { Toolset } from "../operations/operation.ts";
import type { Caller } from "../serving/calls/call_runner.ts";
import { CallThreads, isLongInput } from "../serving/calls/call_threads.ts";
import { threadProgram } from "../threads/program.ts";
import type { AgentInput } from "./agent/input.ts";
import type { StructuredForm } from "./tools/answer.ts";

/** The same for every thread of a server. */
export interface ThreadSetup {
  vars: NodeJS.ProcessEnv;
  scope: LibraryScope;
  sets: readonly Toolset[];
  structured: StructuredForm;
  /** Serve only the tool of `dex mcp agent`. */
  agent?: AgentInput;
}

export type ToolRequest =
  | { kind: "prepare" }
  | { kind: "tools" }
  | { kind: "call"; name: string; input: unknown }
  /** The answer is the result as JSON, which is cheaper to pass on than an object. */
  | { kind: "call_text"; name: string; input: unknown }
  | { kind: "resource"; uri: string }
  | { kind: "prompt"; name: string; arguments: Readonly<Record<string, string>> };

export class ToolThreads {
  readonly #threads: CallThreads<ToolRequest>;
  #definitions: Promise<Tool[]> | undefined;

  constructor(setup: ThreadSetup) {
    this.#threads = new CallThreads<ToolRequest>(threadProgram(import.meta.url, "mcp_worker.js"), setup, {
      prepare: { kind: "prepare" },
      isLong: (request) => "input" in request && isLongInput(request.input),
    });
  }

  /** Starts a thread, so that the first call does not wait for it. */
  async prepare(): Promise<void> {
    await this.#threads.run({ kind: "prepare" });
  }

  tools(): Promise<Tool[]> {
    this.#definitions ??= this.#threads.run<Tool[]>({ kind: "tools" }).catch((error) => {
      this.#definitions = undefined;
      throw error;
    });
    return this.#definitions;
  }

  call(name: string, input: unknown, caller: Caller): Promise<CallToolResult> {
    return this.#threads.run({ kind: "call", name, input }, caller);
  }

  /** A call of a tool that only reads. */
  async read(name: string, input: unknown, caller: Caller): Promise<CallToolResult> {
    if (caller.step || caller.progress) return this.call(name, input, caller);
    // Others may get the same answer.
    return { ...(await this.#threads.runShared<CallToolResult>({ kind: "call", name, input }, caller)) };
  }

  /** The same, as JSON. */
  readText(name: string, input: unknown, caller: Caller): Promise<string> {
    const request: ToolRequest = { kind: "call_text", name, input };
    return caller.step ? this.#threads.run(request, caller) : this.#threads.runShared(request, caller);
  }

  readResource(uri: string, caller: Caller): Promise<ReadResourceResult> {
    return this.#threads.run({ kind: "resource", uri }, caller);
  }

  prompt(name: string, given: Readonly<Record<string, string>>, caller: Caller): Promise<GetPromptResult> {
    return this.#threads.run({ kind: "prompt", name, arguments: given }, caller);
  }

  /** Resolves when no request is being answered. */
  idle(): Promise<void> {
    return this.#threads.idle();
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}
