/** The limit of what a home keeps of its team's conversations, on a real server. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openCache } from "../../../src/store/engine/shared.ts";
import { cacheFolder } from "../../../src/team/finding/places.ts";
import { postgresPrograms, TestServer } from "../../support/team/postgres.ts";
import { foundTeam, joinTeam } from "../../support/team/team.ts";

const skip = postgresPrograms() ? false : "PostgreSQL is not installed";

test("the least recently used parts leave the cache, and are fetched again when a question needs them", {
  skip,
}, async () => {
  const server = await TestServer.start();
  const ada = foundTeam(server);
  const eve = joinTeam(ada, "eve", "reader", { DEX_TEAM_WAITMS: "20000" });
  try {
    for (let i = 0; i < 20; i += 1) {
      const agent = `answer ${i} about the ${["marmot", "heron"][i % 2]} exporter: ${`word${i} `.repeat(300)}`;
      ada.say(`5eed0000-0000-4000-8000-0000000000${10 + i}`, [{ user: `question ${i} about exports` }, { agent }]);
    }
    ada.ok("team", "share", ada.project, "--now");
    assert.equal(ada.ok("push").conversations, 20);
    const search = (words: string): unknown => eve.ok("search", words, "--limit", "20").results;
    const asked = new Map(["marmot exporter", "heron exporter", "word7"].map((words) => [words, search(words)]));
    assert.ok([...asked.values()].every((results) => (results as unknown[]).length > 0));
    const places = { folder: cacheFolder(join(eve.dexHome, "team")), fromArchive: "../../team/cache" };
    const files = (): number => readdirSync(join(places.folder, "archive")).length;
    const limit = 6000;
    const trimmed = (): number => {
      const cache = openCache(places);
      try {
        cache.trim(limit);
        return cache.fetchedBytes;
      } finally {
        cache.close();
      }
    };
    assert.ok(files() > 0);
    assert.ok(trimmed() <= limit);
    for (const [words, results] of asked) assert.deepEqual(search(words), results, words);
    assert.ok(trimmed() <= limit);
  } finally {
    await server.stop();
  }
});
