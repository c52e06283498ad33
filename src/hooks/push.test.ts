import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pushFor } from "./push.ts";

test("a hook that is late or switched off reports why its answer is empty", async () => {
  const home = mkdtempSync(join(tmpdir(), "dex-push-"));
  const dexHome = join(home, ".dex");
  mkdirSync(dexHome);
  const vars = { HOME: home, DEX_HOME: dexHome };
  const reasons: [kind: string, reason: string][] = [];
  const event = { name: "SessionStart", session: "s", folder: home, kind: "start", source: "startup" } as const;
  const push = (left: number): Promise<string> =>
    pushFor(event, {
      vars,
      host: "claude",
      left: () => left,
      silent: (kind, reason) => void reasons.push([kind, reason]),
    });
  try {
    assert.equal(await push(5000), "");
    assert.equal(reasons.length, 0, "an answer without facts is not logged");
    assert.equal(await push(-1), "");
    writeFileSync(join(dexHome, "config.yaml"), "hooks:\n  enabled: false\n");
    assert.equal(await push(5000), "");
    assert.deepEqual(
      reasons.map(([kind]) => kind),
      ["late", "off"],
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
