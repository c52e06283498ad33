/** Every kind of file that dex keeps, damaged in every way: doctor names the file, and a repair gives the answers back. */
import assert from "node:assert/strict";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { DocsHome } from "../../test/support/documents/docs_home.ts";
import { makeTar } from "../../test/support/documents/packages.ts";
import { sampleHome } from "../../test/support/program/dex.ts";
import { rounds } from "../../test/support/program/limits.ts";
import { between, seeded } from "../../test/support/random.ts";
import { TestRepository } from "../../test/support/repository.ts";
import { DexError } from "../kernel/errors.ts";
import { code } from "../operations/code/code.ts";
import { codeIndex } from "../operations/code/index.ts";
import { search } from "../operations/conversations/search.ts";
import { docsAdd } from "../operations/docs/collections/add.ts";
import { docsSearch } from "../operations/docs/search.ts";
import { decisions } from "../operations/history/decisions/decisions.ts";
import { compact } from "../operations/memory/compact.ts";
import { pin, pins } from "../operations/memory/pin.ts";
import { doctor } from "../operations/upkeep/doctor.ts";
import { sync } from "../operations/upkeep/sync.ts";
import { checkDatabase } from "../store/engine/check.ts";

const home = new DocsHome();
const dexHome = join(home.home, ".dex");
const clean = join(home.home, "clean");
let expected = "";

/** A home with something of everything in it. */
before(async () => {
  cpSync(sampleHome, home.home, { recursive: true });
  rmSync(home.project, { recursive: true });
  const repository = new TestRepository(home.project);
  repository.commit("Use SQLite instead of Postgres because it needs no server", {
    "src/store.ts":
      "// DECISION: keep one file, because backups are simple\nexport function openStore(path: string) { return path; }\n",
  });
  await home.run(sync, {});
  await home.run(pin, { text: "tabs, not spaces" });
  const tar = home.write(
    "guide.tar.gz",
    gzipSync(makeTar([{ name: "guide/install.md", content: "# Install\n\nRun the installer.\n" }])),
  );
  await home.run(docsAdd, { name: "guide", source: [tar], global: true });
  const { project } = await home.run(codeIndex, {});
  assert.equal(project, home.project);
  await home.run(decisions, {});
  await home.run(compact, { project: "notes" });
  writeFileSync(join(dexHome, "mcp-token"), "abcdefghijklmnopqrstuvwxyz0123456789");
  writeFileSync(join(dexHome, "trust.json"), '{"/srv/a/context.json":"sha256:00"}\n');
  writeFileSync(join(dexHome, "backups", "forgotten.json"), '[{"source":"codex","id":"gone"}]\n');
  writeFileSync(join(dexHome, "hooks.log"), "2026-01-01 a line\n");
  mkdirSync(join(dexHome, "workflows", "run1"), { recursive: true });
  writeFileSync(join(dexHome, "workflows", "run1", "run.json"), '{"about":1}\n');
  await home.run(sync, {});
  for (const path of globSync("**/*.db", { cwd: dexHome })) checkpoint(join(dexHome, path));
  expected = await answers();
  for (const path of globSync("**/*.db", { cwd: dexHome })) checkpoint(join(dexHome, path));
  cpSync(dexHome, clean, { recursive: true });
  const { problems } = await home.run(doctor, {});
  assert.deepEqual(problems, []);
});

