/** The built program in a damaged or half-closed home: it goes on where it can, and says what is wrong, of the right file. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, globSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { fire } from "../support/clients/hook_scene.ts";
import { program, TestHome } from "../support/program/dex.ts";
import { HANG_MS } from "../support/program/limits.ts";
import { giveAway, runAsNobody, withoutPlainUser } from "../support/program/nobody.ts";

function synced(): TestHome {
  const home = new TestHome({ samples: true });
  assert.equal(home.run("sync").status, 0);
  return home;
}

interface Doctor {
  problems: { code: string; what: string; path: string | null; fix: string }[];
  fixed: string[];
  lost: string[];
  left_out: { what: string; setting: string }[];
  index: { last_sync: string | null };
}

function zero(path: string, bytes = statSync(path).size): void {
  const content = readFileSync(path);
  writeFileSync(path, content.fill(0, 0, bytes));
}

test("a damaged state.db stops neither sync nor search nor hooks; doctor names it and saves its rows", () => {
  const home = synced();
  assert.equal(home.run("pin", "tabs, not spaces").status, 0);
  const state = join(home.dexHome, "state.db");
  zero(state, 64);
  for (const args of [["sync"], ["search", "refresh token"], ["pins"]]) {
    const answer = home.run(...args);
    assert.ok(answer.status === 0 || answer.status === 1, answer.stderr);
    assert.match(answer.stderr, /^dex: state\.db is damaged: [^\n]+`dex doctor --fix` repairs it\.$/m);
    assert.equal(answer.stderr.match(/damaged/g)?.length, 1);
  }
  const event = { hook_event_name: "SessionStart", session_id: "s1", cwd: home.home, source: "startup" };
  const hook = spawnSync(process.execPath, [program, "hook", "claude"], {
    cwd: home.home,
    env: { ...home.env, DEX_HOOK_BUDGET_MS: "60000" },
    encoding: "utf8",
    input: JSON.stringify(event),
    timeout: HANG_MS,
  });
  assert.equal(hook.status, 0);
  assert.match(hook.stdout, /state\.db is damaged/);
  const refused = home.run("pin", "another");
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /state\.db is damaged/);
  assert.deepEqual(
    home.json<Doctor>("doctor").problems.map(({ code, path }) => [code, path]),
    [["state_damaged", state]],
  );
  const fixed = home.json<Doctor>("doctor", "--fix");
  assert.deepEqual(fixed.problems, []);
  assert.match(home.run("pins").stdout, /tabs, not spaces/);
});

test("a lost state.db is restored from its backup, and forgotten conversations stay forgotten without either", () => {
  const home = synced();
  const { results } = home.json<{ results: { id: string }[] }>("search", "migration rolled back");
  const id = results[0]?.id ?? "";
  home.run("pin", "tabs, not spaces");
  assert.equal(home.run("forget", id, "--yes").status, 0);
  const state = join(home.dexHome, "state.db");
  const copies = globSync("backups/state-*.db", { cwd: home.dexHome });
  assert.equal(copies.length, 1);
  assert.equal(statSync(join(home.dexHome, copies[0] as string)).mode & 0o077, 0);
  for (const lose of [() => truncateSync(state, 0), () => rmSync(state)]) {
    for (const suffix of ["-wal", "-shm"]) rmSync(state + suffix, { force: true });
    lose();
    const again = home.run("sync", "--full");
    assert.equal(again.status, 0, again.stderr);
    assert.match(again.stderr, /state\.db was lost; it is restored from its backup of 20/);
    assert.match(home.run("pins").stdout, /tabs, not spaces/);
    assert.equal(home.run("show", id).status, 2);
  }
  // Without any backup the list of tombstones is left.
  rmSync(state);
  for (const copy of globSync("backups/state-*.db", { cwd: home.dexHome })) rmSync(join(home.dexHome, copy));
  assert.equal(home.run("sync", "--full").status, 0);
  assert.equal(home.run("show", id).status, 2);
});

test("forget leaves nothing of a conversation in the backups", () => {
  const home = synced();
  const { results } = home.json<{ results: { id: string }[] }>("search", "migration rolled back");
  const id = results[0]?.id ?? "";
  home.run("pin", "seen in the migration");
  const earlier = new Date(Date.now() - 7_200_000).toISOString().replace(/[-:.]/g, "");
  assert.equal(home.run("sync").status, 0);
  const [copy = ""] = globSync("backups/state-*.db", { cwd: home.dexHome });
  const old = join(home.dexHome, "backups", `state-${earlier}.db`);
  writeFileSync(old, readFileSync(join(home.dexHome, copy)), { mode: 0o600 });
  assert.equal(home.run("forget", id, "--yes").status, 0);
  assert.ok(!existsSync(old));
  assert.equal(globSync("backups/state-*.db", { cwd: home.dexHome }).length, 1);
});

test("a damaged block ends a search with a sentence about index.db, and `show malformed` is not taken for damage", () => {
  const home = synced();
  const unknown = home.run("show", "malformed");
  assert.equal(unknown.status, 2);
  assert.doesNotMatch(unknown.stderr, /damaged/);
  const database = new DatabaseSync(join(home.dexHome, "index.db"));
  database.prepare("UPDATE term_blocks SET data = ?").run(Buffer.alloc(64, 0xff));
  database.close();
  const asked = home.run("search", "refresh token", "--no-sync");
  assert.equal(asked.status, 2, asked.stdout);
  assert.match(asked.stderr, /index\.db is damaged/);
  assert.match(asked.stderr, /doctor --fix/);
  assert.deepEqual(home.json<Doctor>("doctor", "--fix").problems, []);
  assert.equal(home.run("search", "refresh token", "--no-sync").status, 0);
});

test("an archive file that is gone comes from the agent again; where the agent has none, the loss is named", () => {
  const home = synced();
  const [first = "", second = ""] = globSync("archive/conversations/claude_code/*/*.zst", { cwd: home.dexHome }).sort();
  const before = home.run("list", "--json").stdout;
  rmSync(join(home.dexHome, first));
  zero(join(home.dexHome, second));
  const found = home.json<Doctor>("doctor").problems;
  assert.deepEqual(
    found.map(({ code }) => code),
    ["archive_damaged", "archive_missing"],
  );
  for (const { what } of found) assert.match(what, /"[^"]+" [\w-]+, \d+ messages.*agents' own files still exist/);
  const fixed = home.json<Doctor>("doctor", "--fix");
  assert.deepEqual([fixed.problems, fixed.lost], [[], []]);
  assert.equal(home.run("list", "--json").stdout, before);
  rmSync(join(home.home, ".claude"), { recursive: true });
  rmSync(join(home.dexHome, first));
  const lost = home.json<Doctor>("doctor", "--fix");
  assert.deepEqual(lost.problems, []);
  assert.equal(lost.lost.length, 1);
  assert.match(lost.lost[0] ?? "", /The conversation "[^"]+" [\w-]+, \d+ messages\./);
});

