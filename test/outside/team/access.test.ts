/** Access to a team's server as hostile members try it: every right is checked by the server, not by the client. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PostgresLink } from "../../../src/store/postgres/connection.ts";
import { migrate } from "../../../src/store/postgres/migrate.ts";
import { PARTITIONED } from "../../../src/store/postgres/schema/tables.ts";
import { postgresPrograms, TestServer } from "../../support/team/postgres.ts";

const skip = postgresPrograms() ? false : "PostgreSQL is not installed";
const SCOPE = "github.com/acme/notes";
const links: PostgresLink[] = [];
let server: TestServer;
let ada: PostgresLink;
let bob: PostgresLink;
let carol: PostgresLink;
let mallory: PostgresLink;

async function open(url: string): Promise<PostgresLink> {
  const link = await PostgresLink.open(url);
  links.push(link);
  return link;
}

const append = (link: PostgresLink, id: string, text = "hello", scope = SCOPE, at = 0, generation = 1, branch = "") =>
  link.call("append", scope, "claude", id, branch, generation, at, Buffer.from(text), true, 1, { title: id });

/** The DexError's code. */
const refused = (code: string) => (error: unknown) => {
  assert.equal((error as { code?: string }).code, code);
  return true;
};

before(async () => {
  if (skip) return;
  server = await TestServer.start();
  const admin = await server.team("acme", "ada");
  ada = await open(admin);
  bob = await open(await server.member(admin, "bob"));
  carol = await open(await server.member(admin, "carol", "reader"));
  mallory = await open(await server.team("evil", "mallory"));
  await bob.call("share", SCOPE, null);
  await append(bob, "one");
});

after(async () => {
  if (skip) return;
  for (const link of links) await link.close();
  await server.stop();
});

test("a reader sees the team's conversations and cannot push, share or invite", { skip }, async () => {
  assert.equal((await carol.sql`select id from dex.conversation`).length, 1);
  await assert.rejects(append(carol, "two"), refused("team_role"));
  await assert.rejects(carol.call("share", "github.com/acme/other", null), refused("team_role"));
  // Everyone may remove what is their own, and nothing else.
  assert.equal((await carol.call("forget", "claude", "one"))[0]?.removed, 0);
  assert.equal((await carol.sql`select id from dex.conversation`).length, 1);
  await assert.rejects(carol.call("invite", "eve", "admin", null, null, Buffer.alloc(32), 7), refused("team_role"));
  await assert.rejects(carol.call("role", "carol", "admin"), refused("team_role"));
  await assert.rejects(carol.call("audit", 10), refused("team_role"));
});

test("another team sees no row, no name and no count, and cannot write", { skip }, async () => {
  for (const table of [...PARTITIONED, "scope", "bucket"]) {
    const [row] = await mallory.sql.unsafe(`select count(*) as n from dex."${table}"`);
    assert.equal(Number(row?.n), 0, table);
  }
  assert.deepEqual(await mallory.call("scopes"), []);
  assert.deepEqual(
    (await mallory.call("members")).map(({ name }) => name),
    ["mallory"],
  );
  await assert.rejects(append(mallory, "one"), refused("team_scope"));
  await assert.rejects(mallory.call("indexClaim", 1, 60), refused("team_scope"));
  await assert.rejects(mallory.call("indexDrop", 1), refused("team_scope"));
  assert.equal((await mallory.call("role", "bob", "reader"))[0]?.found, false);
  assert.equal((await mallory.call("revoke", "bob", null))[0]?.machines, 0);
  // A project with the same name is another one.
  await mallory.call("share", SCOPE, null);
  await append(mallory, "one", "mine");
  assert.equal((await mallory.sql`select * from dex.frame`).length, 1);
  assert.equal((await bob.sql`select * from dex.frame`).length, 1);
});

test("nobody reads or writes tables, partitions or internal functions directly", { skip }, async () => {
  for (const link of [bob, ada, mallory]) {
    for (const table of ["member", "device", "team", "tombstone", "audit", "share", "frame_0", "conversation_3"]) {
      await assert.rejects(link.sql.unsafe(`select * from dex.${table}`), refused("42501"), table);
    }
    for (const statement of [
      "insert into dex.frame values (1, 1, 1, 9, 'x', 'x')",
      "delete from dex.conversation",
      "update dex.bucket set version = 0",
      "select dex.login_create('dex_0000000000000000', 'x', 1, true)",
      "select dex.create_team('x', 'x', 'x', 'x', 'x')",
      "select dex.create_gateway('dex_0000000000000000', 'x')",
      "select dex.drop_conversations(2, null, null, null)",
      "select dex.tombstone_hash(1, 2, 'a', 'b')",
      "create table dex.mine (a int)",
      "set role dex_owner",
      "set role dex_gateway",
      "alter table dex.frame disable row level security",
    ]) {
      await assert.rejects(link.sql.unsafe(statement), refused("42501"), statement);
    }
    await assert.rejects(link.call("invite", "x", null, "dex_owner", "md5", null, 7));
    await assert.rejects(link.sql.unsafe("select dex.device_of('x')"), refused("42501"));
  }
});

