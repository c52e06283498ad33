import assert from "node:assert/strict";
import { test } from "node:test";
import { Busy, Slots } from "./slots.ts";

test("callers wait in line up to a number and a time, and a failure frees its place", async () => {
  const slots = new Slots(2, 2, 60_000);
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const order: number[] = [];
  const running = gates.map(({ promise }, i) =>
    slots.use(() => {
      order.push(i);
      return promise;
    }),
  );
  await assert.rejects(
    slots.use(async () => {}),
    Busy,
  );
  assert.deepEqual(order, [0, 1]);
  gates[1]?.reject(new Error("failed"));
  await assert.rejects(running[1] as Promise<void>, /failed/);
  gates[0]?.resolve();
  await running[0];
  assert.deepEqual(order, [0, 1, 2, 3]);
  for (const { resolve } of gates) resolve();
  await Promise.all([running[2], running[3]]);
  assert.equal(await slots.use(async () => "free"), "free");

  const short = new Slots(1, 1, 1);
  const gate = Promise.withResolvers<void>();
  const first = short.use(() => gate.promise);
  await assert.rejects(
    short.use(async () => {}),
    Busy,
  );
  gate.resolve();
  await first;
  assert.equal(await short.use(async () => "free"), "free");
});