test("history that may not be read is named by sync and doctor, and is not called missing", (t) => {
  const skip = withoutPlainUser();
  if (skip) {
    t.skip(skip);
    return;
  }
  const home = new TestHome({ samples: true });
  giveAway(home);
  const projects = join(home.home, ".claude", "projects");
  chmodSync(projects, 0);
  try {
    const sync = runAsNobody(home, "sync");
    assert.equal(sync.status, 0, sync.stderr);
    assert.match(sync.stdout, /not read: .*\.claude\/projects: it may not be read \(EACCES\)/);
    const doctor = runAsNobody(home, "doctor");
    assert.doesNotMatch(doctor.stdout, /no problems found|not found: [^\n]*Claude Code/);
    assert.match(doctor.stdout, /problem: History may not be read.*\.claude\/projects/);
    chmodSync(projects, 0o700);
    const [file = ""] = globSync("**/*.jsonl", { cwd: projects }).sort();
    chmodSync(join(projects, file), 0);
    const again = runAsNobody(home, "sync", "--json");
    const totals = JSON.parse(again.stdout) as { malformed: number; failed: { path: string; error: string }[] };
    assert.equal(totals.malformed, 0);
    assert.deepEqual(totals.failed, [{ path: join(projects, file), error: "it may not be read (EACCES)" }]);
    assert.doesNotMatch(runAsNobody(home, "search", "token").stderr, /changed since/);
    chmodSync(join(projects, file), 0o600);
    assert.match(runAsNobody(home, "sync").stdout, /^1 new/);
  } finally {
    chmodSync(projects, 0o700);
  }
});

