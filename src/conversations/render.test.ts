import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { rounds } from "../../test/support/program/limits.ts";
import { between, pick, type Random, randomText, seeded } from "../../test/support/random.ts";
import type { Json } from "../kernel/json.ts";
import { estimateTokens } from "../tokens/estimate.ts";
import { deriveCommits } from "./activity/commits.ts";
import { deriveFiles } from "./activity/derive.ts";
import type { Message, Part, Role } from "./model.ts";
import { outlineRow, outlineText } from "./outline.ts";
import { FORMATS, headLine, measureMessage, renderMessage } from "./render.ts";
import { scanWithin } from "./scan/scan.ts";

function message(role: Role, ...parts: Part[]): Message {
  return { role, parts };
}

function call(name: string, input: Json): Part {
  return { type: "tool_call", name, input };
}

const text = (said: string): Part => ({ type: "text", text: said });

describe("renderMessage", () => {
  const work = message(
    "assistant",
    { type: "thinking", text: "Look first." },
    text("I'll run the tests.\n\n- all of them"),
    call("Bash", { command: "npm test", timeout: 60_000 }),
  );
  const result = message("tool", { type: "tool_result", name: "Bash", exit_code: 1, output: "a\nb\nc\n" });

  test("full has everything", () => {
    assert.equal(
      renderMessage(work, "full"),
      "[thinking] Look first.\nI'll run the tests.\n\n- all of them\n[tool: Bash] npm test",
    );
    assert.equal(renderMessage(result, "full"), "[result: Bash, exit 1]\na\nb\nc\n");
  });

  test("stripped leaves out thinking and outputs", () => {
    assert.equal(renderMessage(work, "stripped"), "I'll run the tests.\n\n- all of them\n[tool: Bash] npm test");
    assert.equal(renderMessage(result, "stripped"), "[result: Bash, exit 1, 3 lines]");
    assert.equal(renderMessage(message("assistant", { type: "thinking", text: "Hm." }), "stripped"), undefined);
  });

  test("user_only has only the user's text", () => {
    assert.equal(renderMessage(work, "user_only"), undefined);
    assert.equal(renderMessage(message("user", text("Why?"), text("[image]")), "user_only"), "Why?\n[image]");
    assert.equal(renderMessage(message("system", text("Summary")), "user_only"), undefined);
  });

  test("an input is read as text, never as JSON", () => {
    const input = {
      file_path: "src/a.ts",
      old_string: "if (a) {\n  b();\n}",
      new_string: 'say("hi")',
      replace_all: false,
      note: null,
      ranges: [1, 2],
      edits: [
        { line: 3, text: "x\ny" },
        { line: 4, text: "z" },
      ],
      nested: { deep: { er: true } },
    };
    assert.equal(
      renderMessage(message("assistant", call("Edit", input)), "full"),
      [
        "[tool: Edit]",
        "file_path: src/a.ts",
        "old_string:",
        "  if (a) {",
        "    b();",
        "  }",
        'new_string: say("hi")',
        "ranges: 1, 2",
        "edits:",
        "  - line: 3",
        "    text:",
        "      x",
        "      y",
        "  - line: 4",
        "    text: z",
        "nested:",
        "  deep:",
        "    er: true",
      ].join("\n"),
    );
  });

  test("inputs of every shape", () => {
    const shown = (input: Json) => renderMessage(message("assistant", call("T", input)), "full");
    assert.equal(shown({}), "[tool: T]");
    assert.equal(shown(null), "[tool: T]");
    assert.equal(shown(""), "[tool: T]");
    assert.equal(shown("go"), "[tool: T] go");
    assert.equal(shown(7), "[tool: T] 7");
    assert.equal(shown("*** Begin Patch\n+x"), "[tool: T]\n*** Begin Patch\n+x");
    assert.equal(shown({ command: "a\nb" }), "[tool: T]\ncommand:\n  a\n  b");
    assert.equal(shown(["a", { b: 1 }]), "[tool: T]\n- a\n- b: 1");
    assert.equal(shown({ a: [], b: {} }), "[tool: T]\na: []\nb: {}");
    let deep: Json = "end";
    for (let i = 0; i < 5000; i += 1) deep = { in: deep };
    assert.match(shown(deep) ?? "", /^\[tool: T\]\nin:\n {2}in:/);
  });

  test("stripped calls stay short and tell what they are about", () => {
    const shown = (name: string, input: Json) =>
      renderMessage(message("assistant", call(name, input)), "stripped") ?? "";
    assert.equal(shown("Read", { file_path: "a.ts", offset: 10 }), "[tool: Read] a.ts, offset: 10");
    assert.equal(
      shown("apply_patch", "*** Begin Patch\n*** Update File: a.ts\n*** Add File: b.ts\n"),
      "[tool: apply_patch] a.ts, b.ts",
    );
    const long = shown("Write", { file_path: "a.ts", content: "word ".repeat(900) });
    assert.ok(long.startsWith("[tool: Write] a.ts, content: word word"));
    for (const line of [
      long,
      shown("Bash", { command: "echo x\n".repeat(90) }),
      shown("x".repeat(500), { a: "b".repeat(500) }),
    ]) {
      assert.ok(line.length <= 200 && !line.includes("\n"), line);
    }
  });

  test("errors, agents and nameless results", () => {
    const shown = (part: Part) => renderMessage(message("tool", part), "stripped");
    assert.equal(shown({ type: "tool_result", output: "" }), "[result: 0 lines]");
    assert.equal(
      shown({ type: "tool_result", name: "Edit", output: "no", is_error: true }),
      "[result: Edit, error, 1 line]",
    );
    assert.equal(
      shown({ type: "tool_result", name: "Task", output: "ok", agent: "a1" }),
      "[result: Task, agent a1, 1 line]",
    );
    assert.equal(renderMessage(message("tool", { type: "tool_result", output: "" }), "full"), "[result]");
  });
});

