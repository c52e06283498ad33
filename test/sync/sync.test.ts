/** Sync as users meet it: incremental, selective, and honest about what it left out. */
import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, test } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import { dumpHome } from "../support/dump.ts";
import { claudeSession, random, sessionId, writeClaudeHistory } from "../support/histories/generate.ts";
import { TestHome } from "../support/program/dex.ts";

let home: TestHome;
afterEach(() => home.remove());

interface Totals {
  new: number;
  updated: number;
  unchanged: number;
  malformed: number;
  redactions: number;
}

function put(path: string, text: string): string {
  const full = join(home.home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

function archivedText(): string {
  const folder = join(home.dexHome, "archive/conversations");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".zst"))
    .map((path) => zstdDecompressSync(readFileSync(join(folder, path))).toString())
    .join("\n");
}

test("a session that grows is followed, line by line, and equals one read whole", () => {
  home = new TestHome();
  const id = sessionId(5, 0);
  const lines = claudeSession(id, random(5), { turns: 6 }).trimEnd().split("\n");
  const file = put(`.claude/projects/-home-sam-work/${id}.jsonl`, "");
  for (const [i, line] of lines.entries()) {
    // Half a line first: the agent is writing it right now.
    appendFileSync(file, line.slice(0, 20));
    if (i % 4 === 0) home.json<Totals>("sync");
    appendFileSync(file, `${line.slice(20)}\n`);
    if (i % 3 === 0) assert.equal(home.json<Totals>("sync").malformed, 0);
  }
  home.json<Totals>("sync");
  const grown = dumpHome(home.dexHome);
  rmSync(home.dexHome, { recursive: true });
  home.json<Totals>("sync");
  const whole = dumpHome(home.dexHome);
  assert.deepEqual(grown.messages, whole.messages);
  assert.deepEqual(grown.words, whole.words);
  assert.deepEqual(grown.conversations, whole.conversations);
});

test("reading commands pick up what changed; --no-sync does not; a change that is left is announced", () => {
  home = new TestHome();
  const [id = ""] = writeClaudeHistory(home.home, 21, { sessions: 1, turns: 3 });
  assert.equal(home.json<{ total: number }>("list", "--no-sync").total, 0);
  assert.equal(home.json<{ total: number }>("list").total, 1);
  const file = join(home.home, ".claude/projects/-home-sam-work", `${id}.jsonl`);
  const say = (text: string): void =>
    appendFileSync(
      file,
      `${JSON.stringify({ type: "user", uuid: text.slice(0, 12), sessionId: id, timestamp: "2026-03-30T10:00:00.000Z", cwd: "/home/sam/work", message: { role: "user", content: text } })}\n`,
    );
  say("please check the walrus");
  assert.equal(home.run("search", "walrus", "--no-sync").status, 1);
  assert.equal(home.run("search", "walrus").status, 0);
  for (let i = 0; i < 40; i += 1) say(`padding ${i} ${"x".repeat(1 << 20)}`);
  const lock = home.lockIndex();
  try {
    const stale = home.run("search", "walrus");
    assert.equal(stale.status, 0);
    assert.match(
      stale.stderr,
      /1 history file \(4\d MB\) changed since the last sync; another dex process is syncing now/,
    );
  } finally {
    lock.release();
  }
});

