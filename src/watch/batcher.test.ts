/** Batches with a clock that the test controls. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Batcher, type BatcherOptions, type Clock } from "./batcher.ts";

/** A clock that the test advances. */
class HandClock implements Clock {
  #now = 1000;
  #timers: { at: number; run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  get waiting(): number {
    return this.#timers.length;
  }

  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      this.#now = next.at;
      next.run();
      await settled();
    }
    this.#now = end;
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function make(more: Partial<BatcherOptions<number[]>> = {}) {
  const clock = new HandClock();
  const done: number[][] = [];
  const failures: unknown[] = [];
  const batcher = new Batcher<number[]>({
    quietMs: 200,
    maxMs: 1500,
    merge: (known, next) => [...(known ?? []), ...next],
    work: async (batch) => void done.push(batch),
    failed: (error) => void failures.push(error),
    clock,
    ...more,
  });
  return { clock, batcher, done, failures };
}

test("events in quick succession are one batch, after a quiet period", async () => {
  const { clock, batcher, done } = make();
  for (let i = 0; i < 5; i += 1) {
    batcher.add([i]);
    await clock.pass(100);
  }
  assert.deepEqual(done, []);
  await clock.pass(100);
  assert.deepEqual(done, [[0, 1, 2, 3, 4]]);
  assert.equal(clock.waiting, 0, "nothing ticks while nothing happens");
  batcher.add([5]);
  await clock.pass(200);
  assert.deepEqual(done.slice(1), [[5]]);
});

test("a steady stream gives a batch per maximum time, and ten thousand events at once give one batch", async () => {
  const { clock, batcher, done } = make();
  for (let i = 0; i < 40; i += 1) {
    batcher.add([i]);
    await clock.pass(100);
  }
  await clock.pass(1000);
  assert.deepEqual(
    done.flat(),
    Array.from({ length: 40 }, (_, i) => i),
  );
  assert.equal(done.length, 3);
  for (let i = 0; i < 10_000; i += 1) batcher.add([]);
  assert.equal(clock.waiting, 1);
  await clock.pass(200);
  assert.equal(done.length, 4);
});

test("events during a batch form the next one, even if the batch fails", async () => {
  const ends: (() => void)[] = [];
  const seen: number[][] = [];
  const { clock, batcher, failures } = make({
    work: (batch) =>
      new Promise((resolve, reject) => {
        seen.push(batch);
        ends.push(seen.length === 1 ? () => reject(new Error("no")) : resolve);
      }),
  });
  batcher.add([1]);
  await clock.pass(200);
  batcher.add([2]);
  await clock.pass(10_000);
  batcher.add([3]);
  assert.deepEqual(seen, [[1]], "one at a time");
  ends[0]?.();
  await settled();
  await clock.pass(200);
  assert.deepEqual(seen, [[1], [2, 3]]);
  assert.equal(failures.length, 1);
  ends[1]?.();
  await settled();
  assert.equal(clock.waiting, 0);
});

test("a batch is held while more events are expected, up to a limit", async () => {
  let busy = true;
  const { clock, batcher, done } = make({ held: () => busy, holdMs: 10_000 });
  batcher.add([1]);
  await clock.pass(5000);
  batcher.add([2]);
  await clock.pass(3000);
  assert.deepEqual(done, []);
  busy = false;
  await clock.pass(400);
  assert.deepEqual(done, [[1, 2]]);
  busy = true;
  batcher.add([3]);
  await clock.pass(10_400);
  assert.deepEqual(done[1], [3]);
});

test("closing waits for the current batch and starts no new one", async () => {
  let end = (): void => undefined;
  let count = 0;
  const { clock, batcher } = make({
    work: () =>
      new Promise((resolve) => {
        count += 1;
        end = resolve;
      }),
  });
  batcher.add([1]);
  await clock.pass(200);
  batcher.add([2]);
  let closed = false;
  const closing = batcher.close().then(() => {
    closed = true;
  });
  await settled();
  assert.equal(closed, false);
  end();
  await closing;
  batcher.add([3]);
  await clock.pass(5000);
  assert.equal(count, 1);
});