describe("headLine", () => {
  test("the first line of the text", () => {
    assert.equal(
      headLine(message("user", text("\n\n  How do I   implement auth?\nMore."))),
      "How do I implement auth?",
    );
    assert.equal(
      headLine(message("assistant", text("```\n---\n"), text("## Plan\n\nFirst the store."))),
      "## Plan First the store.",
    );
    assert.equal(
      headLine(message("user", text("Implement the following plan:\n\n# JSON by default"))),
      "Implement the following plan: # JSON by default",
    );
    const long = headLine(message("user", text("word ".repeat(1000))));
    assert.ok(long.length <= 100 && long.endsWith("word…"));
    assert.ok(headLine(message("user", text("🙂".repeat(300)))).isWellFormed());
  });

  test("else calls, results or thinking", () => {
    assert.equal(headLine(message("assistant", call("Bash", { command: "npm test" }))), "[Bash: npm test]");
    assert.equal(
      headLine(message("assistant", call("Read", { file_path: "/p/src/a.ts" }), call("LS", { path: "x" })), "/p"),
      "[Read: src/a.ts] [LS: x]",
    );
    const path = `/home/someone/${"deep/".repeat(30)}src/a.ts`;
    assert.match(
      headLine(message("assistant", call("Read", { file_path: path }))),
      /^\[Read: …\/(deep\/)+src\/a\.ts\]$/,
    );
    assert.equal(
      headLine(message("tool", { type: "tool_result", name: "Bash", exit_code: 0, output: "\nok 12\nok 13" })),
      "[Bash → exit 0, 3 lines] ok 12 ok 13",
    );
    assert.equal(
      headLine(message("assistant", { type: "thinking", text: "Hm, this is strange indeed." })),
      "[thinking] Hm, this is strange indeed.",
    );
    assert.equal(headLine(message("assistant")), "");
    const many = headLine(message("assistant", ...Array(30).fill(call("Bash", { command: "make all" }))));
    assert.match(many, /^(\[Bash: make all\] ){5}\+25$/);
  });
});

