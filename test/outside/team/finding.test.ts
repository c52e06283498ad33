/**
 * Finding in a team, on a real server: two homes that push to one project find what one home with both would find, in the
 * same order, with the same scores and totals. Nothing of it changes while segments are added, merged or rewritten.
 */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Message, Role } from "../../../src/conversations/model.ts";
import { Dex } from "../../../src/dex.ts";
import { SEARCH_DEFAULTS, type SearchInput, searchConversations } from "../../../src/search/conversations.ts";
import { resolveConversation } from "../../../src/search/filters/resolve.ts";
import { loadMessages } from "../../../src/search/messages.ts";
import { withTeam } from "../../../src/search/with_team.ts";
import { archivePath, archiveSize, readDirectory, SegmentWriter } from "../../../src/store/archive/archive.ts";
import { encodeFrame } from "../../../src/store/archive/frames.ts";
import { PostgresLink } from "../../../src/store/postgres/connection.ts";
import { rebuildIndex } from "../../../src/sync/writing.ts";
import { writeAccess } from "../../../src/team/access.ts";
import { cacheFolder } from "../../../src/team/finding/places.ts";
import { indexShared } from "../../../src/team/indexing/shared.ts";
import { between, seeded } from "../../support/random.ts";
import { postgresPrograms, TestServer } from "../../support/team/postgres.ts";
import { TeamHome } from "../../support/team/team.ts";

const skip = postgresPrograms() ? false : "PostgreSQL is not installed";
const SCOPE = "github.com/acme/notes";
const WORDS = (
  "the server keeps a cache of notes and flushes it when the disk is full retry the request after a timeout because " +
  "network connections fail parse the configuration file before starting tests run in parallel on two workers deploy " +
  "production release branch database migration adds a column index user login password reset email queue worker " +
  "memory leak in the image resizer garbage collector pauses rendering page button colour layout broken on mobile " +
  "getUserById fetchNotes src/cache.ts lib/queue/retry.ts --dry-run MAX_RETRIES error ENOENT unhandled rejection"
).split(" ");
const QUERIES = [
  "why does the cache not flush",
  "network timeout retry",
  "getUserById",
  '"memory leak"',
  "src/cache.ts",
  "login password -email",
  "how do we deploy the production release",
  "layout broken on mobile",
  "zzz nothing has this",
];

class Home {
  readonly folder = mkdtempSync(join(tmpdir(), "dex-team-"));
  dex!: Dex;

  async open(url?: string): Promise<void> {
    const vars = { ...process.env, DEX_HOME: this.folder, HOME: this.folder, DEX_TEAM_WAITMS: "20000" };
    this.dex = await Dex.open({ vars, cwd: this.folder });
    if (url !== undefined) writeAccess(this.dex.paths.team, { url });
  }

  /** Writes or continues an archived conversation. */
  say(id: string, messages: readonly Message[], title: string): void {
    const meta = { id, source: "claude_code", title, project: "/srv/notes" };
    const path = archivePath(meta, "2026-01");
    const size = archiveSize(this.dex.paths.archive, path) ?? 0;
    const known = size === 0 ? undefined : readDirectory(this.dex.paths.archive, path);
    const last = known?.blocks.at(-1);
    const from = last ? last.first + last.count : 0;
    const segment = new SegmentWriter(this.dex.paths.archive, path, size, { dex: 1, from, conversation: meta });
    for (let at = 0; at < messages.length; at += 10) {
      const part = messages.slice(at, at + 10);
      segment.messages(
        encodeFrame("messages", `${part.map((each) => JSON.stringify(each)).join("\n")}\n`, part.length),
      );
    }
    segment.end(meta);
  }

  async index(): Promise<void> {
    this.dex.reopen();
    await rebuildIndex(this.dex.places, 10_000);
    this.dex.reopen();
  }

