/** In processes of their own: the test runner watches all promises, and a stopped one ends the process. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { HANG_MS } from "../../../test/support/program/limits.ts";

const PATIENCE_MS = 60_000;
const FILE = join(import.meta.dirname, "watchdog.ts");

/** Runs the work and prints what came of it; `late` prints and ends. */
function outcomeOf(ms: number, work: string, vars: NodeJS.ProcessEnv = {}): string {
  const script = `
    const { runInTime } = await import(${JSON.stringify(FILE)});
    const { setTimeout: sleep } = await import("node:timers/promises");
    const say = (text) => process.stdout.write(text + "\\n");
    const late = () => { say("late"); Promise.resolve().then(() => process.exit(0)); };
    try { say("result " + await runInTime(${ms}, ${work}, late)); } catch (error) { say("error " + error.message); }
    say("next " + await runInTime(${PATIENCE_MS}, async () => 1, late));
  `;
  const { NODE_OPTIONS: _, ...env } = { ...process.env, ...vars };
  // Options on the command line turn it off.
  const run = spawnSync(process.execPath, ["-"], { input: script, encoding: "utf8", env, timeout: HANG_MS });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout.trim().replaceAll("\n", ", ");
}

test("returns the work's result, and throws its errors", () => {
  const adding = "async () => (await Promise.resolve(1)) + (await Promise.resolve(2))";
  assert.equal(outcomeOf(PATIENCE_MS, adding), "result 3, next 1");
  const failing = 'async () => { await null; throw new Error("of the work"); }';
  assert.equal(outcomeOf(PATIENCE_MS, failing), "error of the work, next 1");
});

test("goes on after the work waited for a timer", () => {
  assert.equal(outcomeOf(PATIENCE_MS, 'async () => { await sleep(5); return "slept"; }'), "result slept, next 1");
});

test("stops work that never pauses, in the middle of a loop and between promises", () => {
  assert.equal(outcomeOf(30, "async () => { for (;;); }"), "late");
  assert.equal(outcomeOf(30, "async () => { for (;;) await null; }"), "late");
  const never = "async () => { try { for (;;) await null; } catch { say('caught'); } finally { say('finally'); } }";
  assert.equal(outcomeOf(30, never), "late");
});

test("does not start when the time is over", () => {
  assert.equal(outcomeOf(0, 'async () => say("started")'), "late");
});