describe("outline", () => {
  test("one line per message, with the index in front", () => {
    const rows = [
      outlineRow(0, message("user", text("How do I implement auth?")), { tokens: 42 }),
      outlineRow(1, message("assistant", text("I'll help you implement JWT auth.")), { tokens: 1234 }),
      outlineRow(2, message("tool", { type: "tool_result", name: "Bash", output: "x" }), { tokens: 1 }),
    ];
    assert.equal(
      outlineText(rows),
      "0 [User] How do I implement auth? (42 tokens)\n1 [Assistant] I'll help you implement JWT auth. (1.2k tokens)\n2 [Tool] [Bash → 1 line] x (1 token)",
    );
  });

  test("the size is that of the message, not of the line", () => {
    const said = "some words ".repeat(500);
    const { tokens } = outlineRow(0, message("assistant", text(said)));
    assert.ok(Math.abs(tokens - estimateTokens(said)) <= 2);
  });
});

function randomPart(random: Random): Part {
  const size = pick(random, [0, 1, 5, 40, 400]);
  const said = randomText(random, size);
  const kind = between(random, 0, 4);
  if (kind === 0) return text(said);
  if (kind === 1) return { type: "thinking", text: said };
  if (kind === 2) return call("Bash", { command: said });
  if (kind === 3) return call("Write", { file_path: "src/a.ts", content: said, n: size, list: [said, { x: said }] });
  return { type: "tool_result", name: "Bash", output: said, ...(size > 5 ? { exit_code: 1 } : {}) };
}

describe("measureMessage", () => {
  test("agrees with the size of the rendered text", () => {
    const random = seeded(3);
    for (let round = 0; round < rounds(100, 400); round += 1) {
      const parts = Array.from({ length: between(random, 0, 6) }, () => randomPart(random));
      const said = message(pick(random, ["user", "assistant", "tool"] as const), ...parts);
      const sizes = measureMessage(said);
      for (const format of FORMATS) {
        const rendered = estimateTokens(renderMessage(said, format) ?? "");
        const off = Math.abs(sizes[format] - rendered);
        assert.ok(off <= rendered * 0.02 + 2, `${format}: measured ${sizes[format]}, rendered ${rendered}`);
      }
    }
  });
});

function randomJson(random: Random, depth: number): Json {
  const kind = between(random, 0, depth > 0 ? 7 : 4);
  if (kind === 0) return null;
  if (kind === 1) return random() < 0.5;
  if (kind === 2) return between(random, -5, 1000) / 4;
  if (kind <= 4) return randomText(random, between(random, 0, 8));
  const items = Array.from({ length: between(random, 0, 4) }, () => randomJson(random, depth - 1));
  if (kind === 5) return items;
  const keys = ["file_path", "command", "path", "edits", "files", "old_string", "__proto__", "", "input", "a b"];
  return Object.fromEntries(items.map((item) => [pick(random, keys), item]));
}

test("every form works for any input of a call", () => {
  const random = seeded(9);
  const names = ["Edit", "Bash", "Read", "Grep", "apply_patch", "Task", "", "mcp__x__y", "write_stdin"];
  for (let round = 0; round < rounds(250, 1000); round += 1) {
    const said = message("assistant", call(pick(random, names), randomJson(random, 4)));
    assert.ok(headLine(said).length <= 100);
    assert.ok((renderMessage(said, "stripped") ?? "").length <= 200);
    assert.ok(renderMessage(said, "full")?.startsWith("[tool: "));
    assert.ok(
      !scanWithin([{ index: 0, message: said }], 50)
        .lines.join("")
        .includes("\n"),
    );
    deriveFiles(said);
    deriveCommits(said);
  }
});
