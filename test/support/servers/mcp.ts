/** Talks to `dex serve` directly: messages as they are on the wire. */
import assert from "node:assert/strict";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestHome } from "../program/dex.ts";
import { until } from "../program/watch.ts";

export interface Reply {
  id: number | null;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
  /** Of a notification, which answers nothing. */
  method?: string;
  params?: Record<string, unknown>;
}

export interface ToolResult {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: { "dex/error"?: { code: string; message: string; hint?: string; notice?: string } };
}

export const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

export const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

/** Tests look at single fields, unless they ask for what agents get: `lines`, which is the default. */
function withAllFields(args: readonly string[]): string[] {
  const at = args.indexOf("--structured");
  if (at < 0) return ["--structured", "full", ...args];
  return args[at + 1] === "lines" ? args.toSpliced(at, 2) : [...args];
}

/** A server over stdio. */
export class StdioClient {
  readonly process: ChildProcessWithoutNullStreams;
  /** Every line that came on stdout. */
  readonly lines: string[] = [];
  readonly notices: Reply[] = [];
  stderr = "";
  readonly exited: Promise<number | null>;
  readonly #waiting = new Map<number | null, (reply: Reply) => void>();
  #last = 0;

  constructor(home: TestHome, ...args: string[]) {
    // Another server than `dex serve` is named by its command: `mcp agent`.
    this.process = home.open(...(args[0] === "mcp" ? args : ["serve", ...withAllFields(args)]));
    this.exited = new Promise((resolve) => this.process.once("exit", (code) => resolve(code)));
    this.process.stdin.on("error", () => {});
    this.process.stderr.on("data", (text: Buffer) => {
      this.stderr += text.toString();
    });
    createInterface({ input: this.process.stdout }).on("line", (line) => {
      this.lines.push(line);
      const reply = JSON.parse(line) as Reply;
      if (reply.method !== undefined) this.notices.push(reply);
      this.#waiting.get(reply.id)?.(reply);
    });
  }

  static async greeted(home: TestHome, ...args: string[]): Promise<StdioClient> {
    const client = new StdioClient(home, ...args);
    const { result } = await client.request("initialize", INITIALIZE);
    assert.equal(result?.protocolVersion, "2025-11-25");
    client.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return client;
  }

  send(message: object): void {
    this.raw(`${JSON.stringify(message)}\n`);
  }

  raw(bytes: string | Buffer): void {
    this.process.stdin.write(bytes);
  }

  request(method: string, params?: object): Promise<Reply> {
    this.#last += 1;
    const reply = this.reply(this.#last);
    this.send({ jsonrpc: "2.0", id: this.#last, method, ...(params ? { params } : {}) });
    return reply;
  }

  /** The first request or notification of this method that the server sends. */
  notice(method: string): Promise<Reply> {
    return until(method, () => this.notices.find((each) => each.method === method));
  }

  /** The next reply with this id; fails when the server ends before it. */
  reply(id: number | null): Promise<Reply> {
    const came = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    const gone = this.exited.then((code): never => {
      throw new Error(`the server ended with ${code}: ${this.stderr}`);
    });
    return Promise.race([came, gone]);
  }

  async call(name: string, input: object = {}): Promise<ToolResult> {
    const { result, error } = await this.request("tools/call", { name, arguments: input });
    assert.equal(error, undefined);
    return result as unknown as ToolResult;
  }

  async end(): Promise<number | null> {
    this.process.stdin.end();
    return this.exited;
  }
}

/** A server over HTTP. */
export class HttpServer {
  readonly process: ChildProcessWithoutNullStreams;
  readonly url: string;
  readonly token: string;

  private constructor(process: ChildProcessWithoutNullStreams, url: string, token: string) {
    this.process = process;
    this.url = url;
    this.token = token;
  }

  static async start(home: TestHome, ...args: string[]): Promise<HttpServer> {
    const process = home.open("serve", "--port", "0", ...withAllFields(args));
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: process.stderr }).on("line", resolve);
      process.once("exit", () => reject(new Error("the server did not start")));
    });
    const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(line)?.[0];
    assert.ok(url, line);
    return new HttpServer(process, url, readFileSync(join(home.dexHome, "mcp-token"), "utf8").trim());
  }

  post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url, {
      method: "POST",
      body,
      headers: {
        Authorization: `Bearer ${this.token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...headers,
      },
    });
  }

  async request(method: string, params: object, headers: Record<string, string> = {}): Promise<Reply> {
    const response = await this.post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), headers);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
    return JSON.parse(data) as Reply;
  }

  async call(name: string, input: object = {}): Promise<ToolResult> {
    const { result, error } = await this.request("tools/call", { name, arguments: input });
    assert.equal(error, undefined);
    return result as unknown as ToolResult;
  }

  async end(): Promise<number | null> {
    this.process.kill("SIGTERM");
    if (this.process.exitCode === null) await once(this.process, "exit");
    return this.process.exitCode;
  }
}
