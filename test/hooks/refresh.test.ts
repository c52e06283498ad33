/** `dex refresh`, and sessions that start it where nobody waits for it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dexPaths } from "../../src/config/paths.ts";
import { acquireLock } from "../../src/kernel/lock.ts";
import { refreshPlaces } from "../../src/project/refresh.ts";
import { fire, PATIENT } from "../support/clients/hook_scene.ts";
import { writeDialogue } from "../support/histories/dialogue.ts";
import { TestHome } from "../support/program/dex.ts";
import { until } from "../support/program/watch.ts";
import { GIT_VARS, TestRepository, temporaryFolder } from "../support/repository.ts";

interface Refreshed {
  conversations: { new: number; updated: number } | null;
  commits: number;
  code: { files: number; added: number; changed: number } | null;
  decisions: number;
}

function scene(): { home: TestHome; repo: TestRepository } {
  const home = new TestHome({ vars: { ...GIT_VARS } });
  const repo = new TestRepository();
  repo.commit("feat: begin", { "src/tide.ts": "export function high(): number {\n  return 1;\n}\n" });
  const turns = [{ user: "When is high tide?" }, { agent: "At noon." }];
  const about = { start: Date.now() - 3_600_000, cwd: repo.root };
  writeDialogue(home.home, "aaaaaaaa-0000-4000-8000-000000000009", turns, about);
  home.cwd = repo.root;
  return { home, repo };
}

test("everything about a project is brought up to date, and a second time there is nothing to do", () => {
  const { home, repo } = scene();
  const first = home.json<Refreshed>("refresh");
  assert.equal(first.conversations?.new, 1);
  assert.equal(first.commits, 1);
  assert.equal(first.code?.added, 1);
  repo.commit("feat: low tide\n\nDecision: tides are whole hours", {
    "src/tide.ts": "export function low(): number {\n  return 2;\n}\n",
  });
  const second = home.json<Refreshed>("refresh");
  assert.deepEqual(second.conversations, { new: 0, updated: 0 });
  assert.equal(second.commits, 2);
  assert.equal(second.code?.changed, 1);
  assert.equal(second.decisions, 1);
  assert.equal(home.run("code", "symbol", "low", "--no-sync").status, 0);
});

test("one at a time; a folder without git keeps its code unread", () => {
  const { home, repo } = scene();
  const { lock } = refreshPlaces(dexPaths(home.env), repo.root);
  const held = acquireLock(lock, 0);
  const refused = home.run("refresh");
  held?.release();
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /Another dex process is refreshing \S+\./);
  home.cwd = temporaryFolder();
  assert.equal(home.json<Refreshed>("refresh").code, null);
});

test("a session that begins starts it, once in a while, and does not wait for it", async () => {
  const { home, repo } = scene();
  assert.equal(home.run("sync").status, 0);
  const { lock } = refreshPlaces(dexPaths(home.env), repo.root);
  const begin = { session_id: "s-1", cwd: repo.root, hook_event_name: "SessionStart", source: "startup" };
  const vars = { ...PATIENT, DEX_HOOKS_REFRESH: "true" };
  await fire(home, "claude", begin, vars);
  const known = (symbol: string): boolean => home.run("code", "symbol", symbol, "--no-sync").status === 0;
  await until("the code is read", () => known("high"));
  await until("it has ended", () => {
    const mine = acquireLock(lock, 0);
    mine?.release();
    return mine !== undefined;
  });
  repo.commit("feat: neap tide", { "src/neap.ts": "export function neap(): number {\n  return 3;\n}\n" });
  await fire(home, "claude", { ...begin, session_id: "s-2" }, vars);
  const free = acquireLock(lock, 0);
  assert.ok(free, "soon after the last one none is started");
  free.release();
  assert.equal(known("neap"), false);
});
