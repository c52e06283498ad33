import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConversationMeta, Message } from "../../conversations/model.ts";
import { cleanLineage, cleanMessage, cleanMeta, plainId, storedPath } from "./fields.ts";

const TOKEN = "ghp_RcY5HhGmzwHsLjMqgqAu9r1gXu5tbKNm4x7Q";

test("a title is redacted before it is cut, cleaned, and cut between characters", () => {
  const title = (text: string): string | undefined =>
    cleanMeta({ id: "a", source: "codex", title: text }, "/f.jsonl").title;
  for (let at = 0; at < 230; at += 1) {
    const shown = title(`${"word ".repeat(50).slice(0, at)} ${TOKEN}`) ?? "";
    assert.ok(shown.length <= 200);
    assert.ok(!shown.includes("ghp_"), shown);
  }
  assert.equal(title("red\u001b[31m \u202egreen\n\nblue"), "red green blue");
  assert.match(title("🙂".repeat(150)) ?? "", /^(?:🙂)+…$/u);
});

test("every other field is redacted and cleaned, too", () => {
  const meta: ConversationMeta = {
    id: "a",
    source: "codex",
    project: `/srv/two  spaces/${TOKEN}/\u001b[2Jx`,
    branch: `fix/${TOKEN}`,
    model: `m ${TOKEN}`,
    parent: `up ${TOKEN}`,
    family: `first ${TOKEN}`,
    prs: [`https://ada:Tr0ub4dor3xyz@git.example/pull/1`],
  };
  const clean = cleanMeta(meta, `/home/ada/${TOKEN}/s.jsonl`);
  assert.equal(clean.project, "/srv/two  spaces/[REDACTED:github-token]/x");
  assert.equal(clean.branch, "fix/[REDACTED:github-token]");
  assert.doesNotMatch(JSON.stringify(clean), /RcY5HhGm|Tr0ub4dor/);
  const message: Message = {
    role: "assistant",
    uid: `u ${TOKEN}`,
    model: `m ${TOKEN}`,
    parts: [
      { type: "tool_call", id: TOKEN, name: `mcp ${TOKEN}`, input: {}, files: [`/a/${TOKEN}`] },
      { type: "tool_result", id: TOKEN, name: `mcp ${TOKEN}`, output: "", agent: TOKEN },
    ],
  };
  assert.doesNotMatch(JSON.stringify(cleanMessage(message).value), /RcY5HhGm/);
});

test("a secret with hidden characters in it is redacted where cleaning would join it", () => {
  const parted = `${TOKEN.slice(0, 12)}\u200b${TOKEN.slice(12)}`;
  const message: Message = {
    role: "assistant",
    model: `m ${parted}`,
    parts: [{ type: "tool_call", name: `mcp ${parted}`, input: {}, files: [`/a/${parted}`] }],
  };
  const clean = JSON.stringify(cleanMessage(message).value);
  assert.ok(!clean.includes(TOKEN), clean);
  assert.equal(clean.split("[REDACTED:github-token]").length, 4);
});

test("facts that dex's hooks inserted are not stored again; the words of a person, a tool and the model are", () => {
  const facts = "Recorded by dex about this file:\nTo look out for:\n- rounding failed [a.test.ts:3, 2026-01-05]";
  const stored = (role: Message["role"], parts: Message["parts"]): Message =>
    cleanMessage({ role, parts, uid: "u" }).value;
  const text = (value: string): Message["parts"][number] => ({ type: "text", text: value });
  const result = (output: string): Message["parts"][number] => ({ type: "tool_result", id: "c", name: "read", output });
  assert.deepEqual(stored("tool", [result(`1: a\n\n${facts}`)]).parts, [result("1: a")]);
  assert.deepEqual(stored("assistant", [result(`1: a\n\n${facts}`)]).parts, [result("1: a")]);
  assert.deepEqual(stored("user", [text("Fix it"), text(facts)]).parts, [text("Fix it")]);
  assert.deepEqual(stored("assistant", [text(facts)]).parts, [text(facts)], "the model quotes them");
  const only = stored("user", [text(facts)]);
  assert.equal(only.role, "system");
  assert.doesNotMatch(JSON.stringify(only), /rounding/);
});

test("a plain id stays; another one becomes readable, unique and stable", () => {
  const plain = [
    "5aebfe8a-1111-4222-8333-abcdefabcdef",
    "ses_4f2a",
    "aider-13b00882e044-2",
    "2026-03-02_09-15Z",
    "größe:1",
  ];
  for (const id of plain) assert.equal(plainId(id), id);
  const odd = [
    "\ud800abc",
    "\ud801abc",
    "two words",
    "two  words",
    "../../etc/passwd",
    "..",
    ".hidden",
    "a/b",
    "line\nbreak",
    "\u001b[31mred",
    `${"x".repeat(300)}1`,
    `${"x".repeat(300)}2`,
    "数".repeat(40),
    TOKEN,
    "-option",
  ];
  const made = odd.map(plainId);
  assert.equal(new Set(made).size, odd.length);
  for (const id of made) {
    assert.match(id, /^[A-Za-z0-9][A-Za-z0-9-]{0,60}$/);
    assert.equal(plainId(id), id, "an id that was made is plain");
  }
  assert.match(plainId("two words"), /^two-words-[0-9a-f]{12}$/);
  assert.deepEqual(cleanLineage({ id: "a b", forkOf: "c d" }), { id: plainId("a b"), forkOf: plainId("c d") });
  const empty = (path: string): string => cleanMeta({ id: "", source: "codex" }, path).id;
  assert.match(empty("/x/one.jsonl"), /^one-jsonl-/);
  assert.notEqual(empty("/x/one.jsonl"), empty("/y/one.jsonl"));
});

test("a path with a secret is stored without it, and is distinct from another one", () => {
  assert.equal(
    storedPath("/home/ada/.claude/projects/-srv/5aebfe8a.jsonl"),
    "/home/ada/.claude/projects/-srv/5aebfe8a.jsonl",
  );
  const other = TOKEN.replace("R", "S");
  assert.match(storedPath(`/x/${TOKEN}/a`), /^\/x\/\[REDACTED:github-token\]\/a#[0-9a-f]{12}$/);
  assert.notEqual(storedPath(`/x/${TOKEN}/a`), storedPath(`/x/${other}/a`));
});
