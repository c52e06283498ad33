import assert from "node:assert/strict";
import { test } from "node:test";
import { CallQueue } from "./call_queue.ts";

test("calls start in order, a few at a time, and a cancelled call never starts", async () => {
  const queue = new CallQueue();
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const cancel = new AbortController();
  const calls = Array.from({ length: 20 }, (_, i) =>
    queue.run(
      async (turn) => {
        begun.push(i);
        running += 1;
        most = Math.max(most, running);
        await turn();
        running -= 1;
        if (i === 0) cancel.abort(new Error("cancelled"));
        return i;
      },
      i >= 10 ? cancel.signal : undefined,
    ),
  );
  const settled = await Promise.allSettled(calls);
  assert.deepEqual(begun.slice(0, 4), [0, 1, 2, 3]);
  assert.deepEqual(
    begun,
    begun.toSorted((a, b) => a - b),
  );
  assert.ok(most <= 4 && most > 1, `${most} at once`);
  assert.deepEqual(
    settled.map(({ status }) => status),
    [...new Array(10).fill("fulfilled"), ...new Array(10).fill("rejected")],
  );
  assert.ok(
    begun.every((i) => i < 10),
    "no cancelled call started",
  );
});

test("the event loop turns between two calls, and a failed call frees its slot", async () => {
  const queue = new CallQueue();
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const failing = Array.from({ length: 12 }, () =>
    queue.run(() => Promise.reject(new Error("fails")), undefined).catch(() => {}),
  );
  await Promise.all(failing);
  isOver = true;
  assert.ok(turns >= 12, `${turns} turns for 12 calls`);
  assert.equal(await queue.run(async () => "served", undefined), "served");
});

test("a call that is cancelled before it is queued is rejected", async () => {
  await assert.rejects(
    new CallQueue().run(async () => 1, AbortSignal.abort(new Error("gone"))),
    /gone/,
  );
});
