/**
 * Branches that a person abandoned are found by a search and marked, hidden from lists, and never reported as decided or
 * done. A sync that saw the branch before it was abandoned ends with the same data as one that reads everything at once.
 */
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { TestHome } from "../support/program/dex.ts";

const ID = "7e570001-0000-4000-8000-000000000001";
const BRANCH = `${ID}~u3`;

interface Listed {
  conversations: { id: string; address: string; parent_kind?: string; message_count: number }[];
  total: number;
  hidden_abandoned: number;
}
interface Found {
  results: { id: string; parent?: string; parent_kind?: string }[];
}

const home = new TestHome();
const other = new TestHome();
const file = join(home.home, ".claude/projects/-srv-demo", `${ID}.jsonl`);

function record(uuid: string, parent: string | null, type: string, content: unknown): string {
  const message = { id: uuid, role: type, ...(type === "assistant" ? { model: "m" } : {}), content };
  const time = new Date(Date.UTC(2026, 5, 1, 12, 0, Number(uuid.slice(1)))).toISOString();
  const common = { isSidechain: false, type, message, uuid, timestamp: time, cwd: "/srv/demo", sessionId: ID };
  return `${JSON.stringify({ parentUuid: parent, ...common, entrypoint: "cli" })}\n`;
}

const say = (text: string): object[] => [{ type: "text", text }];

const START = [
  record("u1", null, "user", "Which store should the sessions use?"),
  record("u2", "u1", "assistant", say("Redis or SQLite.")),
  record("u3", "u2", "user", "We decided to use redis for the sessions, because it expires keys by itself."),
  record("u4", "u3", "assistant", [
    { type: "tool_use", id: "c1", name: "Bash", input: { command: "redis-server --port 7777" } },
  ]),
  record("u5", "u4", "user", [{ type: "tool_result", tool_use_id: "c1", content: "Ready to accept connections" }]),
  record("u6", "u5", "assistant", say("Redis runs on port 7777.")),
].join("");
const REWOUND = [
  record("u7", "u2", "user", "Keep the sessions in sqlite, there is no server to run."),
  record("u8", "u7", "assistant", say("SQLite it is.")),
].join("");

before(() => {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, START);
  assert.equal(home.run("sync").status, 0);
  assert.equal(home.json<Listed>("list").conversations[0]?.message_count, 6);
  appendFileSync(file, REWOUND);
  assert.equal(home.run("sync").status, 0);
});

test("lists hide abandoned branches and say so; short ids still name the conversation", () => {
  const list = home.json<Listed>("list");
  assert.deepEqual([list.total, list.hidden_abandoned], [1, 1]);
  assert.deepEqual(
    list.conversations.map(({ id, message_count }) => [id, message_count]),
    [[ID, 4]],
  );
  assert.match(home.run("list").stdout, /1 abandoned branch hidden; --abandoned shows it/);
  const all = home.json<Listed>("list", "--abandoned").conversations;
  assert.deepEqual(all.map(({ id, parent_kind }) => [id, parent_kind]).sort(), [
    [ID, undefined],
    [BRANCH, "abandoned"],
  ]);
  assert.equal(list.conversations[0]?.address, ID.slice(0, 8));
  assert.equal(home.json<{ conversations: { id: string }[] }>("show", ID.slice(0, 8)).conversations[0]?.id, ID);
});

test("search, show and family find an abandoned branch and say what it is", () => {
  const [hit] = home.json<Found>("search", "redis expires keys").results;
  assert.deepEqual([hit?.id, hit?.parent, hit?.parent_kind], [BRANCH, ID, "abandoned"]);
  assert.match(home.run("search", "redis expires keys").stdout, new RegExp(`abandoned branch of ${ID}`));
  assert.match(home.run("show", BRANCH).stdout, new RegExp(`abandoned branch of ${ID}`));
  assert.match(home.run("family", ID).stdout, /abandoned branch /);
});

test("nothing of it counts as run, fixed or decided", () => {
  assert.equal(home.run("how", "redis-server").status, 1);
  const decisions = home.run("summary", BRANCH, "--json");
  assert.doesNotMatch(decisions.stdout, /"decided":\s*\[\s*\{/);
});

test("reading everything at once gives the same", () => {
  mkdirSync(join(other.home, ".claude/projects/-srv-demo"), { recursive: true });
  writeFileSync(file.replace(home.home, other.home), readFileSync(file));
  other.run("sync");
  const shown = (of: TestHome): string => of.run("show", ID, BRANCH, "--json").stdout.replaceAll(of.home, "");
  assert.equal(shown(home), shown(other));
  assert.equal(home.run("doctor").status, 0);
});

test("forgetting the conversation forgets the branch, and a later one does not come back", () => {
  const answer = other.run("forget", ID, "--yes");
  assert.equal(answer.status, 0, answer.stderr);
  appendFileSync(file.replace(home.home, other.home), record("u9", "u2", "user", "Or postgres?"));
  other.run("sync");
  assert.equal(other.json<Listed>("list", "--abandoned").total, 0);
});
