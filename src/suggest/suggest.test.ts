import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Dex } from "../dex.ts";
import { suggestFor } from "./suggest.ts";

test("when the time is over, no further provider runs, and the answer contains what was found so far", async () => {
  const home = mkdtempSync(join(tmpdir(), "dex-suggest-"));
  const dexHome = join(home, ".dex");
  mkdirSync(dexHome);
  const dex = await Dex.open({ vars: { HOME: home, DEX_HOME: dexHome }, cwd: home });
  const activity = { folder: home, recent: [], prompt: "Round the refund before the invoice is stored" };
  const asked = async (times: readonly number[]): Promise<string[]> => {
    const left = [...times];
    const stages: string[] = [];
    await suggestFor(
      dex,
      activity,
      { type: "activity", source: "test" },
      { stale: true, record: false, left: () => left.shift() ?? times.at(-1) ?? 0 },
      { trace: (details) => stages.push(...(details.stages ?? []).map(({ name }) => name)) },
    );
    return stages;
  };
  try {
    assert.deepEqual(await asked([1000, 0]), ["open", "decisions"]);
    assert.equal((await asked([60_000])).length, 7);
  } finally {
    dex.close();
    rmSync(home, { recursive: true, force: true });
  }
});
