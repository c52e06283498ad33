/** Talks to `dex web` as its page does. */
import assert from "node:assert/strict";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { verbPath } from "../../../src/http/paths.ts";
import type { TestHome } from "../program/dex.ts";

export class WebServer {
  readonly process: ChildProcessWithoutNullStreams;
  readonly origin: string;
  readonly token: string;

  private constructor(process: ChildProcessWithoutNullStreams, address: string) {
    const { origin, hash } = new URL(address);
    this.process = process;
    this.origin = origin;
    this.token = hash.slice("#token=".length);
    assert.ok(this.token.length >= 40, address);
  }

  /** Port 0 is a free one. */
  static async start(home: TestHome, port = 0): Promise<WebServer> {
    const process = home.open("web", "--no-open", "--port", String(port));
    process.stderr.resume();
    const address = await new Promise<string>((resolve, reject) => {
      createInterface({ input: process.stdout }).once("line", resolve);
      process.once("exit", () => reject(new Error("the server did not start")));
    });
    return new WebServer(process, address);
  }

  /** The link that the program printed. */
  get address(): string {
    return `${this.origin}/#token=${this.token}`;
  }

  get headers(): Record<string, string> {
    return { Authorization: `Bearer ${this.token}`, "Content-Type": "application/json" };
  }

  /** `verb` is as on the command line. */
  post(
    verb: string,
    input: unknown = {},
    change: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<Response> {
    return fetch(this.origin + verbPath(verb), {
      method: "POST",
      headers: { ...this.headers, ...change },
      body: JSON.stringify(input),
      signal: signal ?? null,
    });
  }

  /** Ends it as Ctrl-C does, and returns the exit status. */
  async end(): Promise<number | null> {
    const exited = once(this.process, "exit");
    this.process.kill("SIGINT");
    const [status] = (await exited) as [number | null];
    return status;
  }
}
