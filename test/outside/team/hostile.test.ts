/** A hostile member: whatever one writes, the others lose at most that member's own part, and dex names the member. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Message } from "../../../src/conversations/model.ts";
import { encodeFrame } from "../../../src/store/archive/frames.ts";
import { SegmentAssembly } from "../../../src/store/engine/shared.ts";
import { PostgresLink } from "../../../src/store/postgres/connection.ts";
import { pack } from "../../../src/store/shared/packed.ts";
import { SHARED_FORMAT, type SharedEntry, type SharedSegment } from "../../../src/store/shared/segment.ts";
import { Digester } from "../../../src/sync/recording/digest.ts";
import { publish } from "../../../src/team/indexing/upload.ts";
import { postgresPrograms, TestServer } from "../../support/team/postgres.ts";
import { foundTeam, joinTeam, SCOPE, type TeamHome } from "../../support/team/team.ts";

const skip = postgresPrograms() ? false : "PostgreSQL is not installed";
const BUCKET = 1;
let server: TestServer;
let ada: TeamHome;
let bob: TeamHome;
let carol: TeamHome;
let link: PostgresLink;

before(async () => {
  if (skip) return;
  server = await TestServer.start();
  ada = foundTeam(server);
  bob = joinTeam(ada, "bob");
  carol = joinTeam(ada, "carol");
  for (const home of [ada, bob]) home.ok("team", "share", home.project, "--now");
  ada.say("ada-0001", [{ user: "do marmots whistle" }, { agent: "marmots whistle at eagles" }]);
  ada.ok("push", "--wait");
  const { url } = JSON.parse(readFileSync(join(bob.dexHome, "team/access.json"), "utf8")) as { url: string };
  link = await PostgresLink.open(url);
});

after(async () => {
  if (skip) return;
  await link.close();
  await server.stop();
});

async function convOf(id: string): Promise<number> {
  const [row] = await link.sql`select conv from dex.conversation where id = ${id}`;
  return Number(row?.conv);
}

async function claim(): Promise<number> {
  return Number((await link.call("indexClaim", BUCKET, 60))[0]?.version);
}

const TOTALS = { messages: 1, tokens: 9, tokens_stripped: 9, tokens_user: 9, first: 1, last: 2, prompt: null };

function entryOf(conv: number, id: string, title: string, more: Partial<SharedEntry> = {}): SharedEntry {
  const meta = { id, source: "claude_code", title, project: "/srv/notes" };
  return {
    ...{ conv, generation: 1, bytes: 99, meta, totals: TOTALS, titled: 99, blocks: [], files: [], commits: [] },
    ...more,
  };
}

/** A segment as an honest machine would make it of these words. */
function segmentOf(entry: SharedEntry, words: string): SharedSegment {
  const digester = new Digester(undefined);
  const assembly = new SegmentAssembly(undefined);
  try {
    const message: Message = { role: "user", parts: [{ type: "text", text: words }] };
    const digest = digester.digest(message, Buffer.from(JSON.stringify(message)));
    assembly.add({ conv: entry.conv, first: 0 }, [digest], digester.analyser.terms);
    assembly.describe(entry, digester.title(entry.meta.title));
    const segment = assembly.finish();
    assert.ok(segment);
    return segment;
  } finally {
    assembly.close();
  }
}

/** Writes a conversation of bob's that the server takes for a finished archive. */
async function append(id: string, data: Uint8Array): Promise<number> {
  await link.call("append", SCOPE, "claude_code", id, "", 1, 0, data, true, 1, { id, source: "claude_code" });
  return convOf(id);
}

/** Asserts that others find ada's conversation, and returns the notices of dex. */
function assertUnharmed(query = "marmots whistle"): string {
  const { stdout, stderr, status } = carol.run("search", query, "--json");
  assert.equal(status, 0, stderr);
  const { results } = JSON.parse(stdout) as { results: { id: string; title: string; owner: string }[] };
  const [found] = results.filter(({ owner }) => owner === "ada");
  assert.equal(found?.id, "ada-0001", stdout);
  assert.equal(found?.title, "do marmots whistle");
  return stderr;
}

test("a member cannot write about the conversations of others, drop their part or hold their right to write", {
  skip,
}, async () => {
  const conv = await convOf("ada-0001");
  const others = (await link.call("segmentList", [BUCKET], SHARED_FORMAT)).map((row) => Number(row.segment));
  assert.equal(others.length, 1);
  const forged = entryOf(conv, "ada-0001", "ada forged everything");
  const version = await publish(link, segmentOf(forged, "ada said forged words"), {
    bucket: BUCKET,
    expected: await claim(),
    replaces: others,
    indexed: [{ conv, generation: 1, bytes: 0 }],
    cleared: [conv],
  });
  assert.notEqual(version, undefined);
  const said = assertUnharmed();
  assert.match(said, /Something that bob shared cannot be used/);
  assert.doesNotMatch(carol.run("search", "forged").stdout, /forged (?:everything|words)/);
  const [row] = await server.admin.sql`select indexed = complete as whole from dex.conversation where conv = ${conv}`;
  assert.equal(row?.whole, true);
  // Bob holds the right to write; ada's next push writes her part all the same.
  await claim();
  ada.say("ada-0002", [{ user: "do otters whistle" }, { agent: "otters chirp" }]);
  ada.ok("push", "--wait");
  assert.match(carol.run("search", "otters chirp").stdout, /otters/);
  await link.call("putActivity", BUCKET, [{ conv, path: "forged.ts", how: "edited", first: 0 }], []);
  assert.equal((await server.admin.sql`select from dex.file where path = 'forged.ts'`).length, 0);
});

