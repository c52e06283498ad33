/**
 * Where calls are taken. The tools and the application behind them are opened by the first question about them, so that
 * a client is greeted at once; and what is still being answered is known, so that it can be waited for.
 */
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { LibraryScope } from "../collections/library.ts";
import type { Toolset } from "../operations/operation.ts";
import type { Tools } from "./tools.ts";

export class Desk {
  readonly #vars: NodeJS.ProcessEnv;
  readonly #sets: ReadonlySet<Toolset>;
  readonly #scope: LibraryScope;
  #tools: Promise<Tools> | undefined;
  #answering = 0;
  #whenIdle: (() => void)[] = [];

  constructor(vars: NodeJS.ProcessEnv, sets: ReadonlySet<Toolset>, scope: LibraryScope) {
    this.#vars = vars;
    this.#sets = sets;
    this.#scope = scope;
  }

  list(): Promise<Tool[]> {
    return this.#answer(async (tools) => tools.definitions);
  }

  call(name: string, input: unknown): Promise<CallToolResult> {
    return this.#answer((tools) => tools.call(name, input));
  }

  /** When nothing is being answered. */
  idle(): Promise<void> {
    return this.#answering === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  async close(): Promise<void> {
    (await this.#tools)?.close();
  }

  async #answer<T>(work: (tools: Tools) => Promise<T>): Promise<T> {
    this.#answering += 1;
    try {
      this.#tools ??= openTools(this.#vars, this.#sets, this.#scope);
      return await work(await this.#tools);
    } finally {
      this.#answering -= 1;
      if (this.#answering === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    }
  }
}

async function openTools(vars: NodeJS.ProcessEnv, sets: ReadonlySet<Toolset>, scope: LibraryScope): Promise<Tools> {
  const { makeTools } = await import("./tools.ts");
  return makeTools(vars, sets, scope);
}
