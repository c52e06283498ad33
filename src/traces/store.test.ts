import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { buildTrace } from "./build.ts";
import { filterLines } from "./remove.ts";
import { appendTrace, findTrace, tailTraces, traceIds } from "./store.ts";
import type { Trace } from "./trace.ts";

const root = mkdtempSync(join(tmpdir(), "dex-traces-"));
after(() => rmSync(root, { recursive: true, force: true }));
let made = 0;
const LARGE = 1 << 20;

function folder(): string {
  made += 1;
  return join(root, String(made));
}

function row(query: string, summary = ""): Trace {
  return buildTrace(
    {
      command: "search",
      query,
      input: {},
      started: 0,
      duration: 1,
      details: [{ ranking: [{ id: "0a1b2c3d", summary }] }],
      session: undefined,
      revision: undefined,
    },
    { redact: (text) => text },
  );
}

function lines(place: string): string[] {
  return readdirSync(place).flatMap((name) => readFileSync(join(place, name), "utf8").split("\n").filter(Boolean));
}

test("rows come back newest first, over several files, and by id", () => {
  const place = folder();
  const rows = Array.from({ length: 200 }, (_, i) => row(`${i} ${"x".repeat(900)}`));
  for (const each of rows) assert.ok(appendTrace(place, each, 64 << 10));
  assert.ok(readdirSync(place).length > 2);
  assert.deepEqual(tailTraces(place, 150), rows.toReversed().slice(0, 150));
  const [oldest] = rows;
  assert.ok(oldest);
  assert.deepEqual(findTrace(place, oldest.trace_id), oldest);
  assert.equal(findTrace(place, "T-000000000000"), undefined);
  assert.equal([...traceIds(place)].length, 200);
  assert.equal(statSync(place).mode & 0o777, 0o700);
  for (const name of readdirSync(place)) assert.equal(statSync(join(place, name)).mode & 0o777, 0o600);
});

test("an empty folder has no rows", () => {
  assert.deepEqual(tailTraces(join(root, "nowhere"), 5), []);
  assert.equal(findTrace(join(root, "nowhere"), "T-000000000000"), undefined);
});

test("torn and foreign lines are skipped, and a torn end does not swallow the next row", () => {
  const place = folder();
  const [first, second, third] = [row("first"), row("second"), row("third")];
  appendTrace(place, first, LARGE);
  const file = join(place, readdirSync(place)[0] ?? "");
  appendFileSync(file, `${"z".repeat(200_000)}\n\u0000\n[]\n{"trace_id":"T-zzz"}\n\n`);
  appendTrace(place, second, LARGE);
  appendFileSync(file, '{"trace_id":"T-0123');
  appendTrace(place, third, LARGE);
  writeFileSync(join(place, "notes.txt"), "not ours");
  mkdirSync(join(place, "99999999.ndjson"));
  assert.deepEqual(tailTraces(place, 10), [third, second, first]);
});

test("a file truncated anywhere can be read", () => {
  const place = folder();
  for (let i = 0; i < 5; i += 1) appendTrace(place, row(`${i}語`), LARGE);
  const file = join(place, readdirSync(place)[0] ?? "");
  const whole = readFileSync(file);
  for (let length = 0; length <= whole.length; length += 7) {
    writeFileSync(file, whole.subarray(0, length));
    const complete = whole.subarray(0, length + 1).filter((byte) => byte === 10).length;
    const found = tailTraces(place, 10).length;
    assert.ok(found === complete || found === complete - 1, `${found} of ${complete} at ${length}`);
  }
});

