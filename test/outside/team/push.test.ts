/** Pushing to a team, with the built program and a real server: what arrives, what never leaves, what survives. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SegmentWriter } from "../../../src/store/archive/archive.ts";
import { encodeFrame } from "../../../src/store/archive/frames.ts";
import { SCHEMA_VERSION } from "../../../src/store/postgres/schema/range.ts";
import { seeded } from "../../support/random.ts";
import { postgresPrograms, TestServer } from "../../support/team/postgres.ts";
import { TestProxy } from "../../support/team/proxy.ts";
import { foundTeam, joinTeam, SCOPE, storedLines, type TeamHome } from "../../support/team/team.ts";

const skip = postgresPrograms() ? false : "PostgreSQL is not installed";
let server: TestServer;
let ada: TeamHome;
let ben: TeamHome;

before(async () => {
  if (skip) return;
  server = await TestServer.start();
  ada = foundTeam(server);
  ben = joinTeam(ada, "ben");
});
after(async () => {
  if (skip) return;
  await server.stop();
});

const SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

test("the access is private and never printed", { skip }, () => {
  const file = join(ada.dexHome, "team/access.json");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const { url } = JSON.parse(readFileSync(file, "utf8")) as { url: string };
  const password = decodeURIComponent(new URL(url).password);
  for (const words of [["team", "status"], ["team", "members"], ["team", "audit"], ["doctor"]]) {
    const { stdout, stderr } = ada.run(...words);
    assert.ok(!`${stdout}${stderr}`.includes(password), words.join(" "));
  }
  assert.ok(!new URL(url).username.includes("ada"), "the login is a random name");
});

test("nothing leaves before a project is shared and its time of review is over", { skip }, async () => {
  ada.say("one", [{ user: "why do notes vanish?" }, { agent: "the cache is never flushed" }]);
  ada.say("two", [{ user: "a private matter" }]);
  ada.say("elsewhere", [{ user: "not of this project" }], "/srv/other");
  assert.equal(ada.ok("push").conversations, 0);
  const { conversations } = ada.ok("team", "share", ada.project);
  assert.equal(conversations, 2);
  const waiting = ada.ok("push");
  assert.deepEqual([waiting.conversations, waiting.waiting], [0, 2]);
  assert.equal((await storedLines(server)).size, 0);
  assert.equal(ada.ok("team", "review", "--object", "two").objected, 1);
  const dry = ada.ok("team", "review", "--approve", "--check");
  assert.equal(dry.total, 1);
  assert.equal(ada.ok("push", "--dry-run").conversations, 1);
  assert.equal((await storedLines(server)).size, 0);
  assert.equal(ada.ok("push").conversations, 1);
  assert.deepEqual([...(await storedLines(server)).keys()], ["ada/one"]);
});

test("a push is incremental and idempotent, and shortens the home", { skip }, async () => {
  assert.equal(ada.ok("push").conversations, 0);
  ada.say("one", [
    { user: "why do notes vanish?" },
    { agent: "the cache is never flushed" },
    { command: `cat ${ada.project}/src/cache.ts`, output: `${ada.home}/notes/src/cache.ts\n${ada.home} is the home` },
  ]);
  assert.equal(ada.ok("push").conversations, 1);
  const lines = (await storedLines(server)).get("ada/one") ?? [];
  const text = lines.join("\n");
  assert.ok(text.includes("~/notes/src/cache.ts"));
  assert.ok(!text.includes(ada.home), "the home's path stays here");
  assert.equal(lines.filter((line) => line.includes("why do notes vanish")).length > 0, true);
  const [{ n } = {}] = await server.admin.sql`select count(*) n from dex.frame`;
  assert.equal(Number(n), 2);
});

test("secrets of old archives, private text and sessions of programs never arrive", { skip }, async () => {
  // As an older dex wrote it, with rules that did not know these.
  const meta = { id: "old", source: "claude_code", title: `deploy with ${SECRET}`, project: ada.project };
  const message = {
    role: "user",
    parts: [
      { type: "text", text: `the token is ${SECRET} <private>my diary</private>` },
      {
        type: "tool_call",
        name: "Bash",
        input: { command: `curl -H "Authorization: Bearer ${SECRET}"`, file: ada.home },
      },
      { type: "tool_result", output: `GITHUB_TOKEN=${SECRET}\n${ada.home}/x\n<private>\nits second page` },
    ],
  };
  const archive = join(ada.dexHome, "archive/conversations");
  const writer = new SegmentWriter(archive, "claude_code/2026-01/old.jsonl.zst", 0, {
    dex: 1,
    from: 0,
    conversation: meta,
  });
  writer.messages(encodeFrame("messages", `${JSON.stringify(message)}\n`, 1));
  writer.end(meta);
  ada.say("program", [{ user: "run by a program" }]);
  const file = globSync(join(ada.home, ".claude/projects/**/program.jsonl"))[0] as string;
  assert.ok(existsSync(file));
  assert.equal(ada.run("reindex").status, 0);
  ada.ok("push");
  const stored = await storedLines(server);
  const all = [...stored.values()].flat().join("\n");
  assert.ok(stored.has("ada/old"));
  for (const secret of [SECRET, "my diary", "its second page", ada.home]) assert.ok(!all.includes(secret), secret);
  const [{ meta: shown } = {}] = await server.admin.sql`select meta from dex.conversation where id = 'old'`;
  assert.ok(!JSON.stringify(shown).includes(SECRET));
});

