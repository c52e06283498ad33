/** A sync may be killed at any moment: what is there afterwards, once it is finished, is what an undisturbed run gives. */
import assert from "node:assert/strict";
import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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
const KILLS = 50;

/** Cuts every second file short, as if its session were still going on. */
function shorten(home: TestHome, keep: Map<string, string>): void {
  const folder = join(home.home, ".claude/projects/-home-sam-work");
  for (const [i, name] of readdirSync(folder).sort().entries()) {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    keep.set(path, text);
    if (i % 2 === 0) writeFileSync(path, text.slice(0, Math.floor(text.length * 0.6)));
  }
}

async function syncKilled(home: TestHome, afterMs: number): Promise<boolean> {
  const child = home.start("sync");
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const first = await Promise.race([ended, sleep(afterMs, "late" as const)]);
  if (first !== "late") return false;
  child.kill("SIGKILL");
  await ended;
  return true;
}

for (const threads of ["1", "0"]) {
  test(`killed ${KILLS / 2} times at random moments, with ${threads} reader threads`, {
    timeout: 240_000,
  }, async () => {
    const calm = newHome({ DEX_SYNC_THREADS: threads });
    writeClaudeHistory(calm.home, 7, HISTORY);
    const killed = newHome({ DEX_SYNC_THREADS: threads });
    cpSync(join(calm.home, ".claude"), join(killed.home, ".claude"), { recursive: true, preserveTimestamps: true });
    const whole = new Map<string, string>();
    shorten(killed, whole);

    const started = Date.now();
    assert.equal(calm.run("sync").status, 0);
    const span = Date.now() - started;
    const next = random(Number(threads) + 11);
    let kills = 0;
    for (let round = 0; round < KILLS / 2; round += 1) {
      if (await syncKilled(killed, 30 + next() * span)) kills += 1;
      // Sessions go on between the crashes, so that later syncs append to what earlier ones archived.
      if (round % 5 === 4) growSome(whole, next);
    }
    for (const [path, text] of whole) writeFileSync(path, text);
    assert.ok(kills > KILLS / 6, `only ${kills} syncs were killed before they ended`);
    assert.equal(killed.run("sync").status, 0);
    assert.deepEqual(withoutOrigin(dumpHome(killed.dexHome), killed), withoutOrigin(dumpHome(calm.dexHome), calm));
  });
}

function growSome(whole: Map<string, string>, next: () => number): void {
  for (const [path, text] of whole) {
    const now = readFileSync(path, "utf8");
    if (now.length >= text.length || next() < 0.5) continue;
    appendFileSync(path, text.slice(now.length, now.length + Math.ceil((text.length - now.length) / 2)));
  }
}

/** The two homes differ by their own path only. */
function withoutOrigin(dump: ReturnType<typeof dumpHome>, home: TestHome): unknown {
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
  assert.deepEqual(withoutOrigin(dumpHome(both.dexHome), both), withoutOrigin(dumpHome(calm.dexHome), calm));
});
