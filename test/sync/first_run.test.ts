/** The first sync as a new user meets it: offered, newest first, visible while it runs, stopped and gone on with. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, test } from "node:test";
import { dexPaths } from "../../src/config/paths.ts";
import { claudeSession, random, sessionId } from "../support/histories/generate.ts";
import { writeLongHistory } from "../support/histories/long_history.ts";
import { answerOf, TestHome } from "../support/program/dex.ts";
import { noTerminal, Terminal } from "../support/program/pty.ts";
import { until } from "../support/program/watch.ts";
import { TestRepository } from "../support/repository.ts";

let home: TestHome;
afterEach(() => home.remove());

/** Files above what is synced without a question, with messages that take a second to read. */
function largeHome(): void {
  home = new TestHome();
  writeLongHistory(home.home, 61, 28, 1 << 18, 1 << 20);
}

/** Ids in the order in which they came into the index. */
function recordedOrder(): string[] {
  const index = new DatabaseSync(join(home.dexHome, "index.db"), { readOnly: true });
  try {
    return index
      .prepare("SELECT id FROM conversations ORDER BY no")
      .all()
      .map(({ id }) => String(id));
  } finally {
    index.close();
  }
}

test("in a pipe every reading verb first indexes the newest conversations for a short time, and says what is left", () => {
  largeHome();
  const left: number[] = [];
  for (let isDone = false; !isDone && left.length < 10; ) {
    const { stderr, status } = home.run("list", "--limit", "1");
    const [, all, some] =
      /^dex: (?:Nothing is indexed yet: (28) files|(\d+) of 28 history files)[, ]/.exec(stderr) ?? [];
    assert.match(stderr, all || some ? /[;.] run `dex sync` \(.+\)\.$/im : /^$/);
    assert.equal(status, all ? 1 : 0);
    left.push(Number(all ?? some ?? 0));
    isDone = stderr === "";
  }
  assert.deepEqual(
    left,
    left.toSorted((one, other) => other - one),
    "each call continues where the last one stopped",
  );
  // A machine that is too busy to read one file in two seconds leaves all of them to a sync.
  assert.equal(home.run("sync").status, 0);
  assert.equal(home.json<{ total: number }>("list").total, 28);
});