test("the team's patterns also apply to conversations that were pushed before", { skip }, async () => {
  ada.ok("team", "settings", "--pattern", "vanish\\w*");
  ada.ok("push");
  const text = ((await storedLines(server)).get("ada/one") ?? []).join("\n");
  assert.ok(text.includes("[REDACTED:team]") && !text.includes("vanish"));
  ada.ok("team", "settings", "--no-patterns");
  ada.ok("push");
  assert.ok(((await storedLines(server)).get("ada/one") ?? []).join("\n").includes("vanish"));
});

test("conversations of an excluded project stay here", { skip }, async () => {
  writeFileSync(join(ada.dexHome, "config.yaml"), `team:\n  exclude:\n    - ${ada.project}\n`);
  ada.say("late", [{ user: "after the exclusion" }]);
  ada.ok("push");
  assert.ok(!(await storedLines(server)).has("ada/late"));
  rmSync(join(ada.dexHome, "config.yaml"));
});

test("killed at any moment, every stored archive is a true prefix, and the next push completes it", {
  skip,
}, async () => {
  const random = seeded(7);
  ben.ok("team", "share", ben.project, "--now");
  for (let i = 0; i < 12; i += 1) {
    const turns = Array.from({ length: 60 }, (_, n) => ({ agent: `answer ${n} of ${i}: ${"word ".repeat(200 + n)}` }));
    ben.say(`many-${i}`, [{ user: `question ${i}` }, ...turns]);
  }
  ben.ok("sync");
  for (let kill = 0; kill < 12; kill += 1) {
    const child = ben.start("push", "--no-sync");
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await new Promise((wake) => setTimeout(wake, 150 + random() * 900));
    child.kill("SIGKILL");
    await ended;
    await storedLines(server);
  }
  ben.ok("push");
  const stored = await storedLines(server);
  for (let i = 0; i < 12; i += 1) {
    const messages = (stored.get(`ben/many-${i}`) ?? []).filter((line) => line.includes('"role"'));
    assert.equal(messages.length, 61, `many-${i}`);
  }
  const [{ n } = {}] = await server.admin.sql`
    select count(*) n from dex.conversation where complete <> bytes or (id like 'many-%' and generation <> 1)`;
  assert.equal(Number(n), 0);
  assert.equal(ben.ok("push").conversations, 0);
});

test("a connection that is cut or stalls ends in a sentence, and nothing is doubled", { skip }, async () => {
  ben.ok("team", "share", ben.project, "--now");
  const random = seeded(11);
  const noise = () => Array.from({ length: 100 }, () => random().toString(36)).join(" ");
  const cutting = await TestProxy.to(Number(new URL(server.url).port));
  ben.say("cut", [
    { user: "over a bad line" },
    ...Array.from({ length: 80 }, (_, n) => ({ agent: `${n} ${noise()}` })),
  ]);
  ben.ok("sync");
  ben.throughPort(cutting.port);
  try {
    for (const bytes of [100, 2000, 20_000]) {
      cutting.cutAfter = bytes;
      const { status, stderr } = await ben.runBeside("push", "--no-sync");
      assert.equal(status, 2, stderr);
      assert.match(stderr, /cannot be reached|did not answer|was lost/);
    }
    cutting.cutAfter = Number.POSITIVE_INFINITY;
    const { stdout } = await ben.runBeside("push", "--no-sync", "--json");
    assert.equal((JSON.parse(stdout) as { conversations: number }).conversations, 1);
  } finally {
    ben.throughPort(Number(new URL(server.url).port));
    cutting.close();
  }
  const messages = ((await storedLines(server)).get("ben/cut") ?? []).filter((line) => line.includes('"role"'));
  assert.equal(messages.length, 81);
});

test("an objection counts that is made while a push waits for the server", { skip }, async () => {
  ben.say("regretted", [{ user: "a question of too much candour" }]);
  ben.say("meant", [{ user: "a question of the usual kind" }]);
  ben.ok("sync");
  const slow = await TestProxy.to(Number(new URL(server.url).port));
  ben.throughPort(slow.port);
  try {
    let objected: unknown;
    // By then the push has begun to read what may leave; nothing reaches the server before this returns.
    slow.watch(0, () => {
      const { stdout } = ben.runFresh("team", "review", "--object", "regretted", "--no-sync", "--json");
      objected = (JSON.parse(stdout) as { objected: number }).objected;
    });
    const { status, stderr } = await ben.runBeside("push", "--no-sync", "--json");
    assert.equal(status, 0, stderr);
    assert.equal(objected, 1);
  } finally {
    ben.throughPort(Number(new URL(server.url).port));
    slow.close();
  }
  const stored = await storedLines(server);
  assert.ok(stored.has("ben/meant") && !stored.has("ben/regretted"));
});

