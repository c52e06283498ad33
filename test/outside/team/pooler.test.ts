/** A member whose connection goes through PgBouncer in transaction mode, whichever version of it is installed. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { hasPgBouncer, TestPooler } from "../../support/team/pgbouncer.ts";
import { postgresPrograms, TestServer } from "../../support/team/postgres.ts";
import { foundTeam, joinTeam, type TeamHome } from "../../support/team/team.ts";

const skip = !postgresPrograms()
  ? "PostgreSQL is not installed"
  : hasPgBouncer()
    ? false
    : "PgBouncer is not installed";
let server: TestServer;
let pooler: TestPooler;
let ada: TeamHome;
let ben: TeamHome;

before(async () => {
  if (skip) return;
  server = await TestServer.start();
  ada = foundTeam(server);
  ben = joinTeam(ada, "ben");
  pooler = await TestPooler.start(server);
});
after(async () => {
  if (skip) return;
  pooler.stop();
  await server.stop();
});

function isPooled(home: TeamHome): boolean {
  const access = JSON.parse(readFileSync(join(home.dexHome, "team/access.json"), "utf8")) as { pooled?: boolean };
  return access.pooled === true;
}

function found(home: TeamHome, query: string): string[] {
  const { results } = home.ok("search", query, "--team") as { results: { id: string; owner: string }[] };
  return results.map(({ id, owner }) => `${owner}/${id}`);
}

test("a member pushes and finds through PgBouncer as without it", { skip }, () => {
  for (let i = 0; i < 12; i += 1) {
    ada.say(`talk-${i}`, [{ user: `why does cache number ${i} forget its notes?` }, { agent: `flush ${i} is late` }]);
  }
  ada.ok("sync");
  ada.ok("team", "share", ada.project, "--now");
  for (const home of [ada, ben]) home.throughPort(pooler.port);
  assert.equal(ada.ok("push", "--wait").conversations, 12);
  assert.equal(ada.ok("push").conversations, 0);
  assert.ok(isPooled(ada), "dex noticed the pooler");
  const through = found(ben, "cache notes flush");
  assert.equal(through.length, 10);
  assert.ok(isPooled(ben));
  const shown = ben.run("show", String(through[0]).split("/")[1] ?? "");
  assert.match(shown.stdout, /forget its notes/);
  ada.ok("forget", "talk-3", "--yes");
  assert.ok(!found(ben, "cache number 3").includes("ada/talk-3"), "a forget reaches it, too");

  ben.throughPort(Number(new URL(server.url).port));
  assert.equal(found(ben, "cache notes flush").length, 10);
  assert.ok(!isPooled(ben), "and that it is gone");
});
