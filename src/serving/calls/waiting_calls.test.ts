/** Equal calls that wait are answered together; a call that has begun is not joined. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { WaitingCalls } from "./waiting_calls.ts";

interface Started {
  signal: AbortSignal;
  begun(): void;
  answer(text: string): void;
  fail(error: Error): void;
}

function calls() {
  const waiting = new WaitingCalls();
  const started: Started[] = [];
  const join = (key: string, signal?: AbortSignal): Promise<string> =>
    waiting.join(
      key,
      (everyone, begun) =>
        new Promise<string>((answer, fail) => {
          started.push({ signal: everyone, begun, answer, fail });
        }),
      signal,
    );
  return { join, started };
}

test("equal calls share an answer until it begins", async () => {
  const { join, started } = calls();
  const [first, second, other] = [join("a"), join("a"), join("b")];
  assert.equal(started.length, 2);
  started[0]?.begun();
  const later = join("a");
  assert.equal(started.length, 3, "it may have read the index already");
  started[0]?.answer("one");
  started[1]?.answer("b");
  started[2]?.answer("two");
  assert.deepEqual(await Promise.all([first, second, other, later]), ["one", "one", "b", "two"]);
  const after = join("a");
  started[3]?.fail(new Error("broken"));
  await assert.rejects(after, /broken/);
  void join("a");
  assert.equal(started.length, 5);
});

test("a caller that leaves is rejected; the call is cancelled when the last one leaves", async () => {
  const { join, started } = calls();
  const [one, two] = [new AbortController(), new AbortController()];
  const [first, second] = [join("a", one.signal), join("a", two.signal)];
  one.abort(new Error("gone"));
  await assert.rejects(first, /gone/);
  assert.equal(started[0]?.signal.aborted, false);
  two.abort(new Error("gone, too"));
  await assert.rejects(second, /gone, too/);
  assert.equal(started[0]?.signal.aborted, true);
  const third = join("a");
  assert.equal(started.length, 2, "nobody joins a cancelled call");
  started[1]?.answer("new");
  assert.equal(await third, "new");
  await assert.rejects(join("a", AbortSignal.abort(new Error("before"))), /before/);
});
