/** A reader thread that dies fails its container and not the sync; threads that cannot even start end the sync. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { testEnv } from "../../../test/support/sources/sink.ts";
import { isPoolFailure } from "../../threads/pool.ts";
import type { ReadEvent, ReadJob } from "./events.ts";
import { openPool } from "./pool.ts";

function job(number: number): ReadJob {
  const container = { source: "codex", path: "/nowhere/rollout.jsonl", stamp: "1", bytes: 1, mtimeMs: 1 } as const;
  return { number, container, state: undefined, inherited: [] };
}

test("threads that cannot start fail their containers by name, and then the sync", async () => {
  const events: ReadEvent[] = [];
  const failure = Promise.withResolvers<Error>();
  const policy = { exclude: [], trusted: [], headless: false, forgotten: [] };
  const setup = { env: testEnv("/nowhere"), policy };
  const program = new URL("data:text/javascript,throw new Error('no thread today')");
  const pool = openPool(0, 1, setup, (event) => events.push(event), failure.resolve, program);
  try {
    for (let number = 1; number <= 9; number += 1) pool.run(job(number));
    assert.ok(isPoolFailure(await failure.promise));
    assert.deepEqual(
      events.map((event) => event.job),
      [1, 2, 3, 4, 5],
    );
    for (const event of events) {
      assert.ok(event.type === "done");
      assert.match(event.error ?? "", /^The thread that was reading this died: .*no thread today/);
    }
  } finally {
    await pool.close();
  }
});
