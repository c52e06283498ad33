/**
 * Kills `dex push` a hundred times at random moments while it sends, indexes and merges: what the server has is always
 * whole, and the push after the last kill completes everything. DEX_TEST_KILLS changes the number.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TITLE_SLOT } from "../../src/ranking/segment.ts";
import { postgresPrograms, TestServer } from "../support/postgres.ts";
import { seeded } from "../support/random.ts";
import { foundTeam, storedLines } from "../support/team.ts";

const skip = postgresPrograms() ? false : "PostgreSQL is not installed";
const KILLS = Number(process.env.DEX_TEST_KILLS ?? 100);
const CONVERSATIONS = 8;

test("killed while it pushes, indexes and merges, nothing is lost, doubled or left half done", { skip }, async () => {
  const server = await TestServer.start();
  const ada = foundTeam(server);
  const random = seeded(23);
  const lengths = Array.from({ length: CONVERSATIONS }, () => 0);
  const grow = (which: number): void => {
    lengths[which] = (lengths[which] ?? 0) + 3;
    const turns = Array.from({ length: lengths[which] }, (_, n) => ({ agent: `answer${which}x${n} about marmots` }));
    ada.say(`5eed0000-0000-4000-8000-00000000000${which}`, [{ user: `question ${which}` }, ...turns]);
  };
  try {
    ada.ok("team", "share", ada.project, "--now");
    let killed = 0;
    for (let round = 0; round < KILLS; round += 1) {
      grow(round % CONVERSATIONS);
      ada.ok("sync");
      const child = ada.start("push", "--no-sync", "--wait");
      const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
      await new Promise((wake) => setTimeout(wake, 150 + random() * 600));
      child.kill("SIGKILL");
      if ((await ended) === null) killed += 1;
      // Throws if an archive on the server is not whole frames.
      if (round % 10 === 9) await storedLines(server);
    }
    assert.ok(killed > KILLS / 4, `${killed} of ${KILLS} pushes were still running`);
    ada.ok("push", "--wait");
    assert.equal(ada.ok("push", "--wait").conversations, 0);
    const stored = await storedLines(server);
    for (const [which, length] of lengths.entries()) {
      const lines = stored.get(`ada/5eed0000-0000-4000-8000-00000000000${which}`) ?? [];
      const answers = lines.flatMap((line) => line.match(new RegExp(`answer${which}x\\d+ about`, "g")) ?? []);
      assert.deepEqual(new Set(answers).size, length, `conversation ${which}`);
      assert.equal(answers.length, length, `conversation ${which} has an answer twice`);
    }
    const [state] = await server.admin.sql`
      select (select count(*) from dex.segment where not ready) as open,
        (select count(*) from dex.bucket where unindexed) as unindexed,
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
    const messages = lengths.reduce((sum, length) => sum + length + 1, 0);
    assert.equal(indexed.length, messages, "documents of the index");
    assert.equal(new Set(indexed).size, messages, "a message is indexed twice");
  } finally {
    ada.remove();
    await server.stop();
  }
});
