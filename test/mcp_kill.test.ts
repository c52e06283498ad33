/** A server killed in the middle of requests, and of the sync that they set off, loses nothing. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { TestHome } from "./support/dex.ts";
import { dumpHome } from "./support/dump.ts";
import { random, writeClaudeHistory } from "./support/generate.ts";
import { HttpServer } from "./support/mcp.ts";

const HISTORY = { sessions: 16, turns: 30, output: 400 };
const KILLS = 6;

const homes: TestHome[] = [];
after(() => {
  for (const home of homes) home.remove();
});

function newHome(): TestHome {
  const home = new TestHome();
  homes.push(home);
  return home;
}

/** Whether a request was still unanswered. */
async function killedWhileAsked(home: TestHome, afterMs: number): Promise<boolean> {
  const server = await HttpServer.start(home);
  const calls = Promise.allSettled([
    server.call("dex_search", { query: "error" }),
    server.call("dex_stats"),
    server.call("dex_list"),
  ]);
  await sleep(afterMs);
  server.process.kill("SIGKILL");
  if (server.process.signalCode === null) await once(server.process, "exit");
  return (await calls).some(({ status }) => status === "rejected");
}

test(`killed ${KILLS} times while it was asked`, { timeout: 200_000 }, async () => {
  const calm = newHome();
  writeClaudeHistory(calm.home, 21, HISTORY);
  const started = performance.now();
  assert.equal(calm.run("sync").status, 0);
  const whole = performance.now() - started;
  const expected = withoutHome(dumpHome(calm.dexHome), calm);
  const next = random(5);
  let unanswered = 0;
  for (let kills = 0; kills < KILLS; kills += 2) {
    const home = newHome();
    cpSync(join(calm.home, ".claude"), join(home.home, ".claude"), { recursive: true, preserveTimestamps: true });
    const folder = join(home.home, ".claude/projects/-home-sam-work");
    const texts = new Map(
      readdirSync(folder).map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8")]),
    );
    for (const [path, text] of texts) writeFileSync(path, text.slice(0, Math.floor(text.length * (0.3 + next()))));
    if (await killedWhileAsked(home, next() * whole)) unanswered += 1;
    for (const [path, text] of texts) writeFileSync(path, text);
    if (await killedWhileAsked(home, next() * whole)) unanswered += 1;
    const server = await HttpServer.start(home);
    const { structuredContent } = await server.call("dex_stats");
    assert.equal(structuredContent?.total_conversations, HISTORY.sessions);
    await server.end();
    assert.equal(home.run("sync").status, 0);
    assert.deepEqual(withoutHome(dumpHome(home.dexHome), home), expected);
  }
  assert.ok(unanswered > 0, "no kill hit a request");
});

/** The two homes differ by their own path only. */
function withoutHome(dump: ReturnType<typeof dumpHome>, home: TestHome): unknown {
  return JSON.parse(JSON.stringify(dump).replaceAll(home.home, "HOME"));
}
