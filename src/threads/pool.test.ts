/** Each way in which a thread can fail ends one job, with its cause; the others are done, and nothing is left running. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { rounds } from "../../test/support/program/limits.ts";
import type { PoolThreadData, PoolThreadJob } from "../../test/support/servers/pool_thread.ts";
import { DexError } from "../kernel/errors.ts";
import { Backlog } from "./backlog.ts";
import { hasKilledThread, isPoolFailure, type PoolOptions, ThreadPool } from "./pool.ts";
import { TermReceiver, TermSender } from "./term_delta.ts";

const program = new URL("../../test/support/servers/pool_thread.ts", import.meta.url);
const NOTHING = (): void => {};

async function withPool<T>(
  options: Partial<PoolOptions<undefined, PoolThreadJob>>,
  use: (pool: ThreadPool<PoolThreadJob, number>) => Promise<T>,
): Promise<T> {
  const setup = () => ({ kept: undefined });
  const pool = new ThreadPool<PoolThreadJob, number>({ program, maxThreads: 1, jobsPerThread: 2, setup, ...options });
  try {
    return await use(pool);
  } finally {
    await pool.close();
  }
}

async function echo(pool: ThreadPool<PoolThreadJob, number>, value: number): Promise<number[]> {
  const found: number[] = [];
  await pool.run({ does: "echo", value }, (each) => found.push(each));
  return found;
}

test("more jobs than the threads hold wait for their turn, and all are done", async () => {
  await withPool({ maxThreads: 2 }, async (pool) => {
    assert.equal(pool.width, 4);
    const values = Array.from({ length: 50 }, (_, value) => value);
    assert.deepEqual(
      await Promise.all(values.map((value) => echo(pool, value))),
      values.map((value) => [value]),
    );
  });
});

test("jobs do not wait for a further thread that is still busy with its first job", async () => {
  await withPool({ maxThreads: 2, jobsPerThread: 1, firstJob: { does: "hang" } }, async (pool) => {
    const values = [1, 2, 3, 4];
    assert.deepEqual(
      await Promise.all(values.map((value) => echo(pool, value))),
      values.map((value) => [value]),
    );
  });
});

test("long jobs leave one thread to the others", async () => {
  const isLong = ({ does }: PoolThreadJob): boolean => does === "hang";
  const ends = new AbortController();
  await withPool({ maxThreads: 2, jobsPerThread: 1, isLong }, async (pool) => {
    const long = Array.from({ length: 3 }, () => pool.run({ does: "hang" }, NOTHING, ends.signal));
    const ended = Promise.all(long.map((each) => assert.rejects(each)));
    assert.deepEqual(await Promise.all([1, 2, 3].map((value) => echo(pool, value))), [[1], [2], [3]]);
    ends.abort();
    await ended;
  });
});

test("a job that throws fails alone, with its own error", async () => {
  await withPool({}, async (pool) => {
    const wrong = pool.run({ does: "throw", value: 3 }, NOTHING);
    const right = echo(pool, 4);
    await assert.rejects(wrong, { message: "value 3 is wrong" });
    const coded = { name: "DexError", code: "wrong_value", message: "value 5 is wrong.", hint: "Use another." };
    await assert.rejects(pool.run({ does: "throw_dex", value: 5 }, NOTHING), coded);
    assert.deepEqual(await right, [4]);
  });
});

for (const [does, cause] of [
  ["exit", /^The thread that was reading this died: It exited with status 7\.$/],
  ["throw_later", /^The thread that was reading this died: nobody waits for this\.$/],
  ["fill_memory", /^The thread that was reading this died: .*memory.*\.$/],
] as const) {
  test(`a thread that dies (${does}) fails the job it was doing and is replaced`, async () => {
    await withPool({ resourceLimits: { maxOldGenerationSizeMb: 32 } }, async (pool) => {
      const [killer, ...others] = await Promise.allSettled([
        pool.run({ does }, NOTHING),
        ...[1, 2, 3].map((value) => echo(pool, value)),
      ]);
      assert.ok(killer.status === "rejected" && hasKilledThread(killer.reason));
      assert.match((killer.reason as Error).message, cause);
      assert.deepEqual(
        others.map((each) => each.status === "fulfilled" && each.value),
        [[1], [2], [3]],
      );
      // As often as needed, where jobs are finished between.
      for (let value = 0; value < 6 && does === "exit"; value += 1) {
        await assert.rejects(pool.run({ does }, NOTHING), hasKilledThread);
        assert.deepEqual(await echo(pool, value), [value]);
      }
    });
  });
}

test("threads that never finish a job are not replaced forever", async () => {
  let started = 0;
  const setup = () => {
    started += 1;
    return { workerData: { broken: true }, kept: undefined };
  };
  await withPool({ setup, maxThreads: 2 }, async (pool) => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, value) => echo(pool, value)));
    const errors = results.map((each) => (each.status === "rejected" ? (each.reason as Error) : undefined));
    assert.ok(errors.every((error) => hasKilledThread(error) || isPoolFailure(error)));
    assert.ok(errors.some(isPoolFailure));
    assert.ok(started <= 6, `${started} threads were started`);
    await assert.rejects(echo(pool, 1), (error) => {
      assert.ok(error instanceof DexError && isPoolFailure(error));
      assert.match(error.message, /this thread cannot start\.$/);
      assert.notEqual(error.hint, undefined);
      return true;
    });
  });
});

test("a cancelled job is ended although it never pauses; the jobs behind it are done", async () => {
  await withPool({}, async (pool) => {
    for (let round = 0; round < 6; round += 1) {
      const cancel = new AbortController();
      const begun = Promise.withResolvers<number>();
      const hanging = pool.run({ does: "hang" }, begun.resolve, cancel.signal);
      const behind = echo(pool, round);
      const waiting = new AbortController();
      const never = pool.run({ does: "exit" }, NOTHING, waiting.signal);
      await begun.promise;
      waiting.abort(new Error("not wanted"));
      cancel.abort(new Error("cancelled"));
      await assert.rejects(hanging, /^Error: cancelled$/);
      await assert.rejects(never, /^Error: not wanted$/);
      assert.deepEqual(await behind, [round]);
    }
  });
});

test("a thread does other jobs while one waits, and a waiting job ends when it is cancelled", async () => {
  await withPool({ jobsPerThread: 1 }, async (pool) => {
    const cancel = new AbortController();
    const begun = Promise.withResolvers<number>();
    const waiting = pool.run({ does: "wait" }, begun.resolve, cancel.signal);
    await begun.promise;
    assert.deepEqual(await echo(pool, 1), [1]);
    cancel.abort(new Error("cancelled"));
    await assert.rejects(waiting, /^Error: cancelled$/);
    assert.deepEqual(await echo(pool, 2), [2]);
  });
});

test("closing a pool whose threads compress does not abort the process", async () => {
  for (let round = 0; round < rounds(5, 20); round += 1) {
    const pool = new ThreadPool<PoolThreadJob, number>({
      program,
      maxThreads: 2,
      jobsPerThread: 1,
      setup: () => ({ kept: undefined }),
    });
    const begun = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const jobs = begun.map(({ resolve }) => assert.rejects(pool.run({ does: "compress" }, resolve), /closed/));
    await Promise.all(begun.map(({ promise }) => promise));
    await pool.close();
    await Promise.all(jobs);
  }
});

test("closing ends a thread that hangs, and its jobs fail", async () => {
  const pool = new ThreadPool<PoolThreadJob, number>({
    program,
    maxThreads: 2,
    jobsPerThread: 1,
    setup: () => ({ kept: undefined }),
  });
  const hanging = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  const takers = [...hanging.map(({ resolve }) => resolve), NOTHING];
  const jobs = takers.map((take) => assert.rejects(pool.run({ does: "hang" }, take), /closed/));
  await Promise.all(hanging.map(({ promise }) => promise));
  await pool.close();
  await Promise.all(jobs);
  await assert.rejects(echo(pool, 1), /closed/);
  assert.equal(process.getActiveResourcesInfo().filter((name) => /worker/i.test(name)).length, 0);
});

test("a message larger than the backlog may be passes alone, and the thread waits for the other side", async () => {
  const backlog = new Backlog();
  const count = new Int32Array(backlog.buffer);
  const maxUnread = 100;
  const workerData: PoolThreadData = { backlog: backlog.buffer, maxUnread };
  const setup = () => ({ workerData, kept: undefined });
  await withPool({ setup }, async (pool) => {
    const found: number[] = [];
    await pool.run({ does: "send_much", value: 20 }, (value) => {
      assert.equal(count[0], 2 * maxUnread);
      found.push(value);
      backlog.remove(2 * maxUnread);
    });
    assert.equal(found.length, 20);
  });
});

test("each term of a list is sent once, and a new list starts over", () => {
  const sender = new TermSender();
  const receiver = new TermReceiver();
  const list = ["a", "b"];
  assert.deepEqual(receiver.add(sender.next(list)), ["a", "b"]);
  list.push("c");
  const delta = sender.next(list);
  assert.deepEqual(delta, { names: ["c"], anew: false });
  const before = receiver.add(delta);
  assert.deepEqual(receiver.add(sender.next(["x"])), ["x"]);
  assert.deepEqual(before, ["a", "b", "c"]);
});
