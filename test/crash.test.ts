/** A sync may be killed at any moment: what is there afterwards, once it is finished, is what an undisturbed run gives. */
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { TestHome } from "./support/dex.ts";
import { dumpHome } from "./support/dump.ts";
import { random, writeClaudeHistory } from "./support/generate.ts";

const homes: TestHome[] = [];
after(() => {
  for (const home of homes) home.remove();
});

function newHome(vars: Record<string, string> = {}): TestHome {
  const home = new TestHome({ vars });
  homes.push(home);
  return home;
}

const HISTORY = { sessions: 24, turns: 30, output: 400 };
const KILLS = 25;

function historyOf(home: TestHome): string[] {
  const folder = join(home.home, ".claude/projects/-home-sam-work");
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Starts a sync and kills it, unless it ends first. */
async function syncKilled(home: TestHome, afterMs: number): Promise<boolean> {
  const child = home.start("sync");
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const first = await Promise.race([ended, sleep(afterMs, "late" as const)]);
  if (first !== "late") return false;
  child.kill("SIGKILL");
  await ended;
  return true;
}

function timed(run: () => void): number {
  const started = performance.now();
  run();
  return performance.now() - started;
}

for (const threads of ["1", "0"]) {
  test(`killed ${KILLS} times at random moments, ${threads} reader threads`, { timeout: 280_000 }, async () => {
    const calm = newHome({ DEX_SYNC_THREADS: threads });
    writeClaudeHistory(calm.home, 7, HISTORY);
    const whole = timed(() => assert.equal(calm.run("sync").status, 0));
    const idle = timed(() => calm.run("sync"));
    const expected = withoutHome(dumpHome(calm.dexHome), calm);
    const next = random(Number(threads) + 11);
    let kills = 0;
    while (kills < KILLS) {
      const home = newHome({ DEX_SYNC_THREADS: threads });
      cpSync(join(calm.home, ".claude"), join(home.home, ".claude"), { recursive: true, preserveTimestamps: true });
      const texts = new Map(historyOf(home).map((path) => [path, readFileSync(path, "utf8")]));
      // Most sessions are still going on, torn lines and all, so that later syncs append to what earlier ones archived.
      for (const [path, text] of texts) writeFileSync(path, text.slice(0, Math.floor(text.length * (0.3 + next()))));
      while (await syncKilled(home, idle * 0.4 + next() * (whole - idle * 0.4))) kills += 1;
      for (const [path, text] of texts) writeFileSync(path, text);
      while (await syncKilled(home, idle * 0.4 + next() * (whole - idle * 0.4))) kills += 1;
      assert.equal(home.run("sync").status, 0);
      assert.deepEqual(withoutHome(dumpHome(home.dexHome), home), expected);
    }
  });
}

/** The two homes differ by their own path only. */
function withoutHome(dump: ReturnType<typeof dumpHome>, home: TestHome): unknown {
  return JSON.parse(JSON.stringify(dump).replaceAll(home.home, "HOME"));
}

test("two syncs at once: none corrupts, both end well", { timeout: 120_000 }, async () => {
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

test("an archive that ends anywhere in what a later sync added comes back whole", { timeout: 120_000 }, () => {
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
  const CUTS = 12;
  for (let cut = 1; cut < CUTS; cut += 1) {
    // As a kill leaves it: the index knows nothing yet of what the archive has begun to get.
    rmSync(home.dexHome, { recursive: true });
    cpSync(before, home.dexHome, { recursive: true });
    writeFileSync(archive, whole.subarray(0, first + Math.floor(((whole.length - first) * cut) / CUTS)));
    assert.equal(home.run("sync").status, 0);
    assert.deepEqual(dumpHome(home.dexHome), expected, `cut at ${cut} of ${CUTS}`);
  }
});
