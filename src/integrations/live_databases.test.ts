/**
 * Every agent that keeps conversations in SQLite, read while the agent works: another process holds the database open
 * and writes. dex sees all committed rows and no others, the agent is never locked out, and no file next to the
 * database is created or changed.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import { plainFields, WRITERS } from "../../test/support/sources/every_source.ts";
import { json, message, ms, proto, putDatabase, seconds, type Writer } from "../../test/support/sources/forms.ts";
import { MORE_WRITERS } from "../../test/support/sources/more_sources.ts";
import { CollectingSink, type ReadConversation, readAll, testEnv } from "../../test/support/sources/sink.ts";
import { loadSource } from "./registry.ts";

const FIELDS = plainFields("0195c2d0-1111-4222-8333-444455556666");
const ALL_WRITERS: Readonly<Record<string, Writer>> = { ...WRITERS, ...MORE_WRITERS };

/** Agents that keep everything in a database. */
const AGENTS = [
  "amazon_q",
  "astrbot",
  "crush",
  "cursor",
  "deep_agents",
  "devin",
  "firebender",
  "forgecode",
  "goose",
  "hermes",
  "icodemate",
  "kilo_code",
  "lingma",
  "mimo_code",
  "openclaw",
  "opencode",
  "warp",
  "zcode",
  "zed",
];

/** Databases besides the agent's main form: Antigravity, cursor-agent, the names of Codex threads, Kiro's command line. */
const MORE_DATABASES: Readonly<Record<string, Writer>> = {
  codex(home, f) {
    WRITERS.codex?.(home, f);
    putDatabase(join(home, ".codex/state_5.sqlite"), { threads: [{ id: f.id, name: f.title }] });
  },
  cursor(home, f) {
    const said = (role: string, text: string): Buffer => Buffer.from(json({ role, content: [{ type: "text", text }] }));
    const blobs = [said("user", `<user_query>${f.prompt}</user_query>`), said("assistant", f.answer)];
    putDatabase(join(home, ".cursor/chats/0", f.id, "store.db"), {
      blobs: blobs.map((data, index) => ({ id: String(index), data })),
      meta: [{ key: "0", value: json({ name: f.title, createdAt: ms(f) }) }],
    });
  },
  gemini(home, f) {
    const step = (idx: number, step_type: number, ...fields: Uint8Array[]): Record<string, unknown> => ({
      idx,
      step_type,
      step_payload: message(proto(5, proto(1, proto(1, seconds(f)))), ...fields),
    });
    putDatabase(join(home, ".gemini/antigravity/conversations", `${f.id}.db`), {
      steps: [step(0, 14, proto(19, proto(2, f.prompt))), step(1, 15, proto(20, proto(1, f.answer)))],
    });
  },
  kiro(home, f) {
    MORE_WRITERS.amazon_q?.(home, f);
    renameSync(join(home, ".local/share/amazon-q"), join(home, ".local/share/kiro-cli"));
  },
};
const CASES: readonly (readonly [name: string, id: string, write: Writer | undefined])[] = [
  ...AGENTS.map((id) => [id, id, ALL_WRITERS[id]] as const),
  ...Object.entries(MORE_DATABASES).map(([id, write]) => [`${id}, its other database`, id, write] as const),
];
/** One agent for each way from a reader to the database. */
const LIVE: ReadonlySet<string> = new Set(["cursor", "goose", "opencode"]);
const LIVE_TURNS = 20;

/** Runs in the agent's process. `timeout: 0` makes any lock of a reader an error at once. */
const AGENT = `
const { DatabaseSync } = require("node:sqlite");
const open = new Map();
let turning, failure, turns;
function use(path) {
  if (!open.has(path)) {
    const db = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: false });
    const own = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    const tables = db.prepare(own).all().map(({ name }) => name);
    db.exec("PRAGMA synchronous=OFF; PRAGMA temp_store=MEMORY; CREATE TABLE padding(a, b)");
    db.exec("WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) INSERT INTO padding SELECT i, hex(zeroblob(1000)) FROM n");
    open.set(path, { db, tables });
  }
  return open.get(path);
}
const each = ({ db, tables }, sql) => tables.forEach((table, i) => db.exec(sql('"' + table + '"', "temp.kept" + i)));
const deeds = {
  /** All rows are committed to the log, and none of them is in the database file. */
  log(owner) {
    each(owner, (table, kept) => "CREATE TABLE " + kept + " AS SELECT * FROM " + table + "; DELETE FROM " + table);
    owner.db.exec("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA main.wal_checkpoint(TRUNCATE)");
    each(owner, (table, kept) => "INSERT INTO " + table + " SELECT * FROM " + kept);
  },
  rollback: ({ db }) => db.exec("PRAGMA journal_mode=DELETE"),
  /** Deletes everything in a transaction that is larger than its cache, so the deletions reach the disk. */
  begin(owner) {
    owner.db.exec("PRAGMA cache_size=2; BEGIN IMMEDIATE; UPDATE padding SET a = a + 1; SAVEPOINT before");
    each(owner, (table) => "DELETE FROM " + table);
    owner.db.exec("UPDATE padding SET b = hex(randomblob(1000))");
  },
  commit({ db }) {
    db.exec("ROLLBACK TO before; COMMIT");
    const [done] = db.prepare("PRAGMA main.wal_checkpoint(TRUNCATE)").all();
    if (done.busy) throw new Error("the checkpoint is blocked");
  },
  /** Writes without a pause until \`rest\`. */
  turn({ db }) {
    turns = 0;
    failure = undefined;
    turning = setInterval(() => {
      try { db.exec("BEGIN IMMEDIATE; UPDATE padding SET a = a + 1 WHERE rowid < 5; COMMIT"); turns += 1; }
      catch (error) { failure = error; }
    }, 0);
  },
  turns() {
    if (failure) throw failure;
    return String(turns);
  },
  rest: () => clearInterval(turning),
  close({ db }, path) { db.close(); open.delete(path); },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [deed, path] = JSON.parse(line);
  try { console.log("done " + deeds[deed](use(path), path)); } catch (error) { console.log(deed + ": " + error.message); }
});`;

