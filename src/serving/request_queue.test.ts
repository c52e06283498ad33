import assert from "node:assert/strict";
import { test } from "node:test";
import { RequestQueue } from "./request_queue.ts";

test("requests start one per turn and in order; one whose client is gone does not take a turn", async () => {
  const queue = new RequestQueue();
  const gone = new AbortController();
  const started: string[] = [];
  const wait = async (name: string, signal?: AbortSignal): Promise<void> => {
    started.push(`${name} ${await queue.next(signal)}`);
  };
  const all = [wait("a"), wait("b", gone.signal), wait("c", gone.signal), wait("d")];
  gone.abort();
  await Promise.all(all);
  assert.deepEqual(started, ["a true", "b false", "c false", "d true"]);
  assert.equal(await queue.next(), true);
});