test("an objection after a push removes the conversation from the server, until it is allowed again", {
  skip,
}, async () => {
  const meant = async (): Promise<boolean> => (await storedLines(server)).has("ben/meant");
  ben.ok("team", "review", "--object", "meant");
  assert.equal(ben.ok("push", "--dry-run").forgotten, 1);
  assert.ok(await meant());
  assert.equal(ben.ok("push").forgotten, 1);
  assert.ok(!(await meant()));
  assert.equal(ben.ok("push").forgotten, 0);
  ben.ok("team", "review", "--allow", "meant");
  assert.equal(ben.ok("push").conversations, 1);
  assert.ok(await meant());
});

test("twenty homes push at once without an error", { skip }, async () => {
  const twenty = Array.from({ length: 20 }, (_, i) => joinTeam(ada, `member ${i}`));
  for (const [i, home] of twenty.entries()) {
    home.ok("team", "share", home.project, "--now");
    for (let n = 0; n < 3; n += 1) home.say(`at-once-${n}`, [{ user: `question ${n}` }, { agent: `answer of ${i}` }]);
    home.ok("sync");
  }
  const ended = await Promise.all(twenty.map((home) => home.runBeside("push", "--no-sync")));
  assert.deepEqual(
    ended.map(({ status, stderr }) => (status === 0 ? "" : stderr)),
    twenty.map(() => ""),
  );
  const stored = await storedLines(server);
  for (let i = 0; i < 20; i += 1) {
    for (let n = 0; n < 3; n += 1) assert.ok(stored.has(`member ${i}/at-once-${n}`));
  }
});

test("after a restore, machines complete what the server lost", { skip }, async () => {
  const before = await storedLines(server);
  await server.admin
    .sql`delete from dex.frame f using dex.conversation c where f.bucket = c.bucket and f.conv = c.conv and c.id = 'many-1'`;
  await server.admin.sql`delete from dex.conversation where id = 'many-1'`;
  assert.equal(ben.ok("push").conversations, 0);
  ada.ok("team", "upgrade", server.url, "--restored");
  assert.equal(ben.ok("push").conversations, 1);
  assert.deepEqual((await storedLines(server)).get("ben/many-1"), before.get("ben/many-1"));
});

test("an old client and a new schema refuse each other with a sentence", { skip }, async () => {
  await server.admin.sql`update dex.meta set value = '99' where key = 'oldest_client'`;
  assert.equal(ada.fails("push"), "team_schema");
  await server.admin.sql`update dex.meta set value = '1' where key = 'oldest_client'`;
  await server.admin.sql`update dex.meta set value = '99' where key = 'schema'`;
  // A newer schema that still serves this client.
  ada.ok("push");
  await server.admin.sql`update dex.meta set value = ${String(SCHEMA_VERSION)} where key = 'schema'`;
});

test("unshare removes one's own conversations, and revoke ends access", { skip }, async () => {
  ben.ok("team", "unshare", ben.project);
  assert.deepEqual(
    [...(await storedLines(server)).keys()].filter((key) => key.startsWith("ben/")),
    [],
  );
  ada.ok("team", "revoke", "ben");
  assert.equal(ben.fails("push"), "team_access");
  assert.equal(ada.ok("team", "status").objected, 1);
  assert.equal((ada.ok("team", "status").projects as { scope: string }[])[0]?.scope, SCOPE);
});

test("a shared project has the conversations of its copies, and needs no name to be unshared", { skip }, async () => {
  const eve = joinTeam(ada, "eve");
  const moved = join(eve.home, "moved/notes");
  eve.say("here", [{ user: "why is the list empty?" }]);
  eve.say("there", [{ user: "read the cache" }], join(moved, "src"));
  writeFileSync(
    join(eve.dexHome, "config.yaml"),
    `history:\n  copies:\n    ${JSON.stringify(moved)}: ${JSON.stringify(eve.project)}\n`,
  );
  assert.equal(eve.ok("team", "share", eve.project, "--as", "eves/notes", "--now").conversations, 2);
  assert.equal(eve.ok("push").conversations, 2);
  assert.ok((await storedLines(server)).has("eve/there"));
  const { scope, removed } = eve.ok("team", "unshare", eve.project);
  assert.deepEqual([scope, removed], ["eves/notes", 2]);
  eve.ok("team", "share", eve.project, "--as", "first");
  eve.ok("team", "share", eve.project, "--as", "second");
  assert.equal(eve.fails("team", "unshare", eve.project), "ambiguous_project");
  assert.equal(eve.ok("team", "unshare", "first").scope, "first");
  rmSync(eve.project, { recursive: true });
  assert.equal(eve.ok("team", "unshare", eve.project).scope, "second");
});
