/**
 * Tools that are opened by the first request for them, so that a client is greeted at once. Counts the requests being
 * answered, so that a server can wait for them before it ends.
 */
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { Caller } from "../serving/call_runner.ts";
import type { Tools } from "./tools.ts";

export class LazyTools {
  readonly #open: () => Promise<Tools>;
  #tools: Promise<Tools> | undefined;
  #answering = 0;
  #whenIdle: (() => void)[] = [];

  constructor(open: () => Promise<Tools>) {
    this.#open = open;
  }

  list(): Promise<Tool[]> {
    return this.#answer(async (tools) => tools.definitions);
  }

  call(name: string, input: unknown, caller: Caller = {}): Promise<CallToolResult> {
    return this.#answer((tools) => tools.call(name, input, caller));
  }

  /** Resolves when no request is being answered. */
  idle(): Promise<void> {
    return this.#answering === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  async close(): Promise<void> {
    (await this.#tools)?.close();
  }

  async #answer<T>(work: (tools: Tools) => Promise<T>): Promise<T> {
    this.#answering += 1;
    try {
      this.#tools ??= this.#open();
      return await work(await this.#tools);
    } finally {
      this.#answering -= 1;
      if (this.#answering === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    }
  }
}