test("a home that may not be entered is one sentence; one that can only be read answers, also with a state.db", (t) => {
  const skip = withoutPlainUser();
  if (skip) {
    t.skip(skip);
    return;
  }
  const home = synced();
  home.run("pin", "tabs, not spaces");
  giveAway(home);
  const modes = (folder: number, file: number): void => {
    for (const path of [".", ...globSync("**", { cwd: home.dexHome })]) {
      const full = join(home.dexHome, path);
      chmodSync(full, statSync(full).isDirectory() ? folder : file);
    }
  };
  try {
    modes(0o500, 0o400);
    for (const args of [["search", "refresh token"], ["pins"], ["stats"]]) {
      const answer = runAsNobody(home, ...args);
      assert.equal(answer.status, 0, `${args.join(" ")}: ${answer.stderr}`);
    }
    chmodSync(home.dexHome, 0);
    const closed = runAsNobody(home, "search", "token");
    assert.equal(closed.status, 2);
    assert.match(closed.stderr, /\.dex cannot be read \(EACCES\)/);
    chmodSync(home.dexHome, 0o700);
    chmodSync(join(home.dexHome, "index.db"), 0);
    const unread = runAsNobody(home, "search", "token");
    assert.doesNotMatch(unread.stderr, /unexpected failure|damaged/);
    chmodSync(join(home.dexHome, "index.db"), 0o600);
    chmodSync(join(home.dexHome, "state.db"), 0);
    for (const args of [[], ["pins"]]) {
      const { status, stderr } = runAsNobody(home, ...args);
      assert.deepEqual([status, /state\.db cannot be read \(EACCES\)\./.test(stderr)], [2, true], stderr);
    }
  } finally {
    chmodSync(home.dexHome, 0o700);
    modes(0o700, 0o600);
  }
});

test("a sync without news still counts as the last one; left-out history is named with its setting", () => {
  const home = synced();
  const database = new DatabaseSync(join(home.dexHome, "index.db"));
  database.prepare("UPDATE meta SET value = '1000' WHERE key = 'last_sync'").run();
  database.close();
  assert.match(home.run("sync").stdout, /^0 new/);
  const { index } = home.json<Doctor>("doctor");
  assert.ok(Date.parse(index.last_sync ?? "") > 1_000_000);
  const without = home.withVars({ DEX_SYNC_EXCLUDE_SOURCES: "codex" }).json<Doctor>("doctor");
  assert.deepEqual(without.left_out, [{ what: "Codex", setting: "sync.exclude_sources" }]);
});

test("an index of another version is said to be one by every verb that reads it, but not by hooks", async () => {
  const home = synced();
  const database = new DatabaseSync(join(home.dexHome, "index.db"));
  database.exec("PRAGMA user_version = 1");
  database.close();
  const search = home.run("search", "refresh token");
  assert.match(search.stderr, /index was made by another version/);
  assert.doesNotMatch(search.stderr, /0 history files/);
  const stale = home.run("search", "refresh token", "--no-sync");
  assert.match(stale.stdout, /refresh token/i);
  assert.match(stale.stderr, /index was made by another version of dex, so dex searched the archive/);
  const asked = home.run("ask", "Where is the refresh token?", "--in", "conversations", "--no-model");
  assert.equal(asked.stdout, "", "an answer would say that there is nothing");
  assert.match(asked.stderr, /index was made by another version/);
  const verbs = [["list"], ["suggest"], ["usage"], ["show", "latest"], ["search", "--regex", "refresh"]];
  for (const verb of [...verbs.map((each) => [...each, "--no-sync"]), ["list"], ["usage"], ["activity"]]) {
    const { status, stdout, stderr } = home.run(...verb);
    const expected = "dex: The index was made by another version of dex and has to be rebuilt; run `dex sync`.\n";
    assert.deepEqual({ status, stdout, stderr }, { status: 1, stdout: "", stderr: expected }, verb.join(" "));
  }
  const { error } = JSON.parse(home.run("list", "--no-sync", "--json").stdout) as { error: { code: string } };
  assert.equal(error.code, "outdated_index");
  const event = { session_id: "s", cwd: home.home, hook_event_name: "UserPromptSubmit", prompt: "the refresh token" };
  const hook = await fire(home, "claude", event);
  assert.deepEqual(hook, { status: 0, stdout: "{}\n", stderr: "" });
  const stats = home.run("stats");
  assert.equal(stats.status, 1);
  assert.doesNotMatch(stats.stdout, /nothing yet/);
  assert.deepEqual(
    home.json<Doctor>("doctor").problems.map(({ code }) => code),
    ["index_outdated"],
  );
  assert.equal(home.run("sync").status, 0);
  assert.equal(home.run("search", "refresh token").status, 0);
});

test("a home without an index says so, and a connection that cannot start is a problem", () => {
  const home = new TestHome();
  const empty = home.run("doctor");
  assert.match(empty.stdout, /No index yet; no agent history was found/);
  writeFileSync(
    join(home.home, ".claude.json"),
    JSON.stringify({ mcpServers: { dex: { command: "node", args: [join(home.home, "gone", "dex.js"), "serve"] } } }),
  );
  const doctor = home.run("doctor");
  assert.match(doctor.stdout, /problem: Claude Code is connected, but cannot start dex/);
  assert.doesNotMatch(doctor.stdout, /no problems found/);
});
