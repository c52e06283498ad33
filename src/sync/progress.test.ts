/** Progress of a sync: only forward, also inside one large container, and never beyond the total. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { writeLongHistory } from "../../test/support/histories/long_history.ts";
import { Dex } from "../dex.ts";
import type { SyncProgress } from "./totals.ts";

test("progress moves inside a single file", async () => {
  const home = mkdtempSync(join(tmpdir(), "dex-progress-"));
  try {
    writeLongHistory(home, 83, 1, 1 << 20);
    const vars = { HOME: home, DEX_HOME: join(home, ".dex"), DEX_SYNC_THREADS: "0" };
    const dex = await Dex.open({ vars, cwd: home });
    const seen: SyncProgress[] = [];
    const totals = await dex.sync({ progress: (at) => void seen.push(at) });
    dex.close();
    assert.equal(totals?.new, 1);
    const bytes = seen.map((at) => at.bytes);
    const whole = seen.at(-1)?.totalBytes ?? 0;
    assert.deepEqual(
      bytes,
      bytes.toSorted((a, b) => a - b),
    );
    assert.ok(bytes.filter((at) => at > 0 && at < whole).length > 5, bytes.join(" "));
    assert.equal(bytes.at(-1), whole);
    assert.deepEqual([seen[0]?.files, seen.at(-1)?.files, seen.at(-1)?.totalFiles], [0, 1, 1]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test("a stopped sync keeps what it read and reports the rest; one stopped before its start reads nothing", async () => {
  const home = mkdtempSync(join(tmpdir(), "dex-progress-"));
  try {
    writeLongHistory(home, 89, 6, 1 << 16);
    const vars = { HOME: home, DEX_HOME: join(home, ".dex"), DEX_SYNC_THREADS: "0" };
    const dex = await Dex.open({ vars, cwd: home });
    const none = await dex.sync({ signal: AbortSignal.abort() });
    assert.deepEqual([none?.new, none?.files_left], [0, 6]);
    assert.equal((await dex.syncStatus()).stalled, true);
    const stop = new AbortController();
    const some = await dex.sync({
      signal: stop.signal,
      progress: ({ files }) => {
        if (files === 2) stop.abort();
      },
    });
    assert.deepEqual([some?.new, some?.files_left], [2, 4]);
    assert.equal(dex.store.getValue("last_sync"), undefined);
    const rest = await dex.sync();
    assert.deepEqual([rest?.new, rest?.unchanged, rest?.files_left], [4, 2, undefined]);
    assert.notEqual(dex.store.getValue("last_sync"), undefined);
    dex.close();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
