import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Outbox } from "../../../test/support/outbox.ts";
import { answering, Receiver, silent } from "../../../test/support/servers/receiver.ts";
import { MAX_DELIVERIES } from "../../store/sqlite/state/deliveries.ts";
import { BACKOFF_MS } from "./backoff.ts";
import { Deliverer } from "./deliverer.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-deliver-"));
const receivers: Receiver[] = [];
after(async () => {
  await Promise.all(receivers.map((receiver) => receiver.end()));
  rmSync(folder, { recursive: true, force: true });
});

let made = 0;
function newOutbox(): Outbox {
  made += 1;
  return new Outbox(join(folder, `${made}.db`));
}

async function newReceiver(): Promise<Receiver> {
  const receiver = await Receiver.start();
  receivers.push(receiver);
  return receiver;
}

/** A clock that advances only through `pass`. */
class Clock {
  wall = Date.parse("2026-03-01T00:00:00Z");
  steady = 0;

  pass(ms: number): void {
    this.wall += ms;
    this.steady += ms;
  }
}

function delivererOf(outbox: Outbox, clock: Clock, timeoutMs = 5000): Deliverer {
  return new Deliverer({
    path: outbox.path,
    now: () => clock.wall,
    monotonic: () => clock.steady,
    allowHosts: async () => [],
    send: { timeoutMs },
  });
}

test("due deliveries are sent once, in order, and are done when the receiver confirms them", async () => {
  const outbox = newOutbox();
  const receiver = await newReceiver();
  const clock = new Clock();
  const subscription = outbox.subscribe({ id: "sub_a", callbackUrl: receiver.url });
  const ids = outbox.add(subscription, 30, clock.wall);
  const deliverer = delivererOf(outbox, clock);
  assert.deepEqual(await deliverer.flush(), { delivered: 30, failed: 0, dead: 0 });
  assert.deepEqual(receiver.ids, ids);
  assert.deepEqual(await deliverer.flush(), { delivered: 30, failed: 0, dead: 0 });
  assert.equal(receiver.received.length, 30);
  await deliverer.close();
});

test("two processes never send a delivery twice", async () => {
  const outbox = newOutbox();
  const receiver = await newReceiver();
  const clock = new Clock();
  for (let i = 0; i < 12; i += 1) {
    outbox.add(outbox.subscribe({ id: `sub_${i}`, callbackUrl: receiver.url }), 5, clock.wall);
  }
  const both = [delivererOf(outbox, clock), delivererOf(outbox, clock)];
  await Promise.all(both.map((each) => each.flush()));
  await Promise.all(both.map((each) => each.flush()));
  assert.equal(receiver.received.length, 60);
  assert.equal(new Set(receiver.ids).size, 60);
  await Promise.all(both.map((each) => each.close()));
});

test("a receiver that is down gets retries with the same id; a dead delivery can be retried by hand", async () => {
  const outbox = newOutbox();
  const receiver = await newReceiver();
  const clock = new Clock();
  receiver.answer = answering(500);
  const [id = ""] = outbox.add(outbox.subscribe({ id: "sub_a", callbackUrl: receiver.url }), 1, clock.wall);
  const deliverer = delivererOf(outbox, clock);
  for (let attempt = 1; attempt <= BACKOFF_MS.length; attempt += 1) {
    await deliverer.flush();
    assert.equal(receiver.received.length, attempt);
    // Not before it is due.
    clock.pass((BACKOFF_MS[attempt - 1] ?? 0) * 0.7);
    await deliverer.flush();
    assert.equal(receiver.received.length, attempt);
    clock.pass(BACKOFF_MS[attempt - 1] ?? 0);
  }
  assert.equal((await deliverer.flush()).dead, 1);
  assert.deepEqual(new Set(receiver.ids), new Set([id]));
  assert.deepEqual(
    receiver.received.map(({ attempt }) => attempt),
    Array.from({ length: BACKOFF_MS.length + 1 }, (_, i) => i + 1),
  );
  clock.pass(10 ** 9);
  await deliverer.flush();
  assert.equal(receiver.received.length, BACKOFF_MS.length + 1);
  const [dead] = outbox.state.deliveries.dead();
  assert.equal(dead?.error, "answered 500");
  receiver.answer = answering(200);
  assert.ok(outbox.state.deliveries.revive(id, clock.wall));
  await deliverer.flush();
  assert.deepEqual(outbox.state.deliveries.counts("sub_a"), { pending: 0, delivered: 1, dead: 0 });
  await deliverer.close();
});

