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
import { rounds } from "../../../../test/support/program/limits.ts";
import { below, flipped, seeded } from "../../../../test/support/random.ts";
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
    const random = seeded(7);
    let reported = 0;
    const sink = {
      malformed: () => {
        reported += 1;
      },
    };
    for (let round = 0; round < rounds(30, 100); round += 1) {
      const bad = flipped(random, good, 40);
      writeFileSync(path, bad);
      if (round % 3 === 0) truncateSync(path, below(random, bad.length));
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

  /** Makes each of the pages refer to the next one many times; the last one is a copy of what the first one was. */
  function multiply(bytes: Buffer, [first = 0, ...others]: number[]): void {
    const page = (number: number): Buffer => bytes.subarray((number - 1) * PAGE_BYTES, number * PAGE_BYTES);
    const headerAt = first === 1 ? 100 : 0;
    const last = page(others.at(-1) ?? 0);
    page(first).copy(last);
    if (headerAt > 0) page(first).copy(last, 0, headerAt, headerAt + 8 + 2 * last.readUInt16BE(headerAt + 3));
    const chain = [first, ...others];
    for (const [i, number] of chain.slice(0, -1).entries()) {
      const next = chain[i + 1] as number;
      const start = number === 1 ? 100 : 0;
      const cells = page(number).fill(0, start).subarray(start);
      cells.writeUInt8(5, 0);
      cells.writeUInt16BE(FAN_OUT, 3);
      const content = PAGE_BYTES - 5 * FAN_OUT;
      cells.writeUInt16BE(content, 5);
      cells.writeUInt32BE(next, 8);
      for (let cell = 0; cell < FAN_OUT; cell += 1) {
        const at = content + 5 * cell;
        cells.writeUInt16BE(at, 12 + 2 * cell);
        page(number).writeUInt32BE(next, at);
        page(number).writeUInt8(cell + 1, at + 4);
      }
    }
  }
  const PAGE_BYTES = 4096;
  const FAN_OUT = 100;
  const ENDLESS = ["is damaged: its pages refer to each other without end"];
  const filler = "CREATE TABLE filler(x); INSERT INTO filler VALUES(zeroblob(100000))";

  it("refers to the same pages repeatedly in a table or in the schema: nothing is read", () => {
    for (const first of [2, 1]) {
      const path = hostile(filler);
      const bytes = readFileSync(path);
      multiply(bytes, [first, 20, 21, 22]);
      writeFileSync(path, bytes);
      assert.deepEqual(look(path), { rows: undefined, reports: ENDLESS });
    }
  });

  it("does so next to a log: nothing is read", async () => {
    const path = database("wal");
    const owner = new Owner(path);
    await owner.run(filler);
    await owner.run("PRAGMA wal_checkpoint(TRUNCATE)");
    await owner.run("INSERT INTO t VALUES(2, 'two')");
    await owner.kill();
    const bytes = readFileSync(path);
    multiply(bytes, [3, 20, 21, 22]);
    writeFileSync(path, bytes);
    assert.deepEqual(look(path), { rows: undefined, reports: ENDLESS });
  });

  it("has one long row many times: nothing is read", () => {
    const path = database("delete");
    const db = new DatabaseSync(path);
    db.exec("DELETE FROM t; INSERT INTO t VALUES(1, zeroblob(2001480))");
    db.close();
    const bytes = readFileSync(path);
    const leaf = bytes.subarray(PAGE_BYTES, 2 * PAGE_BYTES);
    const cells = 600;
    leaf.writeUInt16BE(cells, 3);
    for (let cell = 1; cell < cells; cell += 1) leaf.copy(leaf, 8 + 2 * cell, 8, 10);
    writeFileSync(path, bytes);
    assert.deepEqual(look(path), { rows: undefined, reports: ENDLESS });
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