test("secrets are gone before anything is written", () => {
  home = new TestHome();
  const secret = ["ghp", "R4nd0mLooking9Secret8Value7For6Tests5x"].join("_");
  const id = sessionId(31, 1);
  const record = {
    type: "user",
    uuid: "u1",
    sessionId: id,
    timestamp: "2026-03-01T10:00:00.000Z",
    cwd: "/home/sam/work",
    message: { role: "user", content: `deploy with ${secret} please` },
  };
  put(`.claude/projects/-home-sam-work/${id}.jsonl`, `${JSON.stringify(record)}\n`);
  assert.equal(home.json<Totals>("sync").redactions, 1);
  assert.ok(!archivedText().includes(secret));
  assert.ok(!readFileSync(join(home.dexHome, "index.db")).includes(secret.toLowerCase().slice(4, 20)));
  assert.match(home.run("show", id).stdout, /\[REDACTED:/);
  assert.match(home.run("list").stdout, /\[REDACTED:/);
});

test("history that the settings exclude is not read, until they change", () => {
  home = new TestHome({ samples: true });
  const config = join(home.dexHome, "config.yaml");
  mkdirSync(home.dexHome);
  writeFileSync(config, 'sync:\n  exclude: ["/home/sam/notes-api"]\n  exclude_sources: [codex]\n');
  assert.equal(home.json<Totals>("sync").new, 0);
  writeFileSync(config, "sync:\n  exclude_sources: [codex]\n");
  assert.equal(home.json<Totals>("sync").new, 3);
  rmSync(config);
  assert.equal(home.json<Totals>("sync").new, 1);
  writeFileSync(config, "sync:\n  exlude: []\n");
  const wrong = home.run("list");
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /unknown setting "sync.exlude"/);
});

test("--source and --project read only those; sessions of programs are left out unless asked for", () => {
  home = new TestHome({ samples: true });
  const headless = claudeSession(sessionId(77, 0), random(77), { turns: 1 }).replaceAll(
    '"type":"user"',
    '"type":"user","entrypoint":"sdk-ts"',
  );
  put(`.claude/projects/-home-sam-work/${sessionId(77, 0)}.jsonl`, headless);
  assert.equal(home.json<Totals>("sync", "--source", "codex").new, 1);
  assert.equal(home.json<Totals>("sync", "--project", "no-such").new, 0);
  assert.equal(home.json<Totals>("sync").new, 3);
  home.vars.DEX_SYNC_HEADLESS = "true";
  assert.equal(home.json<Totals>("sync").new, 1);
});

test("a fork stores only its new messages and names its parent", () => {
  home = new TestHome();
  const parent = sessionId(41, 0);
  const fork = sessionId(41, 1);
  const lines = claudeSession(parent, random(41), { turns: 4 }).trimEnd().split("\n");
  const folder = ".claude/projects/-home-sam-work";
  put(`${folder}/${parent}.jsonl`, `${lines.join("\n")}\n`);
  const copied = lines.slice(0, 8).map((line) => line.replaceAll(`"sessionId":"${parent}"`, `"sessionId":"${fork}"`));
  const own = claudeSession(fork, random(42), { turns: 2 }).trimEnd().split("\n");
  put(`${folder}/${fork}.jsonl`, `${[...copied, ...own].join("\n")}\n`);
  home.json<Totals>("sync");
  interface Listed {
    conversations: { id: string; parent?: string; message_count: number }[];
  }
  const listed = home.json<Listed>("list").conversations;
  assert.equal(listed.find(({ id }) => id === fork)?.parent, parent);
  assert.equal(listed.find(({ id }) => id === fork)?.message_count, 6);
  assert.equal(listed.find(({ id }) => id === parent)?.message_count, 12);
});

test("files that dex writes are readable by the user alone", () => {
  home = new TestHome({ samples: true });
  home.run("sync");
  for (const path of readdirSync(home.dexHome, { recursive: true, encoding: "utf8" })) {
    const { mode } = statSync(join(home.dexHome, path));
    assert.equal(mode & 0o077, 0, `${path} is ${(mode & 0o777).toString(8)}`);
  }
});

test("a file that was moved away and back is not doubled", () => {
  home = new TestHome({ samples: true });
  home.run("sync");
  const before = home.run("list", "--json").stdout;
  renameSync(join(home.home, ".codex"), join(home.home, "codex-elsewhere"));
  home.vars.CODEX_HOME = join(home.home, "codex-elsewhere");
  const totals = home.json<Totals>("sync");
  assert.equal(totals.new, 0);
  assert.equal(home.run("list", "--json").stdout, before);
});