test("damaged, impossible and endless tables of one member harm nobody else", { skip }, async () => {
  const conv = await append("bob-0001", encodeFrame("header", "{}\n", 1));
  const honest = segmentOf(entryOf(conv, "bob-0001", "beavers"), "beavers build dams");
  const bomb = pack("x".repeat(200 << 20));
  const hostile: Record<string, (id: number) => Promise<unknown>> = {
    "entries of another kind": (id) => piece(id, "entries", pack([{ conv }])),
    "entries that are no list": (id) => piece(id, "entries", pack({ __proto__: null, conv: [conv] })),
    "entries with impossible times": (id) =>
      piece(id, "entries", pack([entryOf(conv, "b", "b", { totals: { ...TOTALS, last: 1e300 } })])),
    "entries that unpack to much more": (id) => piece(id, "entries", bomb),
    "bytes that are not packed": (id) => piece(id, "entries", Buffer.from("nothing")),
    "vectors out of bounds": (id) =>
      link.call(
        "segmentBlocks",
        BUCKET,
        id,
        "vector",
        [
          {
            ...{ model: "m", dims: 1 << 30, first: 1 << 30, documents: 1 << 30, base: 1 << 30, checksum: 1 },
            ...{ owners_at: 0, owners_length: 4, codes_at: 0, codes_length: 4 },
          },
        ],
        Buffer.alloc(4, 255),
      ),
  };
  for (const [what, write] of Object.entries(hostile)) {
    const expected = await claim();
    const id = Number((await link.call("segmentBegin", BUCKET, SHARED_FORMAT))[0]?.id);
    await write(id);
    const places = new Uint8Array(honest.places.buffer, honest.places.byteOffset, honest.places.byteLength);
    const tables = [honest.documents, honest.words, honest.checksum, places, honest.roles, honest.lengths] as const;
    await link.call("putSegment", BUCKET, id, expected, [], ...tables, [], []);
    assert.match(assertUnharmed(), /bob shared/, what);
  }
});

test("blocks of words, details and texts that cannot be read harm nobody else", { skip }, async () => {
  const text = `${JSON.stringify({ role: 5, parts: { length: 1e9 } })}\n`;
  const frame = encodeFrame("messages", text, 1);
  const conv = await append("bob-0002", frame);
  const blocks = [{ first: 0, count: 1, offset: 24, length: frame.length - 24 }];
  const entry = entryOf(conv, "bob-0002", "marmots whistle and beavers", { blocks });
  const segment = segmentOf(entry, "marmots whistle, said bob");
  for (const damaged of [
    segment,
    { ...segment, terms: segment.terms.map(({ first }) => ({ first, data: Buffer.alloc(300, 255) })) },
    { ...segment, details: segment.details.map(({ first }) => ({ first, data: Buffer.from("nothing") })) },
  ]) {
    const publication = { bucket: BUCKET, expected: await claim(), replaces: [], indexed: [], cleared: [] };
    await publish(link, damaged, publication);
    assertUnharmed();
    assertUnharmed("marmots");
  }
  assert.match(assertUnharmed(), /bob shared/);
  const shown = carol.run("show", "bob-0002");
  assert.doesNotMatch(shown.stderr, /TypeError|undefined|Maximum call stack/);
});

test("notes of one member do not crowd out those of others", { skip }, async () => {
  for (const home of [ada, carol]) home.cwd = home.project;
  ada.ok("note", "marmots sleep in winter");
  ada.ok("push");
  await server.admin.sql`insert into dex.note (bucket, owner, kind, id, body, at)
    select 1, m.member, 'note', 'n' || n, '{"text": "noise"}', now() + interval '1 day'
    from dex.member m, generate_series(1, 21000) n where m.name = 'bob'`;
  await server.admin.sql`update dex.bucket set version = version + 1`;
  carol.ok("search", "marmots", "--team");
  assert.match(carol.run("notes").stdout + carol.run("search", "sleep in winter", "--team").stdout, /sleep in winter/);
});

function piece(id: number, kind: string, data: Uint8Array): Promise<unknown> {
  return link.call("segmentBlocks", BUCKET, id, kind, [{ first: 0, at: 0, length: data.length }], data);
}