function checkpoint(path: string): void {
  if (statSync(path).size === 0) return;
  const database = new DatabaseSync(path);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

async function answers(): Promise<string> {
  const found = await home.run(search, { query: "refresh token" });
  const documents = await home.run(docsSearch, { query: "installer" });
  const symbol = await home.run(code, { action: "symbol", target: "openStore" });
  const decided = await home.run(decisions, {});
  const pinned = await home.run(pins, {});
  return JSON.stringify([
    found.results.map(({ id, title }) => `${id} ${title}`),
    documents.results.length,
    symbol,
    decided.decisions.map(({ id, text }) => `${id} ${text}`),
    JSON.stringify(pinned).includes("tabs, not spaces"),
  ]);
}

const DAMAGE: Readonly<Record<string, (path: string) => void>> = {
  "with its first 64 bytes zeroed": (path) => overwrite(path, 0, 64),
  "zeroed at the same length": (path) => overwrite(path, 0, Number.POSITIVE_INFINITY),
  "cut in half": (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  "with a flipped byte": (path) => flip(path, statSync(path).size > 8192 ? 4096 : Math.floor(statSync(path).size / 2)),
  emptied: (path) => truncateSync(path, 0),
  deleted: (path) => rmSync(path),
};

function overwrite(path: string, from: number, to: number): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0, from, Math.min(to, bytes.length)));
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] as number) ^ 0xff;
  writeFileSync(path, bytes);
}

interface Kind {
  file: string;
  /** Damage that is not a problem: dex recreates the file when it is needed, or the content cannot be checked. */
  not?: RegExp;
  /** Damage that may go unnoticed: a flipped byte inside a text that is still JSON. */
  perhaps?: RegExp;
}

/** The files of a group are damaged together: each must be reported, and none for another. */
const GROUPS: readonly (readonly Kind[])[] = [
  [{ file: "index.db" }],
  [
    { file: "state.db" },
    { file: "documents.db" },
    { file: "code/*.db", not: /emptied|deleted/ },
    { file: "history/*.db", not: /emptied|deleted/ },
    { file: "archive/conversations/claude_code/*/*.jsonl.zst" },
  ],
  [
    { file: "archive/conversations/codex/*/*.jsonl.zst" },
    { file: "archive/documents/*/contents/*/*" },
    { file: "backups/state-*.db", not: /deleted/ },
    { file: "backups/forgotten.json", not: /deleted/, perhaps: /flipped/ },
    { file: "trust.json", not: /deleted/, perhaps: /flipped/ },
    { file: "mcp-token", not: /deleted/ },
    { file: "summaries/*.json", not: /deleted/, perhaps: /flipped/ },
    { file: "traces/*.ndjson", not: /emptied|deleted/, perhaps: /flipped/ },
    { file: "workflows/run1/run.json", not: /deleted/, perhaps: /flipped/ },
    { file: "hooks.log", not: /cut|emptied|deleted/ },
    { file: "lock.db", not: /./ },
  ],
  [{ file: "archive/documents/*/collection.json", perhaps: /flipped/ }],
];

for (const [i, [how, damage]] of Object.entries(DAMAGE).entries()) {
  test(`files of dex, ${how}, are named and repaired`, async () => {
    // A short run damages each kind in some of the ways, and in each way some of the kinds.
    for (const group of GROUPS.filter((_, j) => rounds((i + j) % 3, 0) === 0)) {
      startClean();
      const unsure = new Set<string | null>();
      const damaged = group.map(({ file, not, perhaps }) => {
        const [name] = globSync(file, { cwd: dexHome });
        assert.ok(name, `${file} is there`);
        damage(join(dexHome, name));
        if (perhaps?.test(how)) unsure.add(join(dexHome, name));
        return { path: join(dexHome, name), wrong: !not?.test(how) };
      });
      const { problems } = await home.run(doctor, {});
      assert.deepEqual(
        problems.flatMap(({ path }) => (unsure.has(path) ? [] : [path])).sort(),
        damaged.flatMap(({ path, wrong }) => (wrong && !unsure.has(path) ? [path] : [])).sort(),
        JSON.stringify(problems),
      );
      for (const { what, path, fix } of problems) {
        assert.equal(fix, "dex doctor --fix");
        // A conversation is named by its title and its id.
        assert.match(
          what,
          new RegExp(
            basename(path ?? "")
              .slice(0, 8)
              .replaceAll(".", "\\."),
          ),
        );
      }
      const fixed = await home.run(doctor, { fix: true });
      assert.deepEqual(fixed.problems, []);
      assert.equal(await answers(), expected, JSON.stringify(fixed.fixed));
    }
  });
}