  close(): void {
    this.dex.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const random = seeded(18);
function text(): string {
  return Array.from({ length: between(random, 5, 40) }, () => WORDS[between(random, 0, WORDS.length - 1)]).join(" ");
}
function messages(count: number, hour: number): Message[] {
  return Array.from({ length: count }, (_, i): Message => {
    const role: Role = i % 2 === 0 ? "user" : "assistant";
    const time = new Date(Date.UTC(2026, 0, 1 + (hour % 27), hour % 24, i)).toISOString();
    return { role, time, parts: [{ type: "text", text: text() }] };
  });
}

let server: TestServer;
let adaUrl: string;
let bob: PostgresLink;
let ada: PostgresLink;
const homeA = new Home();
const homeB = new Home();
const homeAB = new Home();
const pushed = new Map<string, number>();

/** Pushes the archive of a conversation from where the last push ended. */
async function push(link: PostgresLink, home: Home, id: string): Promise<void> {
  const meta = { id, source: "claude_code" };
  const data = readFileSync(join(home.dex.paths.archive, archivePath(meta, "2026-01")));
  const at = pushed.get(id) ?? 0;
  await link.call("append", SCOPE, "claude_code", id, "", 1, at, data.subarray(at), true, 1, meta);
  pushed.set(id, data.length);
}

async function index(link: PostgresLink, home: Home): Promise<void> {
  const places = { team: home.dex.paths.team, archive: home.dex.paths.archive };
  await indexShared({ link, places, model: home.dex.places.model, now: Date.now });
}

async function ask(dex: Dex, input: Partial<SearchInput> & { query: string }) {
  const notices: string[] = [];
  const context = { notice: (sentence: string) => void notices.push(sentence) };
  const whole = { ...SEARCH_DEFAULTS, limit: 50, facets: true, ...input };
  const output = await withTeam(dex, context, (joined, heard) => searchConversations(joined, whole, heard));
  return { output, notices };
}

/** Every field but the origin, which one home alone does not have. */
function comparable({ output }: Awaited<ReturnType<typeof ask>>) {
  const results = output.results.map(({ origin, owner, machine, scope, ...result }) => result);
  return { ...output, results };
}

async function assertSame(): Promise<void> {
  for (const query of QUERIES) {
    for (const mode of ["hybrid", "lexical", "vector"] as const) {
      if (mode === "vector" && !/^\w+ \w+ \w+/.test(query)) continue;
      const [joined, alone] = [await ask(homeA.dex, { query, mode }), await ask(homeAB.dex, { query, mode })];
      assert.deepEqual(joined.notices, [], query);
      assert.deepEqual(comparable(joined), comparable(alone), `${mode}: ${query}`);
    }
  }
}

before(async () => {
  if (skip) return;
  server = await TestServer.start();
  adaUrl = await server.team("acme", "ada");
  const bobUrl = await server.member(adaUrl, "bob");
  await homeA.open(adaUrl);
  await homeB.open(bobUrl);
  await homeAB.open();
  [ada, bob] = [await PostgresLink.open(adaUrl), await PostgresLink.open(bobUrl)];
  await ada.call("share", SCOPE, null);
  for (let i = 0; i < 24; i += 1) {
    const id = `${i % 2 === 0 ? "aaaa" : "bbbb"}-${String(i).padStart(4, "0")}`;
    const said = messages(between(random, 2, 30), i);
    const title = i % 3 === 0 ? "" : text().slice(0, 60);
    for (const home of [i % 2 === 0 ? homeA : homeB, homeAB]) home.say(id, said, title);
  }
  for (const home of [homeA, homeB, homeAB]) await home.index();
});

after(async () => {
  if (skip) return;
  for (const home of [homeA, homeB, homeAB]) home.close();
  await Promise.all([ada.close(), bob.close()]);
  await server.stop();
});

test("two homes find what one home with both finds: order, scores, vectors, totals", { skip }, async () => {
  for (const { id } of homeB.dex.store.ids()) await push(bob, homeB, id);
  await index(bob, homeB);
  await assertSame();
  // One's own pushed conversations appear once.
  for (const { id } of homeA.dex.store.ids()) await push(ada, homeA, id);
  await index(ada, homeA);
  await assertSame();
  const { output } = await ask(homeA.dex, { query: "cache" });
  const theirs = output.results.filter(({ origin }) => origin === "team");
  assert.ok(theirs.length > 0 && theirs.length < output.results.length);
  for (const { id, owner, machine, scope } of theirs) {
    assert.ok(id.startsWith("bbbb"), id);
    assert.deepEqual({ owner, machine, scope }, { owner: "bob", machine: "bob-laptop", scope: SCOPE });
  }
});

test("--team, --by and --local choose among them; a conversation of the team is read by its id", { skip }, async () => {
  const origins = async (input: Partial<SearchInput>) =>
    new Set((await ask(homeA.dex, { query: "cache", ...input })).output.results.map(({ id }) => id.slice(0, 4)));
  assert.deepEqual(await origins({ team: true }), new Set(["bbbb"]));
  assert.deepEqual(await origins({ by: "bob" }), new Set(["bbbb"]));
  assert.deepEqual(await origins({ by: "ada" }), new Set(["aaaa"]));
  // Also where the latest ones are of others.
  await withTeam(homeA.dex, {}, ({ store }) => {
    for (const owner of ["ada", "bob"])
      assert.deepEqual(
        store.list({ owner }, 3, 0).map(({ team }) => team?.owner),
        Array(3).fill(owner === "ada" ? undefined : owner),
      );
  });
  const [row] = homeB.dex.store.list({}, 1, 0);
  assert.ok(row);
  const read = await withTeam(homeA.dex, {}, (dex) => {
    const found = resolveConversation(dex, row.id);
    return { rows: dex.store.messages(found.no), texts: loadMessages(dex, found), team: found.team };
  });
  assert.deepEqual(read.rows, homeB.dex.store.messages(row.no));
  assert.deepEqual(read.texts, loadMessages(homeB.dex, row));
  assert.equal(read.team?.owner, "bob");
});

test("conversations that grow and get titles, in many small segments that are merged", { skip }, async () => {
  for (let round = 0; round < 9; round += 1) {
    const id = `bbbb-${String(1 + 2 * (round % 3)).padStart(4, "0")}`;
    const said = messages(between(random, 1, 6), round);
    for (const home of [homeB, homeAB]) home.say(id, said, `title ${round} of the cache and the queue`);
    await push(bob, homeB, id);
    await index(bob, homeB);
  }
  await homeAB.index();
  const [{ n }] = (await server.admin.sql`select count(*)::int n from dex.segment`) as unknown as [{ n: number }];
  assert.ok(n < 9, `${n} segments`);
  await assertSame();
});

test("a forgotten conversation leaves every segment, block and cache", { skip }, async () => {
  const id = "bbbb-0007";
  await ask(homeA.dex, { query: "cache" });
  await bob.call("forget", "claude_code", id);
  homeAB.dex.reopen();
  rmSync(join(homeAB.dex.paths.archive, archivePath({ id, source: "claude_code" }, "2026-01")));
  await homeAB.index();
  // At once, while segments still have its words, and after they are rewritten.
  await assertSame();
  await index(bob, homeB);
  await assertSame();
  const [{ n }] = (await server.admin.sql`select count(*)::int n from dex.gone`) as unknown as [{ n: number }];
  assert.equal(n, 0);
  const file = readFileSync(join(cacheFolder(homeA.dex.paths.team), "cache.db"));
  assert.ok(!file.includes(id), "the cache does not name it");
});

test("of very many messages with the words of a quotation the likeliest are read, and the count is a lower bound", {
  skip,
}, async () => {
  const said = (hour: number, count: number, words: string): Message[] =>
    messages(count, hour).map((message) => ({ ...message, parts: [{ type: "text", text: words }] }));
  for (let i = 0; i < 80; i += 1) {
    const id = `bbbb-9${String(i).padStart(3, "0")}`;
    const has = i % 4 === 0 ? "a heron so blue, a blue heron" : "a blue sky and a grey heron, blue or not, a heron";
    const words = i % 8 === 0 ? `${has} ${"among many other words ".repeat(30)}` : has;
    for (const home of [homeB, homeAB]) home.say(id, said(i % 27, 4, words), "");
  }
  const long = `a blue heron among ${"many other words of the home itself ".repeat(40)}`;
  for (const home of [homeA, homeAB]) home.say("aaaa-9000", said(3, 1, long), "");
  for (const home of [homeA, homeB, homeAB]) await home.index();
  for (const { id } of homeB.dex.store.ids()) if (id.startsWith("bbbb-9")) await push(bob, homeB, id);
  await index(bob, homeB);
  const query = '"blue heron"';
  const { output: exact } = await ask(homeAB.dex, { query });
  assert.deepEqual([exact.total, exact.matches, exact.total_complete], [21, "exact", undefined]);
  const { output: joined } = await ask(homeA.dex, { query });
  assert.deepEqual([joined.matches, joined.total_complete], ["exact", false]);
  assert.ok(joined.total > 1 && joined.total < exact.total, `${joined.total} conversations`);
  assert.match(joined.note ?? "", /^Of 320 messages of the team with these words, dex read the 180 likeliest/);
  const ids = ({ results }: typeof exact): string[] => results.map(({ id }) => id);
  const all = new Set(ids(exact));
  assert.ok(ids(joined).every((id) => all.has(id)) && ids(joined).includes("aaaa-9000"), "each has it, and one's own");
  // The same ones again, also by pages.
  assert.deepEqual((await ask(homeA.dex, { query })).output, joined);
  const pages = [0, 5].map(async (offset) => ids((await ask(homeA.dex, { query, limit: 5, offset })).output));
  assert.deepEqual((await Promise.all(pages)).flat(), ids(joined).slice(0, 10));
  // Nothing is left out of fewer messages.
  const filter = { query, from: "2026-01-20" };
  const [few, alone] = [await ask(homeA.dex, filter), await ask(homeAB.dex, filter)];
  assert.ok(few.output.total > 1);
  assert.deepEqual(comparable(few), comparable(alone));
  const nowhere = await ask(homeA.dex, { query: '"heron blue sky"' });
  assert.match(
    nowhere.output.note ?? "",
    /No message of this home, and none of the 180 likeliest of the team, contains/,
  );
});

test("without the server dex answers from the cache, else from this home, and says so", { skip }, async () => {
  const known = await ask(homeA.dex, { query: QUERIES[0] as string });
  const lost = new Home();
  await lost.open("postgres://nobody:x@127.0.0.1:1/none");
  try {
    lost.say("cccc-0001", messages(4, 1), "the cache");
    await lost.index();
    const alone = await ask(lost.dex, { query: "cache" });
    assert.equal(alone.output.results.length, 1);
    assert.match(alone.notices.join(), /cannot be reached.*conversations of this home/);
  } finally {
    lost.close();
  }
  homeA.dex.caches.close();
  writeAccess(homeA.dex.paths.team, { url: "postgres://nobody:x@127.0.0.1:1/none" });
  const cached = await ask(homeA.dex, { query: QUERIES[0] as string });
  assert.deepEqual(comparable(cached), comparable(known));
  assert.match(cached.notices.join(), /cannot be reached.*as they were/);
  const partly = await ask(homeA.dex, { query: "unheard-of words" });
  assert.match(partly.notices.join(), /cannot be reached.*conversations of this home/);
  assert.ok(partly.output.results.every(({ origin }) => origin !== "team"));
});

test("with the built program: one pushes, the other searches, shows and reads it by its id", { skip }, () => {
  const other = new TeamHome();
  const eve = new TeamHome({ DEX_TEAM_WAITMS: "20000" });
  const id = "5eed0000-1111-4222-8333-944444444444";
  other.ok("team", "create", server.url, "--name", "other", "--as", "olga");
  const { invitation } = other.ok("team", "invite", "eve", "--role", "reader");
  eve.ok("team", "join", String(invitation), "--machine", "eve-laptop");
  other.say(id, [{ user: "why does the marmot exporter hang?" }, { agent: "its pipe is never closed" }]);
  other.ok("team", "share", other.project, "--now");
  assert.equal(other.ok("push").conversations, 1);
  const [hit] = eve.ok("search", "marmot exporter").results as Record<string, unknown>[];
  assert.deepEqual([hit?.id, hit?.origin, hit?.owner], [id, "team", "olga"]);
  assert.match(eve.run("search", "marmot exporter").stdout, /olga on .*, github\.com\/acme\/notes/);
  assert.match(eve.run("show", id).stdout, /its pipe is never closed/);
  assert.match(eve.run("read", id, "0").stdout, /marmot exporter hang/);
  assert.match(eve.run("timeline", `${id}#1`).stdout, /pipe/);
  assert.deepEqual(eve.json("search", "marmot exporter", "--local").results, []);
  assert.equal(eve.fails("search", "marmot", "--regex", "--team"), "no_team");
});

test("a member whose access is revoked loses the cache with the next question", { skip }, async () => {
  homeB.dex.caches.close();
  await ask(homeB.dex, { query: "cache" });
  assert.ok(existsSync(join(cacheFolder(homeB.dex.paths.team), "cache.db")));
  await ada.call("revoke", "bob", null);
  homeB.dex.caches.close();
  const { output, notices } = await ask(homeB.dex, { query: "cache" });
  assert.match(notices.join(), /does not accept this machine/);
  assert.ok(output.results.every(({ id }) => id.startsWith("bbbb")));
  assert.ok(!existsSync(cacheFolder(homeB.dex.paths.team)));
});