test("only the gateway speaks for others", { skip }, async () => {
  const [row] = await mallory.sql.begin(async (sql) => {
    await sql`select set_config('dex.device', '2', true)`;
    return await sql`select dex.hello() as hello`;
  });
  assert.deepEqual(row?.hello?.name, "mallory");
});

test("a project restricted to some stays invisible to the others", { skip }, async () => {
  await bob.call("share", "github.com/acme/secret", ["ada"]);
  await append(bob, "hidden", "hello", "github.com/acme/secret");
  const seen = async (link: PostgresLink) => (await link.call("scopes")).map(({ key }) => key);
  assert.ok((await seen(ada)).includes("github.com/acme/secret"));
  assert.deepEqual(await seen(carol), [SCOPE]);
  assert.equal((await carol.sql`select * from dex.conversation where id = 'hidden'`).length, 0);
});

test("a diverging copy of another machine does not replace the first", { skip }, async () => {
  const again = await server.member(await adminUrl(), "bob", "member", "bob-desktop");
  const desktop = await open(again);
  const [first] = await append(desktop, "one");
  assert.equal(first?.status, "had");
  assert.equal((await append(desktop, "one", "other"))[0]?.status, "differs");
  assert.equal((await append(desktop, "one", "other", SCOPE, 0, 2))[0]?.status, "differs");
  assert.equal((await append(desktop, "one", "other", SCOPE, 0, 1, "desktop"))[0]?.status, "appended");
  assert.equal((await append(bob, "one", "other words", SCOPE, 0, 2))[0]?.status, "appended");
  assert.equal((await append(bob, "one", "late", SCOPE, 0, 1))[0]?.status, "stale");
});

test("forgotten stays forgotten; a colleague's conversation of the same id stays", { skip }, async () => {
  await append(ada, "both");
  await append(bob, "both");
  assert.equal((await bob.call("forget", "claude", "both"))[0]?.removed, 1);
  assert.equal((await append(bob, "both"))[0]?.status, "forgotten");
  assert.equal((await append(ada, "both"))[0]?.status, "had");
  const rows = await ada.sql`select owner from dex.conversation where id = 'both'`;
  assert.equal(rows.length, 1);
});

test("the last admin stays, and a revoked member's next call fails", { skip }, async () => {
  await assert.rejects(ada.call("role", "ada", "member"), refused("team_last_admin"));
  await assert.rejects(ada.call("revoke", "ada", null), refused("team_last_admin"));
  await ada.call("revoke", "carol", null);
  await assert.rejects(carol.call("hello"), refused("team_access"));
  assert.equal((await carol.sql`select * from dex.conversation`).length, 0);
});

test("no statement of a member or an admin leaves a team without an admin who can act", { skip }, async () => {
  // A team of the schema before the check, which an upgrade adds.
  await server.admin.sql.unsafe(
    "drop function dex.keep_admin cascade; update dex.meta set value = '3' where key = 'schema'",
  );
  const url = await server.team("zoo", "zoe");
  const zoe = await open(url);
  const yan = await open(await server.member(url, "yan"));
  await migrate(server.admin.sql);
  const device = async (link: PostgresLink) => Number((await link.sql`select dex.hello() as h`)[0]?.h.device);
  const last = await device(zoe);
  const invite = (role: string) =>
    `select dex.invite('zoe', '${role}', null, null, decode(repeat('00', 31) || '${role === "reader" ? "01" : "02"}', 'hex'), 7)`;
  // An admin who has not joined yet does not count.
  await zoe.call("invite", "xiu", "admin", null, null, Buffer.alloc(32, 7), 7);
  for (const statement of [
    "select dex.set_role('zoe', 'member')",
    "select dex.revoke_member('zoe', null)",
    `select dex.revoke_member('zoe', ${last})`,
    invite("reader"),
    invite("member"),
  ]) {
    await assert.rejects(zoe.sql.unsafe(statement), refused("DX007"), statement);
    await assert.rejects(yan.sql.unsafe(statement), refused("DX002"), statement);
  }
  // Of two admins only one goes, whatever the second one saw before.
  const wim = await open(await server.member(url, "wim", "admin"));
  await assert.rejects(
    zoe.sql.begin("isolation level repeatable read", async (sql) => {
      await sql`select * from dex.members()`;
      await wim.sql`select dex.revoke_member('wim', ${await device(wim)})`;
      await sql`select dex.revoke_member('zoe', ${last})`;
    }),
    refused("40001"),
  );
  await assert.rejects(zoe.sql`select dex.set_role('zoe', 'member')`, refused("DX007"));
  // A member goes at any time, and the last one of all takes the admin's role along.
  await yan.sql`select dex.revoke_member('yan', ${await device(yan)})`;
  await zoe.sql`select dex.revoke_member('zoe', ${last})`;
  await assert.rejects(zoe.call("hello"), refused("team_access"));
});

/** A new login for the admin, as a second machine. */
async function adminUrl(): Promise<string> {
  const { newLogin, newSecret, scramVerifier } = await import("../../../src/store/postgres/secrets.ts");
  const login = newLogin();
  const secret = newSecret();
  await ada.call("invite", "ada", null, login, scramVerifier(secret), null, 7);
  return server.as(login, secret);
}
