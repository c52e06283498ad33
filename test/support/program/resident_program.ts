/**
 * The other end of resident.ts: runs the built program's `main` for one request after the other. A command is over when
 * a separate process would end: when nothing is left to wait for, or when it ends the process. In between this process
 * blocks in the read of the next request.
 */
import { openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Ended, type Request, readLine } from "./resident_wire.ts";

const ANSWERS = 3;
/** Like Node, which ends if the program still waits for something that never comes. */
const UNSETTLED = 13;
const EVENTS = ["uncaughtException", "unhandledRejection", "SIGINT", "SIGTERM", "SIGHUP"];

const [, , program = "", pipe = ""] = process.argv;
const requests = openSync(pipe, "r");
const { main } = (await import(join(program, "../main.js"))) as typeof import("../../../src/cli/main.ts");
process.argv.splice(1, Number.POSITIVE_INFINITY, program);

/**
 * An hour passes between two commands, for everything that a server caches or keeps open for a while: the clock is put
 * forward, and timers that no process waits for have run out.
 */
const COMMAND_INTERVAL_MS = 3_600_000;
const sinceStart = performance.now.bind(performance);
let passed = 0;
performance.now = () => sinceStart() + passed;

const later = new Map<NodeJS.Timeout, () => void>();
const { setTimeout: setTimer, clearTimeout: clearTimer } = globalThis;
globalThis.setTimeout = Object.assign((callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
  const run = (): void => {
    later.delete(timer);
    callback(...args);
  };
  const timer = setTimer(run, ms);
  later.set(timer, run);
  return timer;
}, setTimer) as typeof setTimeout;
globalThis.clearTimeout = (timer) => {
  if (typeof timer === "object") later.delete(timer);
  clearTimer(timer);
};

function letTimePass(): void {
  passed += COMMAND_INTERVAL_MS;
  for (const [timer, run] of later) {
    clearTimer(timer);
    run();
  }
}

let over = false;
process.on("exit", (status) => {
  if (!over) answer({ status, last: true });
});
process.on("beforeExit", (status) => {
  // A command must not affect the next one through this process.
  for (const event of EVENTS) process.removeAllListeners(event);
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners("error");
  letTimePass();
  process.chdir("/");
  over = process.stdin.readableDidRead;
  answer({ status, last: over });
  if (!over) next();
});
next();

function next(): void {
  const line = readLine(requests);
  if (line === undefined) {
    over = true;
    return;
  }
  const { args, cwd, env } = JSON.parse(line) as Request;
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.exitCode = UNSETTLED;
  // Begun by an event, so its end is seen even if it waits for nothing.
  setImmediate(async () => {
    process.exitCode = await main(args);
  });
}

function answer(ended: Ended): void {
  writeSync(ANSWERS, `${JSON.stringify(ended)}\n`);
}
