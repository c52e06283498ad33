import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { between, pick, randomText, seeded } from "../../test/support/random.ts";
import { BUDGET_MARGIN, estimateTokens } from "../kernel/tokens.ts";
import type { Message, Part, Role } from "./model.ts";
import { chooseTokensPerMsg, ScanContext, scanLine } from "./scan.ts";

function at(time: string | undefined, role: Role, ...parts: Part[]): Message {
  return { role, parts, ...(time === undefined ? {} : { time: `2026-01-04T${time}.000Z` }) };
}

function scan(messages: Message[], tokensPerMsg: number, project?: string): string {
  const context = new ScanContext(project);
  return messages.map((message, index) => scanLine(index, message, tokensPerMsg, context)).join("\n");
}

const LOGIN: Message[] = [
  at("10:00:05", "user", { type: "text", text: "Help me implement the login\nfeature with OAuth" }),
  at(
    "10:00:12",
    "assistant",
    { type: "thinking", text: "The user wants OAuth; let me look at auth.ts." },
    { type: "text", text: "I'll help." },
    { type: "tool_call", id: "1", name: "Read", input: { file_path: "/p/src/auth.ts" } },
    { type: "tool_call", id: "2", name: "Bash", input: { command: "npm test" } },
  ),
  at("10:00:15", "tool", { type: "tool_result", id: "1", name: "Read", output: "line\n".repeat(156) }),
  at("10:00:18", "tool", {
    type: "tool_result",
    id: "2",
    name: "Bash",
    exit_code: 0,
    output: "Tests passed\n\n12 of 12\n",
  }),
  at("10:00:25", "assistant", {
    type: "tool_call",
    id: "3",
    name: "Edit",
    input: { file_path: "/p/src/auth.ts", old_string: "func a() {}", new_string: "async func a() {}" },
  }),
  at(undefined, "tool", { type: "tool_result", id: "3", output: "The file has been updated." }),
];

describe("scanLine", () => {
  test("one line a message, in the form of the plan", () => {
    assert.equal(
      scan(LOGIN, 50, "/p"),
      [
        '     0\t[user] 10:00:05 | "Help me implement the login feature with OAuth"',
        '     1\t[assistant] 10:00:12 | [thinking:45c] The user wants OAuth; let me look at auth.ts. "I\'ll help." [Read: src/auth.ts] [Bash: npm test]',
        "     2\t[tool] 10:00:15 | [Read: src/auth.ts → 156 lines]",
        '     3\t[tool] 10:00:18 | [Bash: npm test → 0] "Tests passed 12 of 12"',
        '     4\t[assistant] 10:00:25 | [Edit: src/auth.ts] old:"func a() {}" new:"async func a() {}"',
        "     5\t[tool] | [Edit: src/auth.ts → ok]",
      ].join("\n"),
    );
  });

  test("limits scale linearly", () => {
    const long = "x".repeat(10_000);
    const shown = (part: Part, role: Role, scale: number) =>
      (/x+…?/.exec(scanLine(0, at(undefined, role, part), scale, new ScanContext()))?.[0] ?? "").length;
    const table: [Part, Role, number][] = [
      [{ type: "text", text: long }, "user", 200],
      [{ type: "text", text: long }, "assistant", 80],
      [{ type: "text", text: long }, "system", 80],
      [{ type: "thinking", text: long }, "assistant", 50],
      [{ type: "tool_call", name: "Bash", input: { command: long } }, "assistant", 60],
      [{ type: "tool_result", name: "Bash", output: long }, "tool", 150],
      [{ type: "tool_result", name: "Grep", output: long }, "tool", 100],
      [{ type: "tool_result", name: "WebFetch", output: long }, "tool", 100],
      [{ type: "tool_result", name: "Task", output: long }, "tool", 100],
      [{ type: "tool_result", name: "Read", output: long }, "tool", 0],
      [{ type: "tool_call", name: "Edit", input: { file_path: "a", old_string: long } }, "assistant", 80],
    ];
    for (const [part, role, base] of table) {
      for (const scale of [25, 50, 100])
        assert.equal(shown(part, role, scale), (base * scale) / 50, `${part.type} at ${scale}`);
      assert.equal(shown(part, role, 0), 0);
    }
  });

  test("failures are told with what was said about them", () => {
    const context = new ScanContext();
    scanLine(
      0,
      at(undefined, "assistant", { type: "tool_call", id: "e", name: "Edit", input: { file_path: "a.ts" } }),
      50,
      context,
    );
    assert.equal(
      scanLine(
        1,
        at(undefined, "tool", { type: "tool_result", id: "e", output: "String not found", is_error: true }),
        50,
        context,
      ),
      '     1\t[tool] | [Edit: a.ts → error] "String not found"',
    );
    assert.equal(
      scanLine(
        2,
        at(undefined, "tool", { type: "tool_result", id: "unknown", output: "1\n2", agent: "a7" }),
        50,
        context,
      ),
      '     2\t[tool] | [result → 2 lines, agent a7] "1 2"',
    );
  });

  test("several edits in one call", () => {
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "c", new_string: "d" },
    ];
    const part: Part = { type: "tool_call", name: "MultiEdit", input: { file_path: "a.ts", edits } };
    assert.match(
      scanLine(0, at(undefined, "assistant", part), 50, new ScanContext()),
      /\[MultiEdit: a\.ts\] old:"a" new:"b" \+1 more$/,
    );
  });
});

function randomConversation(seed: number, length: number): Message[] {
  const random = seeded(seed);
  return Array.from({ length }, (_, i): Message => {
    const said = randomText(random, pick(random, [2, 30, 300]));
    const id = String(i);
    return pick(random, [
      at("10:00:00", "user", { type: "text", text: said }),
      at(
        "10:00:01",
        "assistant",
        { type: "thinking", text: said },
        { type: "tool_call", id, name: "Bash", input: { command: said } },
      ),
      at("10:00:02", "tool", { type: "tool_result", id: String(i - 1), output: said, exit_code: 0 }),
    ]);
  });
}

describe("chooseTokensPerMsg", () => {
  test("the whole scan stays within the target, and a good part of it is used", () => {
    const random = seeded(5);
    for (let round = 0; round < 30; round += 1) {
      const messages = randomConversation(round, between(random, 1, 120));
      const target = between(random, 50, 12_000);
      const chosen = chooseTokensPerMsg(messages, target);
      const tokens = (scale: number) => estimateTokens(scan(messages, scale)) * BUDGET_MARGIN;
      if (chosen === 0) {
        assert.ok(tokens(1) > target);
        continue;
      }
      assert.ok(tokens(chosen) <= target, `${tokens(chosen)} over ${target}`);
      // Letters and marks make it go up in steps, now and then one step down: a little above it must not fit.
      if (chosen < 1000) assert.ok(tokens(chosen + Math.ceil(chosen / 10) + 1) > target * 0.97);
    }
  });

  test("nothing to scan, or everything fits", () => {
    assert.equal(chooseTokensPerMsg([], 10), 1000);
    assert.equal(chooseTokensPerMsg(LOGIN, 100_000), 1000);
    assert.equal(chooseTokensPerMsg(LOGIN, 5), 0);
  });

  test("ten thousand messages are measured quickly", () => {
    const messages = Array(50).fill(randomConversation(1, 200)).flat();
    const started = performance.now();
    chooseTokensPerMsg(messages, 100_000);
    assert.ok(performance.now() - started < 3000);
  });
});
