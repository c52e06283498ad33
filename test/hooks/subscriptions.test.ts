/** Subscriptions as people and agents use them, and what becomes of deliveries when processes die. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { MAX_STREAMS } from "../../src/serving/events.ts";
import { Outbox, SECRET } from "../support/outbox.ts";
import { TestHome } from "../support/program/dex.ts";
import { EventReader } from "../support/servers/events.ts";
import { HttpServer } from "../support/servers/mcp.ts";
import { answering, isSigned, Receiver, silent } from "../support/servers/receiver.ts";

const receivers: Receiver[] = [];
after(() => Promise.all(receivers.map((receiver) => receiver.end())));

function newHome(vars: Record<string, string> = {}): TestHome {
  return new TestHome({ vars });
}

async function newReceiver(): Promise<Receiver> {
  const receiver = await Receiver.start();
  receivers.push(receiver);
  return receiver;
}

function outboxOf(home: TestHome): Outbox {
  return new Outbox(join(home.dexHome, "state.db"));
}

interface Shown {
  id: string;
  enabled: boolean;
  secret?: string;
  callbackType: string;
  watchPatterns: { type: string; pattern: string; priority: number }[];
  deliveries: { pending: number; delivered: number; dead: number; expired: number };
}

interface Polled {
  deliveries: { id: string; cursor: number }[];
  cursor: number;
  more: boolean;
}

test("a subscription is made, shown without its secret, switched off and on, and ended", () => {
  const home = newHome();
  assert.equal(home.run("subscriptions").status, 1);
  const made = home.json<{ subscription: Shown; secret: string }>(
    "subscribe",
    ...["--file", "src/auth/**", "--symbol", "/^validate/", "--topic", "authentication", "--entity", "decision:abc"],
    ...["--watch", "file:docs/**", "--webhook", "http://localhost:9/hook", "--min-score", "0.7", "--max", "3"],
  );
  assert.match(made.subscription.id, /^sub_[0-9a-f]{12}$/);
  assert.match(made.secret, /^whsec_[\w-]{40,}$/);
  assert.equal(made.subscription.callbackType, "webhook");
  assert.deepEqual(
    made.subscription.watchPatterns.map(({ type }) => type),
    ["file", "file", "symbol", "topic", "entity"],
  );
  assert.equal(statSync(join(home.dexHome, "state.db")).mode & 0o077, 0);
  const listed = home.run("subscriptions", "--json").stdout;
  assert.ok(!listed.includes(made.secret));
  assert.ok(!home.run("subscriptions").stdout.includes(made.secret));
  const [shown] = (JSON.parse(listed) as { subscriptions: Shown[] }).subscriptions;
  assert.equal(shown?.secret, `…${made.secret.slice(-4)}`);
  const { id } = made.subscription;
  assert.equal(home.json<{ subscription: Shown }>("subscriptions", "disable", id).subscription.enabled, false);
  assert.equal(
    home.json<{ subscription: Shown }>("subscriptions", "enable", id.slice(0, 8)).subscription.enabled,
    true,
  );
  assert.equal(home.run("unsubscribe", id).status, 0);
  assert.equal(home.run("unsubscribe", id).status, 2);
  assert.equal(home.run("subscriptions").status, 1);
});

test("patterns that cannot be watched and targets that cannot be reached are refused with a sentence", () => {
  const home = newHome();
  const refused = (...args: string[]): string => {
    const answer = home.run("subscribe", ...args, "--json");
    assert.equal(answer.status, 2, args.join(" "));
    return (JSON.parse(answer.stdout) as { error: { code: string } }).error.code;
  };
  assert.equal(refused(), "no_pattern");
  assert.equal(refused("--file", "x", "--webhook", "https://hooks.example.com/"), "foreign_webhook");
  assert.equal(refused("--file", "x", "--webhook", "http://169.254.169.254/"), "foreign_webhook");
  assert.equal(refused("--symbol", "/(a+)+$/"), "bad_pattern");
  assert.equal(refused("--file", "../x"), "bad_pattern");
  assert.equal(refused("--file", "x", "--by", "webhook"), "bad_input");
  assert.equal(refused("--watch", "planet:mars"), "bad_input");
  const allowed = home.withVars({ DEX_WEBHOOKS_ALLOW_HOSTS: "hooks.example.com,10.0.0.1" });
  allowed.cwd = home.home;
  assert.equal(allowed.run("subscribe", "--file", "x", "--webhook", "https://hooks.example.com/").status, 0);
  assert.equal(allowed.run("subscribe", "--file", "x", "--webhook", "https://10.0.0.1/").status, 2);
});

test("polling gives each suggestion once, and again from a cursor", () => {
  const home = newHome();
  const outbox = outboxOf(home);
  const ids = outbox.add(outbox.subscribe({ id: "sub_aaaaaaaaaaaa", callbackType: "poll" }), 5, Date.now());
  outbox.add(outbox.subscribe({ id: "sub_bbbbbbbbbbbb", callbackType: "sse" }), 1, Date.now());
  const first = home.json<Polled>("subscriptions", "poll", "sub_aaaa", "--limit", "2");
  assert.deepEqual(
    first.deliveries.map(({ id }) => id),
    ids.slice(0, 2),
  );
  assert.equal(first.more, true);
  const rest = home.json<Polled>("subscriptions", "poll");
  assert.deepEqual(
    rest.deliveries.map(({ id }) => id),
    ids.slice(2),
  );
  assert.equal(home.run("subscriptions", "poll").status, 1);
  const again = home.json<Polled>("subscriptions", "poll", "--after", String(first.cursor));
  assert.deepEqual(again.deliveries, rest.deliveries);
  assert.equal(home.json<Polled>("subscriptions", "poll", "--after", String(rest.cursor)).deliveries.length, 0);
});

test("agents subscribe with the parameter names of the tool, list their subscriptions and poll", async () => {
  const home = newHome();
  const server = await HttpServer.start(home, "--tools", "context");
  try {
    const project = join(home.home, "project");
    mkdirSync(project);
    const { structuredContent } = await server.call("context_subscribe", {
      sessionId: "session-1",
      projectId: project,
      watchPatterns: [
        { type: "file", pattern: "src/auth/**", priority: 1 },
        { type: "topic", pattern: "authentication", priority: 2 },
      ],
      callbackType: "webhook",
      callbackUrl: "http://localhost:3000/suggestions",
      minRelevanceScore: 0.7,
      maxSuggestionsPerTrigger: 3,
      cooldownMs: 10_000,
    });
    const { subscription } = structuredContent as unknown as { subscription: Shown & Record<string, unknown> };
    assert.equal(subscription.sessionId, "session-1");
    assert.equal(subscription.maxSuggestionsPerTrigger, 3);
    assert.equal(subscription.cooldownMs, 10_000);
    assert.equal(subscription.enabled, true);
    const listed = await server.call("context_subscriptions", { sessionId: "session-1" });
    const { subscriptions } = listed.structuredContent as unknown as { subscriptions: Shown[] };
    assert.deepEqual(
      subscriptions.map(({ id }) => id),
      [subscription.id],
    );
    assert.equal((await server.call("context_poll")).structuredContent?.cursor, 0);
    await server.call("context_unsubscribe", { id: subscription.id });
    assert.deepEqual((await server.call("context_subscriptions")).structuredContent?.subscriptions, []);
  } finally {
    await server.end();
  }
});

test("webhooks are sent by hand; one that is given up is listed and can be tried again", async () => {
  const home = newHome();
  const outbox = outboxOf(home);
  const receiver = await newReceiver();
  receiver.answer = answering(410);
  const [id = ""] = outbox.add(outbox.subscribe({ id: "sub_aaaaaaaaaaaa", callbackUrl: receiver.url }), 1, Date.now());
  const deliver = async (): Promise<unknown> =>
    JSON.parse((await home.runBeside("subscriptions", "deliver", "--json")).stdout);
  assert.deepEqual(await deliver(), { delivered: 0, failed: 0, dead: 1 });
  const dead = home.json<{ deliveries: { id: string; error: string }[] }>("subscriptions", "dead");
  assert.deepEqual(
    dead.deliveries.map((each) => [each.id, each.error]),
    [[id, "answered 410: it wants no more deliveries"]],
  );
  receiver.answer = answering(200);
  assert.equal(home.run("subscriptions", "dead", "--retry", "dlv_nothing").status, 2);
  assert.equal(home.run("subscriptions", "dead", "--retry", id).status, 0);
  assert.deepEqual(await deliver(), { delivered: 1, failed: 0, dead: 0 });
  assert.deepEqual(receiver.ids, [id, id]);
  assert.ok(receiver.received.every((each) => isSigned(each, SECRET)));
  assert.deepEqual(await deliver(), { delivered: 0, failed: 0, dead: 0 });
});

test("killed while it sends: nothing is lost, and what comes twice has one id", async () => {
  const home = newHome();
  const outbox = outboxOf(home);
  const receiver = await newReceiver();
  const ids = Array.from({ length: 6 }, (_, i) => {
    const subscription = outbox.subscribe({ id: `sub_${i}`, callbackUrl: receiver.url });
    return outbox.add(subscription, 8, Date.now());
  }).flat();
  let kills = 0;
  for (const answered of [3, 11, 20]) {
    // So many are answered; the next is taken, and then the sender dies.
    receiver.answer = (response, got) => {
      if (receiver.received.length <= answered) answering(204)(response, got);
    };
    const server = await HttpServer.start(home);
    await receiver.came(answered + 1);
    server.process.kill("SIGKILL");
    if (server.process.signalCode === null) await once(server.process, "exit");
    kills += 1;
  }
  assert.equal(kills, 3);
  receiver.answer = answering(204);
  const server = await HttpServer.start(home);
  while (outbox.state.deliveries.nextDue(0) !== undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  await server.end();
  assert.deepEqual(new Set(receiver.ids), new Set(ids));
  // Twice came only what was under way at a kill: at most two of one receiver at a time.
  assert.ok(receiver.received.length <= ids.length + 2 * kills, String(receiver.received.length));
  for (const id of new Set(receiver.ids)) {
    assert.equal(new Set(receiver.received.filter((each) => each.id === id).map(({ body }) => body)).size, 1);
  }
});

test("a server ends on request while a receiver is silent", async () => {
  const home = newHome();
  const outbox = outboxOf(home);
  const receiver = await newReceiver();
  receiver.answer = silent;
  outbox.add(outbox.subscribe({ id: "sub_a", callbackUrl: receiver.url }), 1, Date.now());
  const server = await HttpServer.start(home);
  await receiver.came(1);
  assert.equal(await server.end(), 0);
  assert.deepEqual(outbox.state.deliveries.leases(), []);
  assert.equal(outbox.state.deliveries.counts("sub_a").pending, 1);
});

test("events come as they are made, and go on after the last one had", async () => {
  const home = newHome();
  const outbox = outboxOf(home);
  const subscription = outbox.subscribe({ id: "sub_a", callbackType: "sse", projectId: "/one" });
  const other = outbox.subscribe({ id: "sub_b", callbackType: "sse", projectId: "/two" });
  const waiting = outbox.add(subscription, 2, Date.now());
  const server = await HttpServer.start(home);
  try {
    const reader = await EventReader.open(server);
    await reader.came(2);
    assert.deepEqual(reader.ids, waiting);
    const more = outbox.add(subscription, 3, Date.now());
    await reader.came(5);
    assert.deepEqual(reader.ids.slice(2), more);
    assert.deepEqual(new Set(reader.events.map(({ event }) => event)), new Set(["suggestion"]));
    const last = reader.events.at(-1)?.id ?? "";
    reader.close();
    const missed = [...outbox.add(subscription, 2, Date.now()), ...outbox.add(other, 1, Date.now())];
    const resumed = await EventReader.open(server, "", { "Last-Event-ID": last });
    await resumed.came(3);
    assert.deepEqual(resumed.ids, missed);
    const byQuery = await EventReader.open(server, `?after=${last}&subscription=sub_b`);
    await byQuery.came(1);
    assert.deepEqual(byQuery.ids, missed.slice(2));
    const byProject = await EventReader.open(server, "?after=0&project=/one");
    await byProject.came(7);
    assert.deepEqual(byProject.ids, [...waiting, ...more, ...missed.slice(0, 2)]);
    for (const each of [resumed, byQuery, byProject]) each.close();
    assert.equal(outbox.state.deliveries.last(), 8);
  } finally {
    await server.end();
  }
});

test("a client that may not read events gets the status that says why", async () => {
  const home = newHome();
  const outbox = outboxOf(home);
  outbox.subscribe({ id: "sub_poll", callbackType: "poll" });
  const server = await HttpServer.start(home);
  const status = (headers: Record<string, string>, path = "/events", method = "GET"): Promise<number> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(server.url);
      const sent = request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      });
      sent.on("error", reject);
      sent.end();
    });
  const token = { Authorization: `Bearer ${server.token}` };
  try {
    assert.equal(await status(token), 200);
    assert.equal(await status({}), 401);
    assert.equal(await status({ ...token, Host: "evil.example" }), 403);
    assert.equal(await status({ ...token, Origin: "https://evil.example" }), 403);
    assert.equal(await status(token, "/events/"), 404);
    assert.equal(await status(token, "/events?subscription=sub_none"), 404);
    assert.equal(await status(token, "/events?subscription=sub_poll"), 404);
    assert.equal(await status(token, "/events?after=x"), 400);
    assert.equal(await status({ ...token, "Last-Event-ID": "1;drop" }), 400);
    assert.equal(await status(token, "/events", "POST"), 405);
  } finally {
    await server.end();
  }
});

test("64 readers all get everything; too many are refused", async () => {
  const home = newHome();
  const outbox = outboxOf(home);
  const subscription = outbox.subscribe({ id: "sub_a", callbackType: "sse" });
  const server = await HttpServer.start(home);
  const readers = await Promise.all(Array.from({ length: 64 }, () => EventReader.open(server)));
  try {
    const ids: string[] = [];
    for (let round = 0; round < 10; round += 1) ids.push(...outbox.add(subscription, 20, Date.now()));
    await Promise.all(readers.map((reader) => reader.came(200)));
    for (const reader of readers) assert.deepEqual(reader.ids, ids);
    const others = await Promise.all(Array.from({ length: 70 }, () => EventReader.open(server)));
    assert.equal(others.filter(({ status }) => status === 503).length, 64 + 70 - MAX_STREAMS);
    for (const each of others) each.close();
  } finally {
    for (const each of readers) each.close();
    await server.end();
  }
});

test("a reader that takes nothing holds back none, and misses nothing when it goes on", async () => {
  const home = newHome();
  const outbox = outboxOf(home);
  const subscription = outbox.subscribe({ id: "sub_a", callbackType: "sse" });
  const server = await HttpServer.start(home);
  const deaf = connect(Number(new URL(server.url).port), "127.0.0.1");
  try {
    deaf.write(`GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\n\r\n`);
    await once(deaf, "data");
    deaf.pause();
    const reader = await EventReader.open(server);
    // Far more than the buffers of a socket hold.
    const ids = outbox.add(subscription, 200, Date.now(), 100_000);
    await reader.came(200);
    assert.deepEqual(reader.ids, ids);
    reader.close();
    let text = "";
    const all = new Promise<void>((resolve) => {
      deaf.setEncoding("latin1").on("data", (chunk: string) => {
        text = (text + chunk).replace(/x{50,}/g, "x");
        if (text.includes(`"id":"${ids.at(-1)}"`)) resolve();
      });
    });
    deaf.resume();
    await all;
    assert.deepEqual(
      [...text.matchAll(/"id":"(dlv_\d+)"/g)].map(([, id]) => id),
      ids,
    );
  } finally {
    deaf.destroy();
    await server.end();
  }
});

test("the receiver in the documentation verifies what dex signs", async () => {
  const guide = readFileSync(join(import.meta.dirname, "../../docs/guide/subscriptions.md"), "utf8");
  const code = /```js\n(import \{ createHmac[\s\S]*?)```/.exec(guide)?.[1];
  assert.ok(code, "the example is there");
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    verify(headers: Record<string, unknown>, body: string, secret: string): boolean;
  };
  const home = newHome();
  const outbox = outboxOf(home);
  const receiver = await newReceiver();
  outbox.add(outbox.subscribe({ id: "sub_a", callbackUrl: receiver.url }), 1, Date.now());
  await home.runBeside("subscriptions", "deliver");
  const [got] = receiver.received;
  assert.ok(got);
  assert.equal(module.verify(got.headers, got.body, SECRET), true);
  assert.equal(module.verify(got.headers, `${got.body} `, SECRET), false);
  assert.equal(module.verify(got.headers, got.body, "another"), false);
  assert.equal(module.verify({ ...got.headers, "x-dex-timestamp": "1000" }, got.body, SECRET), false);
});
