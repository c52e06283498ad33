import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { rounds } from "../../../../test/support/limits.ts";
import { ForeignDatabase, ForeignDatabaseError, type ForeignOptions, withDatabase } from "./sqlite.ts";

const GIGANTIC: ForeignOptions = { copyLimit: 0 };

let folder = "";
let temporary = "";
const owners: Owner[] = [];
const usualTmp = process.env.TMPDIR;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "dex-sqlite-"));
  temporary = join(folder, "tmp");
  mkdirSync(temporary);
  process.env.TMPDIR = temporary;
});

after(async () => {
  for (const owner of owners) await owner.kill();
  if (usualTmp === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usualTmp;
  rmSync(folder, { recursive: true, force: true });
});

/** Another process that has the database open, like an agent at work. */
class Owner {
  readonly #child: ChildProcess;

  constructor(path: string) {
    const script = `const { DatabaseSync } = require("node:sqlite");
      const db = new DatabaseSync(${JSON.stringify(path)}, { timeout: 0 });
      require("node:readline").createInterface({ input: process.stdin }).on("line", (sql) => {
        try { db.exec(sql); console.log("done"); } catch (error) { console.log(error.message); }
      });`;
    this.#child = spawn(process.execPath, ["--no-warnings", "-e", script], { stdio: ["pipe", "pipe", "inherit"] });
    owners.push(this);
  }

  run(sql: string): Promise<string> {
    return new Promise((resolve) => {
      this.#child.stdout?.once("data", (data: Buffer) => resolve(data.toString().trim()));
      this.#child.stdin?.write(`${sql.replaceAll("\n", " ")}\n`);
    });
  }

  kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      this.#child.once("exit", () => resolve());
      this.#child.kill("SIGKILL");
    });
  }
}

let made = 0;

