/**
 * Runs tool calls in threads of their own, so that the server answers pings and other clients while a call computes, and
 * a cancelled call ends. The first request starts the first thread; a second one starts when the first is busy. Counts
 * the requests being answered, so that a server can wait for them before it ends.
 */
import type { CallToolResult, GetPromptResult, ReadResourceResult, Tool } from "@modelcontextprotocol/server";
import type { LibraryScope } from "../collections/library.ts";
import type { Toolset } from "../operations/operation.ts";
import type { Caller } from "../serving/call_runner.ts";
import { ThreadPool } from "../threads/pool.ts";
import { threadProgram } from "../threads/program.ts";
import type { AgentInput } from "./agent/input.ts";
import type { StructuredForm } from "./tools/answer.ts";

const MAX_THREADS = 2;

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
  | { kind: "tools" }
  | { kind: "call"; name: string; input: unknown }
  | { kind: "resource"; uri: string }
  | { kind: "prompt"; name: string; arguments: Readonly<Record<string, string>> };

/** A request, and whose it is. */
export type ToolJob = ToolRequest & Omit<Caller, "signal" | "step" | "waits">;

export type ToolMessage = { step: Parameters<NonNullable<Caller["step"]>>[0] } | { answer: unknown };

export class ToolThreads {
  readonly #pool: ThreadPool<ToolJob, ToolMessage>;
  #definitions: Promise<Tool[]> | undefined;
  #answering = 0;
  #whenIdle: (() => void)[] = [];

  constructor(setup: ThreadSetup) {
    this.#pool = new ThreadPool({
      program: threadProgram(import.meta.url, "mcp_worker.js"),
      maxThreads: MAX_THREADS,
      jobsPerThread: 1,
      setup: () => ({ workerData: setup, kept: undefined }),
    });
  }

  tools(): Promise<Tool[]> {
    this.#definitions ??= this.#run<Tool[]>({ kind: "tools" }, {}).catch((error) => {
      this.#definitions = undefined;
      throw error;
    });
    return this.#definitions;
  }

  call(name: string, input: unknown, caller: Caller = {}): Promise<CallToolResult> {
    return this.#run({ kind: "call", name, input }, caller);
  }

  readResource(uri: string, caller: Caller = {}): Promise<ReadResourceResult> {
    return this.#run({ kind: "resource", uri }, caller);
  }

  prompt(name: string, given: Readonly<Record<string, string>>, caller: Caller = {}): Promise<GetPromptResult> {
    return this.#run({ kind: "prompt", name, arguments: given }, caller);
  }

  /** Resolves when no request is being answered. */
  idle(): Promise<void> {
    return this.#answering === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #run<T>(request: ToolRequest, { signal, step, session, cwd }: Caller): Promise<T> {
    this.#answering += 1;
    let answer: unknown;
    const take = (message: ToolMessage): void => {
      if ("step" in message) step?.(message.step);
      else answer = message.answer;
    };
    try {
      await this.#pool.run({ ...request, session, cwd }, take, signal);
      return answer as T;
    } finally {
      this.#answering -= 1;
      if (this.#answering === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    }
  }
}
