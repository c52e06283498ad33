import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { leastCpu } from "../../test/support/cost.ts";
import { between, randomText, seeded } from "../../test/support/random.ts";
import { OpenCalls } from "../conversations/activity/calls.ts";
import { toolKind } from "../conversations/activity/tools.ts";
import type { ToolCallPart, ToolResultPart } from "../conversations/model.ts";
import { boundWhole, clip, clipPath, countLines, firstLine } from "./clip.ts";

describe("clip", () => {
  test("one line, within the length, marked when cut", () => {
    assert.equal(clip("  a\n\n b\tc ", 10), "a b c");
    assert.equal(clip("some words here", 11), "some words…");
    assert.equal(clip("somewords", 5), "some…");
    assert.equal(clip("some", 4), "some");
    assert.equal(clip("some", 1), "…");
    assert.equal(clip("some", 0), "");
    assert.equal(clip("some", -3), "");
  });

  test("any text: never longer, never a broken character, a beginning of the text", () => {
    const random = seeded(2);
    for (let round = 0; round < 500; round += 1) {
      const text = randomText(random, between(random, 0, 60));
      const max = between(random, 0, 120);
      const flat = text.trim().replace(/\s+/g, " ");
      for (const shown of [clip(text, max), clipPath(flat, max), firstLine(text, max)]) {
        assert.ok(shown.length <= max && shown.isWellFormed() && !shown.includes("\n"), shown);
      }
      assert.ok(flat.startsWith(clip(text, max).replace(/…$/, "")));
      assert.equal(clip(flat, max), clip(flat.replaceAll(" ", "\n\t"), max));
    }
  });

  test("does not walk through a megabyte for a line of it", () => {
    const cost = (text: string): number =>
      leastCpu(() => {
        for (let i = 0; i < 1000; i += 1) clip(text, 80);
      });
    const long = cost("word ".repeat(1 << 20));
    const short = cost("word ".repeat(1 << 10));
    assert.ok(long < 20 * short, `5 MB: ${long} µs, 5 kB: ${short} µs`);
  });
});

test("clipPath keeps the end, from a separator on when one is near", () => {
  assert.equal(clipPath("/home/me/project/src/auth/login.ts", 20), "…/src/auth/login.ts");
  assert.equal(clipPath("C:\\work\\project\\src\\a.ts", 12), "…\\src\\a.ts");
  assert.equal(clipPath("src/a.ts", 20), "src/a.ts");
  assert.equal(clipPath("averyveryverylongname.ts", 10), "…ngname.ts");
});

test("countLines counts as people do", () => {
  assert.deepEqual(["", "a", "a\n", "a\nb", "\n", "a\n\nb\n"].map(countLines), [0, 1, 1, 2, 1, 3]);
});

test("toolKind: known names, prefixed names, names it never heard", () => {
  const cases: Record<string, string> = {
    Bash: "shell",
    "functions.exec_command": "shell",
    "container.exec": "shell",
    mcp__fs__read_text_file: "read",
    mcp__fs__list_directory: "list",
    "default_api:write_file": "edit",
    str_replace_based_edit_tool: "edit",
    search_replace: "edit",
    search_files: "search",
    ReportFindings: "other",
    write_stdin: "other",
    create_issue: "other",
    "": "other",
    __: "other",
    constructor: "other",
  };
  for (const [name, kind] of Object.entries(cases)) assert.equal(toolKind(name), kind, name);
});

test("OpenCalls forgets the oldest of calls that are never answered", () => {
  const open = new OpenCalls<number>();
  const call = (id?: string): ToolCallPart => ({ type: "tool_call", name: "t", input: null, ...(id ? { id } : {}) });
  const result = (id?: string): ToolResultPart => ({ type: "tool_result", output: "", ...(id ? { id } : {}) });
  for (let i = 0; i < 1500; i += 1) {
    open.add(call(`c${i}`), i);
    open.add(call(), i);
  }
  const kept = Array.from({ length: 1500 }, (_, i) => open.take(result(`c${i}`))).filter(
    (value) => value !== undefined,
  );
  assert.deepEqual(
    kept,
    Array.from({ length: 1000 }, (_, i) => 500 + i),
  );
  assert.equal(open.take(result("c500")), undefined);
  assert.equal(open.take(result()), 500);
});

test("a text to be redacted is not cut inside a word or a character", () => {
  assert.equal(boundWhole("use it", 6), "use it");
  assert.equal(boundWhole("use ghp_0123456789", 12), "use");
  assert.equal(boundWhole("ghp_0123456789", 12), "");
  assert.equal(boundWhole("数据库迁移检查", 3), "数据库");
  assert.equal(boundWhole("ok 🙂🙂", 4), "ok");
});