/** A database with one row, closed, in a folder of its own. */
function database(journal: "wal" | "delete"): string {
  made += 1;
  const home = join(folder, `db ${made} #50%?`);
  mkdirSync(home);
  const path = join(home, "state.db");
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode=${journal}; CREATE TABLE t(a INTEGER, b TEXT); INSERT INTO t VALUES(1, 'one')`);
  db.close();
  return path;
}

/** Every file in the database's folder with its bytes and times. */
function picture(path: string): Record<string, string> {
  const home = join(path, "..");
  const files: Record<string, string> = {};
  for (const name of readdirSync(home)) {
    const stats = statSync(join(home, name), { bigint: true });
    files[name] = `${stats.ino} ${stats.mtimeNs} ${readFileSync(join(home, name)).toString("base64")}`;
  }
  return files;
}

interface Seen {
  rows: number | undefined;
  reports: string[];
}

/** Counts the rows and asserts that nothing changed next to the database and in the temporary folder. */
function look(path: string, options: ForeignOptions = {}): Seen {
  const reports: string[] = [];
  const sink = { malformed: (_where: string, what: string) => reports.push(what) };
  const earlier = picture(path);
  const rows = withDatabase(
    path,
    sink,
    (db) => {
      const count = db.snapshot(() => Number(db.get("SELECT count(*) AS n FROM t")?.n));
      assert.deepEqual(picture(path), earlier, "while it is open");
      assert.deepEqual(readdirSync(temporary), [], "a copy is unlinked as soon as it is open");
      return count;
    },
    options,
  );
  assert.deepEqual(picture(path), earlier, "after it was closed");
  assert.deepEqual(readdirSync(temporary), []);
  return { rows, reports };
}

describe("a foreign database is read without a trace", () => {
  it("in rollback mode, and in WAL mode after its owner closed it", () => {
    assert.deepEqual(look(database("delete")), { rows: 1, reports: [] });
    assert.deepEqual(look(database("wal")), { rows: 1, reports: [] });
    assert.deepEqual(look(database("wal"), GIGANTIC), { rows: 1, reports: [] });
  });

  it("in WAL mode while its owner works, also one too big to copy", async () => {
    const path = database("wal");
    const owner = new Owner(path);
    await owner.run("PRAGMA wal_autocheckpoint=0; INSERT INTO t VALUES(2, 'two'); INSERT INTO t VALUES(3, 'three')");
    assert.ok(statSync(`${path}-wal`).size > 0);
    assert.deepEqual(look(path), { rows: 3, reports: [] });
    assert.deepEqual(look(path, GIGANTIC), { rows: 3, reports: [] });

    process.env.TMPDIR = join(folder, "no such folder");
    const withoutRoom = withDatabase(path, { malformed: assert.fail }, (db) => db.all("SELECT a FROM t").length);
    process.env.TMPDIR = temporary;
    assert.equal(withoutRoom, 3, "where no copy can be made, the log is shared");

    await owner.run("PRAGMA wal_checkpoint(TRUNCATE)");
    assert.equal(statSync(`${path}-wal`).size, 0);
    assert.deepEqual(look(path), { rows: 3, reports: [] });

    await owner.run("INSERT INTO t VALUES(4, 'four')");
    await owner.kill();
    assert.deepEqual(look(path), { rows: 4, reports: [] });
    assert.deepEqual(look(path, GIGANTIC), { rows: 4, reports: [] }, "the dead owner's -shm serves");

    rmSync(`${path}-shm`);
    assert.deepEqual(look(path), { rows: 4, reports: [] });
    const behind = look(path, GIGANTIC);
    assert.equal(behind.rows, 3);
    assert.match(behind.reports.join(), /as of its last checkpoint/);
  });

  it("while its owner holds it exclusively, or died in the middle of a commit", async () => {
    const path = database("delete");
    const owner = new Owner(path);
    assert.equal(await owner.run("BEGIN EXCLUSIVE; INSERT INTO t VALUES(2, 'two')"), "done");
    assert.deepEqual(look(path), { rows: 1, reports: [] });
    await owner.run("ROLLBACK");

    const spill = `PRAGMA cache_size=2; BEGIN; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO t SELECT i, hex(randomblob(40)) FROM n`;
    assert.equal(await owner.run(spill), "done");
    await owner.kill();
    assert.ok(statSync(`${path}-journal`).size > 0);
    assert.deepEqual(look(path), { rows: 1, reports: [] }, "rolled back in the copy");
    assert.deepEqual(look(path, GIGANTIC), { rows: undefined, reports: ["is being written to"] });
  });
});

describe("the owner does not wait", () => {
  it("writes to a rollback database during a read, which then starts again", async () => {
    const path = database("delete");
    const owner = new DatabaseSync(path, { timeout: 0 });
    const db = new ForeignDatabase(path);
    let runs = 0;
    const seen = db.snapshot(() => {
      runs += 1;
      const first = db.all("SELECT a FROM t").length;
      if (runs === 1) owner.exec("INSERT INTO t VALUES(2, 'two')");
      return [first, db.all("SELECT a FROM t").length];
    });
    assert.deepEqual(seen, [2, 2]);
    assert.equal(runs, 2);
    db.close();
    owner.close();
  });

  it("writes to a big WAL database during a read, which keeps its own state", async () => {
    const path = database("wal");
    const owner = new Owner(path);
    await owner.run("PRAGMA wal_autocheckpoint=0; INSERT INTO t VALUES(2, 'two')");
    const db = new ForeignDatabase(path, GIGANTIC);
    // The test holds the transaction of a snapshot open: a snapshot itself is synchronous.
    db.all("BEGIN");
    assert.equal(db.all("SELECT a FROM t").length, 2);
    assert.equal(await owner.run("INSERT INTO t VALUES(3, 'three')"), "done");
    assert.equal(await owner.run("PRAGMA wal_checkpoint(PASSIVE)"), "done");
    assert.equal(db.all("SELECT a FROM t").length, 2);
    db.all("COMMIT");
    assert.equal(db.all("SELECT a FROM t").length, 3);
    db.close();
    assert.ok(existsSync(`${path}-wal`), "closing does not take the owner's log away");
    assert.equal(await owner.run("INSERT INTO t VALUES(4, 'four')"), "done");
    assert.deepEqual(look(path), { rows: 4, reports: [] });
  });

  it("a database that changes all the time is reported, not waited for", () => {
    const path = database("delete");
    const owner = new DatabaseSync(path, { timeout: 0 });
    const reports: string[] = [];
    let runs = 0;
    const result = withDatabase(path, { malformed: (_where, what) => reports.push(what) }, (db) =>
      db.snapshot(() => {
        runs += 1;
        owner.exec("INSERT INTO t VALUES(2, 'two')");
        return db.all("SELECT a FROM t").length;
      }),
    );
    owner.close();
    assert.equal(result, undefined);
    assert.equal(runs, 3);
    assert.deepEqual(reports, ["changes all the time"]);
  });
});

describe("an unreadable database is reported", () => {
  function report(path: string): string {
    const reports: string[] = [];
    const sink = { malformed: (where: string, what: string) => reports.push(`${where === path} ${what}`) };
    assert.equal(
      withDatabase(path, sink, (db) => db.snapshot(() => db.all("SELECT * FROM t"))),
      undefined,
    );
    assert.equal(reports.length, 1);
    return reports[0] ?? "";
  }

  it("a missing path, which is not created", () => {
    const path = join(folder, "nowhere", "missing.db");
    assert.match(report(path), /^true .*no such file/i);
    assert.match(report(join(folder, "missing.db")), /no such file/i);
    assert.ok(!existsSync(path) && !existsSync(join(folder, "missing.db")));
  });

  it("a folder, another kind of file, an empty one", () => {
    const junk = join(folder, "junk.db");
    writeFileSync(junk, "this is a letter, not a database. ".repeat(200));
    assert.equal(report(junk), "true is not a SQLite database");
    assert.match(report(folder), /is not a file/);
    const empty = join(folder, "empty.db");
    writeFileSync(empty, "");
    assert.match(report(empty), /no such table/);
    assert.equal(statSync(empty).size, 0);
  });

  it("a damaged file: any truncation and any flipped bytes", () => {
    const path = database("delete");
    const db = new DatabaseSync(path);
    db.exec("PRAGMA synchronous=OFF");
    for (let i = 0; i < 60; i += 1) db.exec(`INSERT INTO t VALUES(${i}, '${"x".repeat(i * 20)}')`);
    db.close();
    const good = readFileSync(path);
    let state = 7;
    const random = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state % below;
    };
    let reported = 0;
    const sink = {
      malformed: () => {
        reported += 1;
      },
    };
    for (let round = 0; round < rounds(30, 100); round += 1) {
      const bad = Buffer.from(good);
      for (let flips = 1 + random(40); flips > 0; flips -= 1) bad[random(bad.length)] = random(256);
      writeFileSync(path, bad);
      if (round % 3 === 0) truncateSync(path, random(bad.length));
      withDatabase(path, sink, (foreign) => foreign.snapshot(() => foreign.all("SELECT a, length(b) FROM t")));
    }
    assert.ok(reported > 0);
  });

  it("but an error of the caller is thrown to the caller", () => {
    const path = database("delete");
    const sink = { malformed: () => assert.fail("not the database's fault") };
    assert.throws(
      () =>
        withDatabase(path, sink, () => {
          throw new Error("disk full");
        }),
      /disk full/,
    );
  });
});

describe("a hostile file", () => {
  function hostile(sql: string): string {
    const path = database("delete");
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
    return path;
  }

  it("has a view in the place of a table: it is not run, and other tables are read", () => {
    const endless = "CREATE VIEW v AS WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n) SELECT a FROM n";
    const wide = "CREATE VIEW w AS SELECT one.a FROM t one, t other";
    const db = new ForeignDatabase(hostile(`${endless}; ${wide}`));
    for (const name of ["v", "w"]) assert.throws(() => db.all(`SELECT a FROM ${name}`), ForeignDatabaseError);
    assert.equal(db.all("SELECT count(*) FROM t").length, 1);
    db.close();
  });

  it("computes a value of hundreds of megabytes: it is refused before the memory is reserved", () => {
    const db = new ForeignDatabase(
      hostile("CREATE TABLE g (a, b AS (zeroblob(200000000))); INSERT INTO g (a) VALUES (1)"),
    );
    assert.throws(() => db.all("SELECT b FROM g"), ForeignDatabaseError);
    assert.equal(db.get("SELECT a FROM g")?.a, 1);
    db.close();
  });

  it("has a journal that names another file, which is left alone", () => {
    const path = database("delete");
    const victim = join(folder, "precious.txt");
    writeFileSync(victim, "precious");
    const name = Buffer.from(victim);
    const tail = Buffer.alloc(8);
    tail.writeUInt32BE(name.length, 0);
    tail.writeUInt32BE(
      name.reduce((sum, byte) => sum + byte, 0),
      4,
    );
    const magic = Buffer.from("d9d505f920a163d7", "hex");
    writeFileSync(`${path}-journal`, Buffer.concat([magic, Buffer.alloc(504), name, tail, magic]));
    assert.deepEqual(look(path), { rows: undefined, reports: ["is being written to"] });
    assert.equal(readFileSync(victim, "utf8"), "precious");
  });

  it("has a device or a fifo for a log", { skip: process.platform === "win32" && "it has neither" }, () => {
    for (const make of [
      (log: string) => symlinkSync("/dev/zero", log),
      (log: string) => void execFileSync("mkfifo", [log]),
    ]) {
      const path = database("delete");
      const magic = Buffer.from("d9d505f920a163d7", "hex");
      writeFileSync(`${path}-journal`, Buffer.concat([magic, Buffer.alloc(504)]));
      make(`${path}-wal`);
      const reports: string[] = [];
      const sink = { malformed: (_where: string, what: string) => reports.push(what) };
      assert.equal(
        withDatabase(path, sink, () => 1),
        undefined,
      );
      assert.deepEqual(reports, ["is being written to"]);
    }
  });
});
