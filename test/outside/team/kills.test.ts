/**
 * Disturbs `dex push` a hundred times at random moments while it sends, indexes and merges, directly and through a gateway:
 * what the server has is always whole, and the push after the last time completes everything. DEX_TEST_KILLS changes the
 * number; a slow machine ends after DEX_TEST_SECONDS.
 */
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { test } from "node:test";
import { TITLE_SLOT } from "../../../src/ranking/segment.ts";
import { seeded } from "../../support/random.ts";
import { TestGateway } from "../../support/team/gateway.ts";
import { postgresPrograms, TestServer } from "../../support/team/postgres.ts";
import { TestProxy } from "../../support/team/proxy.ts";
import { foundTeam, storedLines, type TeamHome } from "../../support/team/team.ts";

const skip = postgresPrograms() ? false : "PostgreSQL is not installed";
const KILLS = Number(process.env.DEX_TEST_KILLS ?? 100);
const MAX_MS = Number(process.env.DEX_TEST_SECONDS ?? 240) * 1000;
const CONVERSATIONS = 8;

/** Conversations of a home that grow in turn. */
class Growing {
  readonly home: TeamHome;
  readonly lengths: number[] = Array.from({ length: CONVERSATIONS }, () => 0);

  constructor(home: TeamHome) {
    this.home = home;
  }

  grow(round: number): void {
    const which = round % CONVERSATIONS;
    const length = (this.lengths[which] ?? 0) + 3;
    this.lengths[which] = length;
    const turns = Array.from({ length }, (_, n) => ({ agent: `answer${which}x${n} about marmots` }));
    this.home.say(idOf(which), [{ user: `question ${which}` }, ...turns]);
    this.home.ok("sync");
  }
}

function idOf(which: number): string {
  return `5eed0000-0000-4000-8000-00000000000${which}`;
}

/** Everything is on the server, once, and indexed once. */
async function assertComplete(server: TestServer, owner: string, { home, lengths }: Growing): Promise<void> {
  home.ok("push", "--wait");
  assert.equal(home.ok("push", "--wait").conversations, 0);
  const stored = await storedLines(server);
  for (const [which, length] of lengths.entries()) {
    const lines = stored.get(`${owner}/${idOf(which)}`) ?? [];
    const answers = lines.flatMap((line) => line.match(new RegExp(`answer${which}x\\d+ about`, "g")) ?? []);
    assert.equal(new Set(answers).size, length, `conversation ${which}`);
    assert.equal(answers.length, length, `conversation ${which} has an answer twice`);
  }
  const [state] = await server.admin.sql`
    select (select count(*) from dex.segment where not ready) as open,
      (select count(*) from dex.gone) as unindexed,
      (select count(*) from dex.conversation where complete <> bytes or indexed <> complete) as lagging,
      (select count(*) from dex.conversation where generation <> 1) as rewritten,
      (select count(*) from dex.term_block t where not exists (
        select from dex.segment s where s.bucket = t.bucket and s.id = t.segment)) as orphans`;
  assert.deepEqual(
    Object.entries(state ?? {}).map(([name, count]) => [name, Number(count)]),
    [
      ["open", 0],
      ["unindexed", 0],
      ["lagging", 0],
      ["rewritten", 0],
      ["orphans", 0],
    ],
  );
  const indexed: string[] = [];
  for (const row of await server.admin.sql`select places from dex.segment`) {
    const places = row.places as Buffer;
    for (let at = 0; at < places.length; at += 8) {
      const slot = places.readUInt32LE(at + 4);
      if (slot !== TITLE_SLOT) indexed.push(`${places.readUInt32LE(at)}#${slot}`);
    }
  }
  const messages = lengths.reduce((sum, length) => sum + length + Number(length > 0), 0);
  assert.equal(indexed.length, messages, "documents of the index");
  assert.equal(new Set(indexed).size, messages, "a message is indexed twice");
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", resolve));
}

/** Pushes through the proxy, and disturbs each push after a random share of the bytes that an undisturbed one sends. */
async function disturbed(
  growing: Growing,
  proxy: TestProxy,
  server: TestServer,
  disturb: (round: number, child: ChildProcess) => void | Promise<void>,
): Promise<void> {
  const random = seeded(23);
  const until = Date.now() + MAX_MS;
  let whole = 20_000;
  let acted = 0;
  let failed = 0;
  let round = 0;
  for (; round < KILLS && Date.now() < until; round += 1) {
    growing.grow(round);
    // The first push shows how many bytes one sends.
    const after = round === 0 ? Number.POSITIVE_INFINITY : random() * whole;
    const done: (void | Promise<void>)[] = [];
    let child: ChildProcess | undefined;
    const sent = proxy.watch(after, () => {
      acted += 1;
      if (child) done.push(disturb(round, child));
    });
    child = growing.home.start("push", "--no-sync", "--wait");
    if ((await endOf(child)) !== 0) failed += 1;
    await Promise.all(done);
    if (round === 0) whole = sent();
    // Throws if an archive on the server is not whole frames.
    if (round % 10 === 9) await storedLines(server);
  }
  assert.ok(round > 1 && acted > round / 2, `${acted} of ${round} pushes were disturbed`);
  assert.ok(failed > acted / 3, `${failed} of ${acted} disturbed pushes failed`);
}

test("killed while it pushes, indexes and merges, nothing is lost, doubled or left half done", { skip }, async () => {
  const server = await TestServer.start();
  const ada = foundTeam(server);
  const port = Number(new URL(server.url).port);
  const proxy = await TestProxy.to(port);
  try {
    ada.ok("team", "share", ada.project, "--now");
    ada.throughPort(proxy.port);
    const growing = new Growing(ada);
    await disturbed(growing, proxy, server, (_, child) => void child.kill("SIGKILL"));
    ada.throughPort(port);
    await assertComplete(server, "ada", growing);
  } finally {
    proxy.close();
    await server.stop();
  }
});

test("the same through a gateway: pushes and the gateway are killed, connections are cut or stall", {
  skip,
}, async () => {
  const server = await TestServer.start();
  const ada = foundTeam(server);
  const gateway = new TestGateway(String(ada.ok("team", "gateway", server.url).url));
  await gateway.start();
  ada.ok("team", "settings", "--gateway", gateway.origin);
  const ben = gateway.join(ada, "ben");
  const port = Number(new URL(gateway.origin).port);
  const proxy = await TestProxy.to(port);
  try {
    ben.ok("team", "share", ben.project, "--now");
    ben.throughPort(proxy.port);
    const growing = new Growing(ben);
    await disturbed(growing, proxy, server, async (round, child) => {
      if (round % 5 === 0) {
        await gateway.end("SIGKILL");
        await gateway.start();
      } else if (round % 5 === 1) proxy.cut();
      else if (round % 5 === 2) {
        proxy.stall();
        // A person gives up, or a network ends what it does not pass.
        await Promise.race([endOf(child), new Promise((wake) => setTimeout(wake, 200))]);
        proxy.cut();
      } else child.kill("SIGKILL");
    });
    ben.throughPort(port);
    await assertComplete(server, "ben", growing);
  } finally {
    proxy.close();
    await gateway.remove();
    await server.stop();
  }
});
