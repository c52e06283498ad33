/** Syncs at the same time, and an archive cut short by a kill: the next sync leaves everything as an undisturbed one does. */
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dumpHome } from "../support/dump.ts";
import { writeClaudeHistory } from "../support/histories/generate.ts";
import { TestHome } from "../support/program/dex.ts";

function newHome(vars: Record<string, string> = {}): TestHome {
  return new TestHome({ vars });
}

const HISTORY = { sessions: 8, turns: 10, output: 300 };

function historyOf(home: TestHome): string[] {
  const folder = join(home.home, ".claude/projects/-home-sam-work");
  return readdirSync(folder).map((name) => join(folder, name));
}

/** The two homes differ by their own path only. */
function withoutHome(dump: ReturnType<typeof dumpHome>, home: TestHome): unknown {
  return JSON.parse(JSON.stringify(dump).replaceAll(home.home, "HOME"));
}

test("two syncs at once: none corrupts, both end well", async () => {
  const calm = newHome();
  writeClaudeHistory(calm.home, 9, HISTORY);
  const both = newHome();
  cpSync(join(calm.home, ".claude"), join(both.home, ".claude"), { recursive: true, preserveTimestamps: true });
  assert.equal(calm.run("sync").status, 0);
  const codes = await Promise.all(
    Array.from({ length: 3 }, () => {
      const child = both.start("sync");
      return new Promise<number | null>((resolve) => child.once("exit", resolve));
    }),
  );
  assert.deepEqual(codes, [0, 0, 0]);
  assert.deepEqual(withoutHome(dumpHome(both.dexHome), both), withoutHome(dumpHome(calm.dexHome), calm));
});

test("an archive that ends anywhere in what a later sync added comes back whole", () => {
  const home = newHome({ DEX_SYNC_THREADS: "0" });
  writeClaudeHistory(home.home, 13, { sessions: 1, turns: 12, output: 200 });
  const [source = ""] = historyOf(home);
  const text = readFileSync(source, "utf8");
  writeFileSync(source, text.slice(0, text.indexOf("\n", text.length / 2) + 1));
  assert.equal(home.run("sync").status, 0);
  const folder = join(home.dexHome, "archive/conversations");
  const [name = ""] = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".zst"),
  );
  const archive = join(folder, name);
  const first = readFileSync(archive).length;
  const before = `${home.dexHome}-before`;
  cpSync(home.dexHome, before, { recursive: true });
  writeFileSync(source, text);
  assert.equal(home.run("sync").status, 0);
  const whole = readFileSync(archive);
  const expected = dumpHome(home.dexHome);
  assert.ok(whole.length > first);
  const CUTS = 4;
  for (let cut = 1; cut < CUTS; cut += 1) {
    // As a kill leaves it: the index knows nothing yet of what the archive has begun to get.
    rmSync(home.dexHome, { recursive: true });
    cpSync(before, home.dexHome, { recursive: true });
    writeFileSync(archive, whole.subarray(0, first + Math.floor(((whole.length - first) * cut) / CUTS)));
    assert.equal(home.run("sync").status, 0);
    assert.deepEqual(dumpHome(home.dexHome), expected, `cut at ${cut} of ${CUTS}`);
  }
});