test("a process that has written goes on in the next file of another one, and after its file was deleted", () => {
  const place = folder();
  const newest = () => tailTraces(place, 1)[0]?.query;
  for (const query of ["first", "second"]) appendTrace(place, row(query), LARGE);
  assert.deepEqual(readdirSync(place), ["00000001.ndjson"]);
  appendFileSync(join(place, "00000002.ndjson"), `${JSON.stringify(row("of another process"))}\n`);
  assert.equal(newest(), "of another process");
  appendTrace(place, row("third"), LARGE);
  assert.equal(newest(), "third");
  assert.equal(lines(place).length, 4);
  rmSync(join(place, "00000002.ndjson"));
  appendTrace(place, row("fourth"), LARGE);
  assert.equal(newest(), "fourth");
  rmSync(place, { recursive: true });
  assert.equal(appendTrace(place, row("fifth"), LARGE), true);
  assert.equal(newest(), "fifth");
  const elsewhere = folder();
  appendTrace(elsewhere, row("sixth"), LARGE);
  assert.deepEqual([lines(elsewhere).length, newest()], [1, "fifth"]);
});

test("a folder that cannot be written is not an error", () => {
  const place = folder();
  writeFileSync(place, "a file in the way");
  assert.equal(appendTrace(place, row("x"), LARGE), false);
  assert.deepEqual(tailTraces(place, 5), []);
});

test("four processes at once: every line whole, every row there, the size bounded", async () => {
  const place = folder();
  const each = 300;
  const maxBytes = 256 << 10;
  const script = `
    const { appendTrace } = await import(process.argv[1] + "/store.ts");
    const { buildTrace } = await import(process.argv[1] + "/build.ts");
    for (let i = 0; i < ${each}; i += 1) {
      const run = { command: "search", query: process.argv[3] + " " + i + " " + "q".repeat(i * 3), input: {}, started: 0, duration: 1, details: [] };
      if (!appendTrace(process.argv[2], buildTrace(run, { redact: (text) => text }), ${maxBytes})) process.exitCode = 1;
    }`;
  const workers = ["a", "b", "c", "d"].map((name) =>
    spawn(process.execPath, ["--input-type=module", "-e", script, import.meta.dirname, place, name], {
      stdio: ["ignore", "inherit", "inherit"],
    }),
  );
  for (const [status] of await Promise.all(workers.map((worker) => once(worker, "exit")))) assert.equal(status, 0);
  const names = readdirSync(place);
  assert.ok(names.length > 1 && names.length <= 5, `${names.length} files`);
  for (const name of names) assert.ok(statSync(join(place, name)).size <= maxBytes + 3 * (16 << 10), name);
  const kept = lines(place).map((line) => JSON.parse(line) as Trace);
  assert.equal(new Set(kept.map(({ query }) => query)).size, 4 * each);
  assert.equal(kept.length, 4 * each);
});

test("growth is bounded: the current file and four older ones", () => {
  const place = folder();
  for (let i = 0; i < 600; i += 1) appendTrace(place, row(`${i} ${"x".repeat(990)}`), 64 << 10);
  const names = readdirSync(place).sort();
  assert.equal(names.length, 5);
  assert.ok(names.reduce((sum, name) => sum + statSync(join(place, name)).size, 0) <= 5 * (64 << 10));
  assert.match(tailTraces(place, 1)[0]?.query ?? "", /^599 /);
});

test("forgetting removes lines from the traces", () => {
  const place = folder();
  const [kept, gone] = [row("kept"), row("11112222-abcd")];
  for (const each of [kept, gone, kept]) appendTrace(place, each, LARGE);
  const [name = ""] = readdirSync(place);
  const isGone = (text: string): boolean => text.includes("11112222-abcd");
  assert.equal(filterLines(join(place, name), isGone, true), 1);
  assert.equal(tailTraces(place, 5).length, 3, "a dry run removes nothing");
  assert.equal(filterLines(join(place, name), isGone, false), 1);
  assert.deepEqual(tailTraces(place, 5), [kept, kept]);
  assert.equal(filterLines(join(root, "nowhere"), isGone, false), 0);
});

test("a folder that cannot be created drops the row", () => {
  assert.equal(appendTrace("/proc/nowhere/traces", row("lost"), LARGE), false);
});