test("a receiver that never answers does not delay others", async () => {
  const outbox = newOutbox();
  const slow = await newReceiver();
  const quick = await newReceiver();
  const clock = new Clock();
  slow.answer = silent;
  for (let i = 0; i < 40; i += 1) {
    outbox.add(outbox.subscribe({ id: `sub_slow${i}`, callbackUrl: slow.url }), 3, clock.wall);
  }
  const ids = outbox.add(outbox.subscribe({ id: "sub_quick", callbackUrl: quick.url }), 20, clock.wall);
  const deliverer = delivererOf(outbox, clock, 60_000);
  deliverer.wake();
  await quick.came(20);
  assert.deepEqual(quick.ids, ids);
  // It got as many as one receiver may have at a time, and they still wait for its answer.
  assert.equal(slow.received.length, 2);
  await deliverer.close();
  // The closed deliverer released them for the next one.
  assert.deepEqual(outbox.state.deliveries.leases(), []);
});

test("after a failure other deliveries to the same receiver wait too", async () => {
  const outbox = newOutbox();
  const receiver = await newReceiver();
  const clock = new Clock();
  receiver.answer = answering(500);
  outbox.add(outbox.subscribe({ id: "sub_a", callbackUrl: receiver.url }), 200, clock.wall);
  const deliverer = delivererOf(outbox, clock);
  assert.deepEqual(await deliverer.flush(), { delivered: 0, failed: 1, dead: 0 });
  clock.pass(2000);
  receiver.answer = answering(200);
  await deliverer.flush();
  assert.equal(new Set(receiver.ids).size, 200);
  assert.equal(receiver.received.length, 201);
  await deliverer.close();
});

test("a clock that is set back stops nothing", async () => {
  const outbox = newOutbox();
  const receiver = await newReceiver();
  const clock = new Clock();
  receiver.answer = answering(500);
  outbox.add(outbox.subscribe({ id: "sub_a", callbackUrl: receiver.url }), 1, clock.wall);
  const deliverer = delivererOf(outbox, clock);
  await deliverer.flush();
  clock.wall -= 30 * 24 * 3_600_000;
  clock.steady += 60_000;
  receiver.answer = answering(200);
  await deliverer.flush();
  assert.deepEqual(outbox.state.deliveries.counts("sub_a"), { pending: 0, delivered: 1, dead: 0 });
  assert.equal(receiver.received.length, 2);
  await deliverer.close();
});

test("a lease dated in the future expires after its own length", () => {
  const outbox = newOutbox();
  const clock = new Clock();
  const { deliveries } = outbox.state;
  const [id = ""] = outbox.add(outbox.subscribe({ id: "sub_a", callbackUrl: "http://localhost:1" }), 1, clock.wall);
  assert.ok(deliveries.lease(id, "elsewhere:1:1", clock.wall, 15_000));
  clock.pass(-30 * 24 * 3_600_000);
  assert.deepEqual(deliveries.due(clock.wall), []);
  clock.pass(14_000);
  assert.deepEqual(deliveries.due(clock.wall), []);
  clock.pass(1000);
  assert.deepEqual(
    deliveries.due(clock.wall).map((each) => each.id),
    [id],
  );
});

test("a disabled subscription gets nothing until it is enabled again", async () => {
  const outbox = newOutbox();
  const receiver = await newReceiver();
  const clock = new Clock();
  outbox.add(outbox.subscribe({ id: "sub_a", callbackUrl: receiver.url, enabled: false }), 3, clock.wall);
  const deliverer = delivererOf(outbox, clock);
  await deliverer.flush();
  assert.equal(receiver.received.length, 0);
  outbox.state.subscriptions.enable("sub_a", true);
  await deliverer.flush();
  assert.equal(receiver.received.length, 3);
  await deliverer.close();
});

test("the queue is bounded, and dropped deliveries are counted", () => {
  const outbox = newOutbox();
  const clock = new Clock();
  const subscription = outbox.subscribe({ id: "sub_a", callbackType: "poll" });
  const other = outbox.subscribe({ id: "sub_b", callbackType: "poll" });
  outbox.add(other, 1, clock.wall);
  const ids = outbox.add(subscription, MAX_DELIVERIES + 25, clock.wall);
  const kept = outbox.state.deliveries.after(0, { subscriptionId: "sub_a" }, 10_000);
  assert.deepEqual(
    kept.map(({ id }) => id),
    ids.slice(25),
  );
  assert.equal(outbox.state.subscriptions.get("sub_a")?.expired, 25);
  // A fetched delivery that was dropped does not count as expired.
  outbox.state.deliveries.markFetched(kept.map(({ id }) => id));
  outbox.add(subscription, 10, clock.wall);
  assert.equal(outbox.state.subscriptions.get("sub_a")?.expired, 25);
  assert.equal(outbox.state.subscriptions.get("sub_b")?.expired, 0);
  assert.equal(outbox.state.deliveries.counts("sub_b").pending, 1);
});
