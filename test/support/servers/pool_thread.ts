/** The program of a thread whose jobs say what happens to them. */
import { workerData } from "node:worker_threads";
import { zstdCompressSync } from "node:zlib";
import { DexError } from "../../../src/kernel/errors.ts";
import { Backlog } from "../../../src/threads/backlog.ts";
import { serveJobs } from "../../../src/threads/serve.ts";
import { uninterrupted } from "../../../src/threads/uninterrupted.ts";

export interface PoolThreadJob {
  does:
    | "echo"
    | "throw"
    | "throw_dex"
    | "throw_later"
    | "exit"
    | "hang"
    | "fill_memory"
    | "send_much"
    | "compress"
    | "wait";
  value?: number;
}

export interface PoolThreadData {
  broken?: boolean;
  /** For `send_much`. */
  backlog?: SharedArrayBuffer;
  maxUnread?: number;
}

const { broken, backlog, maxUnread = 0 } = (workerData ?? {}) as PoolThreadData;
if (broken) throw new Error("this thread cannot start");

serveJobs<PoolThreadJob, number>(async ({ does, value = 0 }, post, { signal, waits }) => {
  if (does === "throw") throw new Error(`value ${value} is wrong`);
  if (does === "throw_dex") throw new DexError("wrong_value", `value ${value} is wrong.`, { hint: "Use another." });
  if (does === "exit") process.exit(7);
  if (does === "hang") {
    post(value);
    for (;;);
  }
  if (does === "compress") {
    post(value);
    for (;;) uninterrupted(() => zstdCompressSync("a short text"));
  }
  if (does === "wait") {
    waits();
    post(value);
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("asked to end"))));
  }
  if (does === "fill_memory") for (const kept: string[][] = []; ; ) kept.push(new Array<string>(1e5).fill("full"));
  if (does === "throw_later") {
    setImmediate(() => {
      throw new Error("nobody waits for this");
    });
    await new Promise(() => {});
  }
  if (does === "send_much") {
    const unread = new Backlog(backlog);
    for (let i = 0; i < value; i += 1) {
      // Each is larger than all that may be unread.
      unread.add(2 * maxUnread, maxUnread);
      post(i);
    }
    return;
  }
  post(value);
});