function startClean(): void {
  rmSync(dexHome, { recursive: true, force: true });
  cpSync(clean, dexHome, { recursive: true, preserveTimestamps: true });
}

test("finds a changed value in a row or a block of index.db, although SQLite considers the file sound", async () => {
  for (const change of [
    "UPDATE messages SET head = 'Z' || substr(head, 2) WHERE id = (SELECT min(id) FROM messages WHERE head != '')",
    "UPDATE conversations SET updated = updated + 1 WHERE no = 1",
    "UPDATE term_blocks SET data = CAST(substr(data, 1, 40) || x'00' || substr(data, 42) AS BLOB)",
    "UPDATE segments SET lengths = zeroblob(length(lengths))",
    "UPDATE vector_rows SET vectors = zeroblob(length(vectors))",
  ]) {
    startClean();
    const path = join(dexHome, "index.db");
    const database = new DatabaseSync(path);
    assert.ok(Number(database.prepare(change).run().changes) > 0, change);
    assert.equal(database.prepare("PRAGMA quick_check").get()?.quick_check, "ok");
    database.close();
    const { problems } = await home.run(doctor, {});
    assert.deepEqual(
      problems.map(({ code }) => code),
      ["index_damaged"],
      change,
    );
  }
  assert.deepEqual((await home.run(doctor, { fix: true })).problems, []);
  assert.equal(await answers(), expected);
});

test("random bits flipped anywhere in a database: the check ends, and so does a search, with an answer or an error", async () => {
  const next = seeded(77);
  const kinds = { index: "index.db", documents: "documents.db", code: "code/*.db", history: "history/*.db" } as const;
  startClean();
  let found = 0;
  for (const [name, pattern] of Object.entries(kinds) as [keyof typeof kinds, string][]) {
    const [file = ""] = globSync(pattern, { cwd: dexHome });
    const path = join(dexHome, file);
    const whole = readFileSync(path);
    for (let i = 0; i < 5; i += 1) {
      const bytes = Buffer.from(whole);
      for (let flips = between(next, 1, 200); flips > 0; flips -= 1) {
        const at = between(next, 0, bytes.length - 1);
        bytes[at] = (bytes[at] as number) ^ (1 << between(next, 0, 7));
      }
      for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
      writeFileSync(path, bytes);
      if (checkDatabase(path, name).state !== "sound") found += 1;
      if (name !== "index" || i > 2) continue;
      await home
        .run(search, { query: "refresh token" })
        .catch((error: unknown) => assert.ok(error instanceof DexError));
    }
    writeFileSync(path, whole);
  }
  assert.ok(found > 6, `${found} of 20 were found`);
});

test("lists unknown files without touching them; removes files that killed processes left", async () => {
  startClean();
  const own = join(dexHome, "my-notes.txt");
  const left = ["documents.db.new", "index.db.new", "config.yaml.999999999.tmp"].map((name) => join(dexHome, name));
  for (const path of [own, ...left]) writeFileSync(path, "x");
  const found = await home.run(doctor, {});
  assert.deepEqual(found.unknown_files, [own]);
  assert.deepEqual(
    found.problems.map(({ code }) => code),
    ["left_behind"],
  );
  const fixed = await home.run(doctor, { fix: true });
  assert.deepEqual(fixed.problems, []);
  assert.equal(readFileSync(own, "utf8"), "x");
  for (const path of left) assert.equal(statSync(path, { throwIfNoEntry: false }), undefined);
});

test("a state.db of a newer dex is named, and left as it is", async () => {
  startClean();
  const path = join(dexHome, "state.db");
  const database = new DatabaseSync(path);
  database.exec("PRAGMA user_version = 9999");
  database.close();
  for (const fix of [false, true]) {
    const { problems } = await home.run(doctor, { fix });
    assert.deepEqual(
      problems.map((each) => [each.code, each.path, each.fix]),
      [["state_newer", path, "update dex"]],
    );
  }
});
