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
  const prompt = {
    ...event,
    name: "UserPromptSubmit",
    kind: "prompt",
    prompt: "Round the ledger to whole cents",
  } as const;
  const push = (left: number, about: typeof event | typeof prompt = event): Promise<string> =>
    pushFor(about, {
      vars,
      host: "claude",
      left: () => left,
      silent: (kind, reason) => void reasons.push([kind, reason]),
    });
  try {
    assert.equal(await push(5000), "");
    assert.equal(reasons.length, 0, "an answer without facts is not logged");
    assert.equal(await push(-1), "");
    assert.equal(await push(Number.MAX_SAFE_INTEGER, prompt), "");
    assert.equal(reasons.length, 1, "a prompt without facts is not logged");
    assert.equal(await push(10, prompt), "");
    assert.match(String(reasons[1]), /late,there was no time left/);
    // Enough for a look, but not for its long steps at the pace of a process that has run for a while.
    assert.equal(await push(40, prompt), "");
    assert.match(String(reasons[2]), /late,there was no time left/);
    writeFileSync(join(dexHome, "config.yaml"), "hooks:\n  enabled: false\n");
    assert.equal(await push(5000), "");
    assert.deepEqual(
      reasons.map(([kind]) => kind),
      ["late", "late", "late", "off"],
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