let agent: ChildProcess;
let replies: AsyncIterator<string>;

before(() => {
  agent = spawn(process.execPath, ["--no-warnings", "-e", AGENT], { stdio: ["pipe", "pipe", "inherit"] });
  assert.ok(agent.stdout);
  replies = createInterface({ input: agent.stdout })[Symbol.asyncIterator]();
});

after(() => {
  agent.kill();
});

/** Returns the last reply. */
async function act(deed: string, paths: readonly string[]): Promise<string> {
  let reply = "";
  for (const path of paths) {
    agent.stdin?.write(`${JSON.stringify([deed, path])}\n`);
    reply = String((await replies.next()).value);
    assert.match(reply, /^done /, `${deed} ${path}`);
  }
  return reply.slice("done ".length);
}

function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path));
}

/** Every file below the folder with its bytes and times. */
function picture(home: string): Record<string, string> {
  return Object.fromEntries(
    below(home).map((path) => {
      const stats = statSync(path, { bigint: true });
      const bytes = stats.isFile() ? readFileSync(path).toString("base64") : "";
      return [path, `${stats.ino} ${stats.mtimeNs} ${bytes}`];
    }),
  );
}

function databasesIn(home: string): string[] {
  return below(home).filter(
    (path) => statSync(path).isFile() && readFileSync(path).toString("latin1", 0, 6) === "SQLite",
  );
}

interface Reading {
  conversations: (Pick<ReadConversation, "messages"> & { id: string; title: string | undefined })[];
  reports: string[];
}

async function reading(id: string, home: string): Promise<Reading> {
  const source = await loadSource(id);
  assert.ok(source, id);
  const sink = new CollectingSink();
  readAll(source, testEnv(home, {}, [join(home, "crushed")]), sink);
  // Projects and times that come from paths and files differ between the folder and its copy.
  const conversations = Array.from(sink.conversations.values(), ({ meta: { id, title }, messages }) => ({
    id,
    title,
    messages,
  }));
  return { conversations, reports: sink.malformedLines };
}

describe("a database is read while its agent works", () => {
  for (const [name, id, write] of CASES) {
    it(name, async () => {
      const home = mkdtempSync(join(tmpdir(), `dex-live-${id}-`));
      write?.(home, FIELDS);
      const paths = databasesIn(home);
      assert.ok(paths.length > 0);
      const still = await reading(id, home);
      assert.equal(still.conversations[0]?.messages[0]?.role, "user");
      assert.deepEqual(still.reports, []);
      const traceless = async (place: string, when: string): Promise<void> => {
        const earlier = picture(place);
        assert.deepEqual(await reading(id, place), still, when);
        assert.deepEqual(picture(place), earlier, when);
      };

      await act("log", paths);
      await traceless(home, "the rows are only in the log");
      await act("begin", paths);
      await traceless(home, "the log has uncommitted rows");
      await deadOwner(home, (copy) => traceless(copy, "the agent died, and the folder is read-only"));
      await act("commit", paths);
      if (LIVE.has(name)) await live(id, home, paths, still);

      await act("rollback", paths);
      await act("begin", paths);
      for (const path of paths) assert.ok(statSync(`${path}-journal`).size > 0);
      await traceless(home, "the agent is in the middle of a transaction");
      await act("commit", paths);
      if (LIVE.has(name)) await live(id, home, paths, still);
      await act("close", paths);
      rmSync(home, { recursive: true });
    });
  }

  it("covers every agent with a database", () => {
    const found: string[] = [];
    for (const [id, write] of Object.entries(ALL_WRITERS)) {
      const home = mkdtempSync(join(tmpdir(), `dex-live-${id}-`));
      write(home, FIELDS);
      if (databasesIn(home).length > 0) found.push(id);
      rmSync(home, { recursive: true });
    }
    assert.deepEqual(found.toSorted(), AGENTS);
  });
});

/** Reads while one transaction follows another: dex may give up and say so, but the agent never waits. */
async function live(id: string, home: string, paths: readonly string[], still: Reading): Promise<void> {
  await act("turn", paths);
  for (let turns = 0; turns < LIVE_TURNS; turns = Number(await act("turns", paths))) {
    const { conversations, reports } = await reading(id, home);
    if (reports.length === 0) assert.deepEqual(conversations, still.conversations);
  }
  await act("rest", paths);
  assert.deepEqual(await reading(id, home), still);
}

/** A copy of the folder as a killed agent leaves it, which cannot be written to. */
async function deadOwner(home: string, use: (copy: string) => Promise<void>): Promise<void> {
  const copy = `${home}-dead`;
  cpSync(home, copy, { recursive: true, filter: (path) => !path.endsWith("-shm") });
  const all = [copy, ...below(copy)];
  const allow = (right: number): void => {
    for (const path of all) chmodSync(path, statSync(path).isDirectory() ? 0o500 | right : 0o400 | right);
  };
  allow(0);
  try {
    await use(copy);
  } finally {
    allow(0o200);
    rmSync(copy, { recursive: true });
  }
}
