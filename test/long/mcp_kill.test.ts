/** A server killed in the middle of requests, and of the sync that they set off, loses nothing. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { dumpHome } from "../support/dump.ts";
import { random, writeClaudeHistory } from "../support/histories/generate.ts";
import { TestHome } from "../support/program/dex.ts";
import { HttpServer } from "../support/servers/mcp.ts";

const HISTORY = { sessions: 12, turns: 20, output: 300 };
const KILLS = 2;
/** A server that answers everything before its sync is seen to run is killed in vain. */
const TRIES = 10;

/** Kills the server in the middle of the sync that requests set off. Whether a request was still unanswered. */
async function killedWhileAsked(home: TestHome, afterMs: number): Promise<boolean> {
  const server = await HttpServer.start(home);
  const calls = Promise.allSettled([
    server.call("dex_search", { query: "error" }),
    server.call("dex_stats"),
    server.call("dex_list"),
  ]);
  let answered = false;
  void calls.then(() => {
    answered = true;
  });
  while (!answered && !existsSync(join(home.dexHome, "sync-running.json"))) await sleep(1);
  if (!answered) await sleep(afterMs);
  server.process.kill("SIGKILL");
  if (server.process.signalCode === null) await once(server.process, "exit");
  return (await calls).some(({ status }) => status === "rejected");
}

test("a server killed while it is asked loses nothing", async () => {
  const calm = new TestHome();
  writeClaudeHistory(calm.home, 21, HISTORY);
  const started = performance.now();
  assert.equal(calm.run("sync").status, 0);
  const whole = performance.now() - started;
  const expected = withoutHome(dumpHome(calm.dexHome), calm);
  const next = random(5);
  const home = new TestHome();
  cpSync(join(calm.home, ".claude"), join(home.home, ".claude"), { recursive: true, preserveTimestamps: true });
  const folder = join(home.home, ".claude/projects/-home-sam-work");
  const texts = new Map(
    readdirSync(folder).map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8")]),
  );
  let kills = 0;
  for (let tries = 0; kills < KILLS && tries < TRIES; tries += 1) {
    // Every time with something new to be synced.
    const share = 0.3 + (tries / TRIES) * 0.6;
    for (const [path, text] of texts) writeFileSync(path, text.slice(0, Math.floor(text.length * share)));
    if (await killedWhileAsked(home, (next() * whole) / 4)) kills += 1;
  }
  assert.equal(kills, KILLS, `only ${kills} of ${TRIES} kills hit a request`);
  for (const [path, text] of texts) writeFileSync(path, text);
  const server = await HttpServer.start(home);
  const { structuredContent } = await server.call("dex_stats");
  assert.equal(structuredContent?.total_conversations, HISTORY.sessions);
  await server.end();
  assert.equal(home.run("sync").status, 0);
  assert.deepEqual(withoutHome(dumpHome(home.dexHome), home), expected);
});

/** The two homes differ by their own path only. */
function withoutHome(dump: ReturnType<typeof dumpHome>, home: TestHome): unknown {
  return JSON.parse(JSON.stringify(dump).replaceAll(home.home, "HOME"));
}
