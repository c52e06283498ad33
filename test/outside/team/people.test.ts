/** People come and go: a reader, a revoked member who comes back, and the log of it, with the built program. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { postgresPrograms, TestServer } from "../../support/team/postgres.ts";
import { foundTeam, joinTeam, SCOPE, TeamHome } from "../../support/team/team.ts";

const skip = postgresPrograms() ? false : "PostgreSQL is not installed";
let server: TestServer;
let ada: TeamHome;

before(async () => {
  if (skip !== false) return;
  server = await TestServer.start();
  ada = foundTeam(server);
});
after(() => server?.stop());

test("the review of a push includes notes, beside conversations", { skip }, () => {
  ada.say("one", [{ user: "why do notes vanish?" }]);
  ada.ok("note", "The exporter needs marmot 3", "--repository", ada.project);
  ada.ok("team", "share", ada.project, "--now");
  const dry = ada.ok("push", "--dry-run");
  assert.deepEqual([dry.conversations, dry.notes], [1, 1]);
  const said = ada.run("push", "--dry-run").stdout;
  assert.match(said, /^1 conversation would be pushed \([^)]+\)\n1 decision or note would be pushed\n$/);
  const done = ada.run("push").stdout;
  assert.match(done, /^1 conversation pushed .*\n1 decision or note pushed$/m);
  assert.match(ada.run("push", "--dry-run").stdout, /^Nothing new to push\.$/m);
});

test("the time of review is in the person's time zone", { skip }, () => {
  const zoe = joinTeam(ada, "zoe", "member", { TZ: "Asia/Kolkata" });
  zoe.say("later", [{ user: "when does this leave?" }]);
  zoe.ok("team", "share", zoe.project);
  const { conversations } = zoe.ok("team", "review") as { conversations: { opens: string }[] };
  const opens = new Date(conversations[0]?.opens ?? "");
  const day = opens.toLocaleDateString("sv", { timeZone: "Asia/Kolkata" });
  const clock = opens.toLocaleTimeString("sv", { timeZone: "Asia/Kolkata" }).slice(0, 5);
  assert.ok(zoe.run("team", "review").stdout.includes(`from ${day} ${clock}`));
  assert.ok(zoe.run("team", "status").stdout.includes(`opens ${day} ${clock}`));
});

test("a reader learns that nothing of theirs leaves", { skip }, () => {
  const eve = joinTeam(ada, "eve");
  eve.ok("team", "share", eve.project, "--now");
  ada.ok("team", "role", "eve", "reader");
  eve.ok("note", "Only for me", "--repository", eve.project);
  assert.match(eve.run("push").stdout, /^You are a reader of this team: nothing of yours leaves this machine\.$/m);
  assert.equal(eve.ok("push").notes, 0);
});

test("a revoked member leaves without the server, and joins again with a new invitation", { skip }, () => {
  const ben = joinTeam(ada, "ben");
  ada.ok("team", "revoke", "ben");
  assert.equal(ben.fails("push"), "team_access");
  assert.match(ben.run("team", "status").stdout, /does not accept this login\.\n.*`dex team leave`/);
  assert.equal(ben.fails("team", "leave", "--withdraw"), "team_access");
  ben.ok("team", "leave");
  assert.equal(ben.fails("team", "status"), "no_team");
  const { invitation } = ada.ok("team", "invite", "ben");
  assert.equal(ben.ok("team", "join", String(invitation)).member, "ben");
});

test("the log names people and projects", { skip }, () => {
  const log = ada.run("team", "audit").stdout;
  for (const line of [
    "ada created the team",
    `ada shared ${SCOPE} with all members`,
    "ada invited eve as member",
    "ada made eve reader",
    "ben joined with the machine ben-laptop",
    "ada ended the access of ben",
  ]) {
    assert.match(log, new RegExp(`^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\S+  ${line}$`, "m"));
  }
});

test("a machine's name stays on its line, whatever it contains", { skip }, async () => {
  joinTeam(ada, "eva");
  const name = "box (9)\nyan, admin: \u001b[31mbox\u202e";
  await server.admin.sql`update dex.device set machine = ${name} where machine = 'eva-laptop'`;
  const lines = ada.run("team", "members").stdout.trim().split("\n");
  assert.equal(lines.filter((line) => line.startsWith("yan")).length, 0, lines.join("|"));
  assert.ok(
    lines.some((line) => /^eva, member: box \(9\) yan, admin: /.test(line)),
    lines.join("|"),
  );
  assert.doesNotMatch(lines.join(""), /[\p{Cc}\p{Cf}]/u);
});

test("an address without its database is named as the fault", { skip }, () => {
  const home = new TeamHome();
  const { href } = new URL("/nowhere", server.url);
  assert.equal(home.fails("team", "create", href, "--name", "acme"), "no_database");
});

test("only an admin can remove the conversations of a former member", { skip }, () => {
  const [ian, eli] = [joinTeam(ada, "ian"), joinTeam(ada, "eli")];
  ian.say("dddd0001-0000-4000-8000-000000000001", [{ user: "Praise the loganberry" }, { agent: "Praised." }]);
  ian.ok("sync");
  ian.ok("team", "share", ian.project, "--now");
  ian.ok("pin", "Loganberry before everything", "--repository", ian.project);
  ian.ok("push", "--wait");
  const sees = (home: TeamHome): boolean[] => [
    home.run("search", "loganberry").stdout.includes("Praise"),
    home.run("pins", "--repository", home.project).stdout.includes("Loganberry before everything"),
  ];
  assert.deepEqual(sees(eli), [true, true]);
  assert.equal(eli.fails("team", "revoke", "ian", "--remove"), "team_role");
  assert.equal(ada.fails("team", "revoke", "ian", "--remove", "--device", "1"), "bad_input");
  assert.equal(ada.ok("team", "revoke", "ian").removed, undefined);
  assert.deepEqual(sees(eli), [true, true]);
  assert.equal(ada.ok("team", "revoke", "ian", "--remove").removed, 1);
  assert.deepEqual(sees(eli), [false, false]);
  assert.match(ada.run("team", "audit").stdout, /removed what ian pushed: 1 conversation/);
  assert.equal(ada.ok("team", "revoke", "ian", "--remove").removed, 0);
});
