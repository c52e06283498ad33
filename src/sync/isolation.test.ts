/** A container that cannot be recorded is reported, and the others are still read. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { testEnv } from "../../test/support/sources/sink.ts";
import { codexHistory } from "../integrations/agents/codex/history/source.ts";
import { openIndex } from "../store/engine/index.ts";
import type { IndexReader } from "../store/index_reader.ts";
import { runSync, type SyncRequest } from "./sync.ts";

const home = mkdtempSync(join(tmpdir(), "dex-isolation-"));
after(() => rmSync(home, { recursive: true, force: true }));

const ids = [1, 2, 3].map((n) => `0199aaaa-0000-7000-8000-00000000000${n}`);

function rollout(id: string, fields: object = {}): string {
  const folder = join(home, ".codex/sessions/2026/03/04");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `rollout-2026-03-04T10-00-00-${id}.jsonl`);
  const said = { type: "message", role: "user", content: [{ type: "input_text", text: `say ${id}` }] };
  const records = [
    { type: "session_meta", payload: { id, cwd: "/srv/demo", ...fields } },
    { type: "turn_context", payload: { turn_id: `turn-${id}` } },
    { type: "response_item", payload: said },
  ];
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return path;
}

function request(more: Partial<SyncRequest> = {}): SyncRequest {
  const at = (name: string): string => join(home, ".dex", name);
  const env = testEnv(home);
  return {
    places: { index: at("index.db"), archive: at("archive"), lock: at("lock"), running: at("running") },
    env,
    containers: codexHistory.discover(env),
    policy: { exclude: [], trusted: [], headless: false, forgotten: [] },
    full: false,
    everything: true,
    threads: 0,
    waitMs: 1000,
    now: Date.now,
    ...more,
  };
}

function inIndex<T>(ask: (reader: IndexReader) => T): T {
  const { store, state } = openIndex(join(home, ".dex/index.db"));
  assert.equal(state, "ready");
  try {
    return ask(store);
  } finally {
    store.close();
  }
}

test("a failure in one container does not affect the others, and it is read again", async () => {
  const bad = rollout(ids[0] as string);
  rollout(ids[1] as string);
  const plain = request();
  // Without times in the records the file's own counts, and this file has none.
  const containers = plain.containers.map((each) => (each.path === bad ? { ...each, mtimeMs: Number.NaN } : each));
  const totals = await runSync({ ...plain, containers });
  assert.equal(totals?.new, 1);
  assert.deepEqual(totals?.failed, [{ path: bad, error: "Invalid time value" }]);
  assert.deepEqual(
    inIndex((reader) => reader.failedContainers()),
    [{ source: "codex", path: bad, error: "Invalid time value" }],
  );
  const again = await runSync(request());
  assert.deepEqual([again?.new, again?.failed], [1, []]);
  assert.deepEqual(
    inIndex((reader) => reader.failedContainers()),
    [],
  );
});

test("a fork whose parent's archive is damaged does not stop the others", async () => {
  const path = inIndex((reader) =>
    join(home, ".dex/archive", [...reader.archiveSizes().keys()].find((each) => each.includes(ids[1] as string)) ?? ""),
  );
  const bytes = readFileSync(path);
  writeFileSync(
    path,
    bytes.map((byte, i) => (i < 40 ? byte : byte ^ 0x55)),
  );
  const fork = rollout(ids[2] as string, { forked_from_id: ids[1] });
  rollout("0199aaaa-0000-7000-8000-000000000004");
  const totals = await runSync(request());
  assert.deepEqual([totals?.new, totals?.failed.map((each) => each.path)], [1, [fork]]);
});