test("without any agent's history, only an answer that found nothing says so", () => {
  home = new TestHome();
  const repo = new TestRepository(join(home.home, "lamps"));
  repo.commit("feat: one lamp", { "src/lamp.ts": "export const lamp = 1;\n" });
  const run = (...words: string[]): string => home.run(...words, "--repository", repo.root).stderr;
  assert.equal(run("history"), "");
  assert.doesNotMatch(run("suggest", "--prompt", "a second lamp in src/lamp.ts"), /history/);
  assert.equal(run("save", "Lamps are counted from one."), "");
  assert.match(run("decisions"), /^dex: No conversation is indexed yet, and no agent's history was found\./);
  assert.match(home.run("doctor").stdout, /^No history of an agent was found\.$/m);
  const stats = home.run("stats");
  assert.equal(stats.status, 0);
  assert.match(stats.stderr, /no agent's history was found/);
});

test("in a pipe an index that cannot be synced is a sentence on stderr and status 1, for every reading verb", () => {
  largeHome();
  const lock = home.lockIndex();
  try {
    for (const args of [["search", "marker1word"], ["list"], ["stats"], ["stats", "--json"], ["index"]]) {
      const answer = home.run(...args);
      assert.equal(answer.status, 1, args.join(" "));
      assert.match(
        answer.stderr,
        /^dex: Nothing is indexed yet: 28 files, \d+ MB; another dex process is syncing now\.$/m,
      );
      if (args.includes("--json")) assert.equal(JSON.parse(answer.stdout).total_conversations, 0);
    }
  } finally {
    lock.release();
  }
  const stale = home.run("list", "--no-sync");
  assert.equal(stale.status, 1);
  assert.match(stale.stderr, /Nothing is indexed yet; run `dex sync`/);
});

test("without any history there is a sentence that says where to look", () => {
  home = new TestHome();
  const answer = home.run("list");
  assert.equal(answer.status, 1);
  assert.match(answer.stderr, /no agent's history was found\. `dex doctor` shows where dex looks\./);
});

test("in a repository, dex without arguments offers a question about it", () => {
  home = new TestHome();
  assert.doesNotMatch(home.run().stdout, /dex ask/);
  home.cwd = new TestRepository().root;
  assert.match(home.run().stdout, /dex ask ".*" {2}answers from this project's documents, code and history/);
});

test("at a terminal the sync is offered, and the answer follows it", { skip: noTerminal }, async () => {
  largeHome();
  const no = new Terminal(home, ["search", "marker1word"]);
  await no.until(/Nothing is indexed yet: 28 files, \d+ MB\. Sync now \(.+\)\? \[Y\/n\] /);
  no.type("n\r");
  await no.until(/Nothing is indexed yet/);
  assert.equal(await no.ended, 1, no.screen);
  const yes = new Terminal(home, ["search", "marker1word"], { columns: 60 });
  await yes.until(/Sync now/);
  yes.type("\r");
  await yes.until(/Syncing [█░]{10} +\d+%/);
  await yes.until(/marker1word/);
  assert.equal(await yes.ended, 0, yes.screen);
  const drawn = yes.screen.split(/[\r\n]/).filter((line) => line.includes("Syncing"));
  for (const line of drawn) assert.ok([...line.replace("\u001b[2K", "")].length < 60, line);
});

test("dex install offers the first sync to a person, with its size and time", { skip: noTerminal }, async () => {
  home = new TestHome({ samples: true });
  const terminal = new Terminal(home, ["install", "claude_code"]);
  await terminal.until(/Make these changes\? \[y\/N\] /);
  terminal.type("y\r");
  await terminal.until(/Nothing is indexed yet: \d+ files, [\d.]+ kB\. Sync now \(a few seconds\)\? \[Y\/n\] /);
  terminal.type("\r");
  await terminal.until(/Claude Code: connected/);
  await terminal.until(/Indexed 4 conversations in \d+ s; agents can search them now\./);
  assert.equal(await terminal.ended, 0, terminal.screen);
  // The index is there now, so a second run does not ask.
  const again = new Terminal(home, ["install", "claude_code"]);
  await again.until(/already connected/);
  assert.equal(await again.ended, 0, again.screen);
  assert.doesNotMatch(again.screen, /Sync now/);
});

interface Installed {
  written: boolean;
  first_sync?: { status: string; files: number; bytes: number; conversations?: number };
}

test("without a terminal dex install says how to sync, and syncs with --yes", () => {
  home = new TestHome({ samples: true });
  const plain = home.run("install", "claude_code");
  assert.equal(plain.status, 0);
  assert.match(
    plain.stderr,
    /Nothing is indexed yet: \d+ files, .+\. Run `dex sync` \(a few seconds\), so that agents find something\./,
  );
  const needed = home.json<Installed>("install", "claude_code").first_sync;
  assert.equal(needed?.status, "needed");
  assert.ok((needed?.files ?? 0) > 0 && (needed?.bytes ?? 0) > 0);
  assert.equal(home.json<Installed>("install", "claude_code", "--yes", "--no-sync").first_sync?.status, "skipped");
  assert.match(home.run("list", "--no-sync").stderr, /Nothing is indexed yet/);
  assert.equal(home.json<Installed>("install", "claude_code", "--dry-run", "--force", "--yes").first_sync, undefined);
  const done = home.json<Installed>("install", "claude_code", "--yes").first_sync;
  assert.equal(done?.status, "done");
  assert.equal(done?.conversations, 4);
  assert.equal(home.json<{ conversations: unknown[] }>("list", "--no-sync").conversations.length, 4);
  assert.equal(home.json<Installed>("install", "claude_code", "--sync").first_sync, undefined, "nothing is left to do");
});

test("dex install says that there is nothing to index where no agent has a history", () => {
  home = new TestHome();
  const answer = home.run("install", "codex", "--yes");
  assert.equal(answer.status, 0);
  assert.match(answer.stderr, /No agent's history was found, so there is nothing to index yet\./);
});

test("Ctrl-C ends a sync in good order: what is read stays, the next sync goes on from there", {
  skip: noTerminal,
}, async () => {
  home = new TestHome();
  const ids = writeLongHistory(home.home, 61, 16, 1 << 20);
  const terminal = new Terminal(home, ["sync"]);
  await terminal.until(/Syncing [█░]+ +\d+%/);
  terminal.type("\u0003");
  await terminal.until(/Stopping; press Ctrl-C again to exit at once\./);
  await terminal.until(
    /Stopped\. (\d+) conversations? (is|are) indexed, \d+ files? left; the next `dex sync`\s+continues/,
  );
  assert.equal(await terminal.ended, 130, terminal.screen);
  const [, kept = "0", left = "0"] = /Stopped\. (\d+) conv.* (\d+) files? left/.exec(terminal.screen) ?? [];
  // A file whose conversation was just recorded may be read once more.
  const twice = Number(kept) + Number(left) - ids.length;
  assert.ok(twice === 0 || twice === 1, terminal.screen);
  const rest = home.json<{ new: number; unchanged: number }>("sync");
  assert.equal(rest.new, ids.length - Number(kept));
  assert.equal(rest.unchanged, Number(kept));
  assert.deepEqual(home.json<{ problems: unknown[] }>("doctor").problems, []);
});

test("a sync that waits for another one shows that it is alive, and can be stopped", { skip: noTerminal }, async () => {
  home = new TestHome({ samples: true });
  const lock = home.lockIndex();
  try {
    const terminal = new Terminal(home, ["sync"]);
    await terminal.until(/Syncing: looking for changes, \d+ s/);
    terminal.type("\u0003");
    await terminal.until(/Stopped while another dex process was syncing\./);
    assert.equal(await terminal.ended, 130, terminal.screen);
  } finally {
    lock.release();
  }
});

test("while a sync runs, readers find the messages indexed so far, and dex reports its progress", async () => {
  home = new TestHome();
  const ids = writeLongHistory(home.home, 67, 60, 1 << 20);
  const sync = home.open("sync");
  const ended = answerOf(sync);
  await until("the sync has begun", () => existsSync(dexPaths(home.env).running));
  const newest = `marker${ids.length - 1}word`;
  let told = "";
  while (sync.exitCode === null && told === "") {
    const found = await home.runBeside("search", newest);
    if (found.status === 0 && /A sync is running/.test(found.stderr)) told = found.stderr;
  }
  assert.match(told, /A sync is running: \d+ of 60 files indexed\./);
  assert.doesNotMatch(told, /run `dex sync`/);
  sync.kill("SIGINT");
  const answer = await ended;
  assert.equal(answer.status, 130, answer.stderr);
  // Those that were read are the newest, but for the few that readers had at once.
  const order = recordedOrder();
  assert.ok(order.length > 0 && order.length < ids.length);
  const oldest = Math.min(...order.map((id) => ids.indexOf(id)));
  assert.ok(oldest >= ids.length - order.length - 4, `${order.length} read, the oldest is ${oldest}`);
});

test("newest first, but a fork waits for what it repeats", () => {
  home = new TestHome();
  const folder = join(home.home, ".claude/projects/-home-sam-work");
  mkdirSync(folder, { recursive: true });
  const put = (id: string, text: string, day: number): void => {
    writeFileSync(join(folder, `${id}.jsonl`), text);
    const time = new Date(Date.UTC(2026, 2, day));
    utimesSync(join(folder, `${id}.jsonl`), time, time);
  };
  const [parent = "", fork = "", middle = ""] = [0, 1, 2].map((n) => sessionId(71, n));
  const lines = claudeSession(parent, random(71), { turns: 4 }).trimEnd().split("\n");
  const copied = lines.slice(0, 8).map((line) => line.replaceAll(`"sessionId":"${parent}"`, `"sessionId":"${fork}"`));
  put(parent, `${lines.join("\n")}\n`, 1);
  put(middle, claudeSession(middle, random(72), { turns: 2 }), 5);
  put(fork, `${copied.join("\n")}\n${claudeSession(fork, random(73), { turns: 2 })}`, 9);
  home.json("sync");
  assert.deepEqual(recordedOrder(), [parent, fork, middle]);
  const { conversations } = home.json<{ conversations: { id: string; parent?: string }[] }>("list");
  assert.equal(conversations.find(({ id }) => id === fork)?.parent, parent);
});

test("an index of another version is said to be one, and rebuilt by the next sync", () => {
  home = new TestHome({ samples: true });
  home.run("sync");
  const index = new DatabaseSync(join(home.dexHome, "index.db"));
  index.exec("PRAGMA user_version = 1");
  index.close();
  const answer = home.run("stats");
  assert.equal(answer.status, 1);
  assert.equal(
    answer.stderr,
    "dex: The index was made by another version of dex and has to be rebuilt; run `dex sync`.\n",
  );
  assert.equal(home.run("sync").status, 0);
  assert.equal(home.json<{ total_conversations: number }>("stats").total_conversations, 4);
});

test("the time of a sync that had nothing to read is kept", () => {
  home = new TestHome({ samples: true });
  home.run("sync");
  const lastSync = (): string => home.json<{ last_sync: string }>("stats", "--no-sync").last_sync;
  const first = lastSync();
  home.run("sync");
  assert.ok(lastSync() > first);
});
