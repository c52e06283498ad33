import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  call,
  newHome,
  PROJECT,
  put,
  readOnly,
  results,
  SESSION,
  say,
  Transcript,
  texts,
} from "../../../../../test/support/histories/claude.ts";
import { CollectingSink, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import type { Json, JsonObject } from "../../../../kernel/json.ts";
import { claudeCodeHistory } from "./source.ts";

describe("tool results", () => {
  const one = (content: Json, structured?: Json, fields: JsonObject = {}, name = "Bash"): JsonObject => {
    const t = new Transcript().prompt("go").answer("a", call("c", name)).result("c", content, structured, fields);
    return results(readOnly(t))[0] ?? {};
  };
  const shell = { stdout: "out", stderr: "", interrupted: false };

  it("carries name, error and exit code where they are known", () => {
    assert.deepEqual(one("out", shell), { type: "tool_result", id: "c", name: "Bash", output: "out", exit_code: 0 });
    const failed = one("Exit code 127\nnot found", "Error: Exit code 127\nnot found", { is_error: true });
    assert.deepEqual([failed.is_error, failed.exit_code], [true, 127]);
    assert.equal(one("", { ...shell, stdout: "", returnCodeInterpretation: "No matches found" }).exit_code, 1);
    assert.equal(one("out", { ...shell, interrupted: true }).exit_code, undefined);
    assert.equal(one("started", { ...shell, backgroundTaskId: "b1" }).exit_code, undefined);
    assert.equal(one("text", { type: "text", file: {} }, {}, "Read").exit_code, undefined);
    const refused = one("<tool_use_error>No such file</tool_use_error>", "Error", { is_error: true }, "Read");
    assert.deepEqual([refused.output, refused.exit_code], ["No such file", undefined]);
  });

  it("names the subagent's conversation", () => {
    assert.equal(one([say("done")], { agentId: "abc", status: "completed" }, {}, "Agent").agent, "agent-abc");
  });

  it("takes the structure where the text is empty or cut, and cuts reminders", () => {
    assert.equal(one("", { ...shell, stdout: "a", stderr: "b" }).output, "a\nb");
    assert.equal(
      one("fir\n\n... [9 lines truncated] ...", { ...shell, stdout: "first\n".repeat(9) }).output,
      "first\n".repeat(9),
    );
    assert.equal(one("", { filenames: ["a.ts", "b.ts"] }, {}, "Glob").output, "a.ts\nb.ts");
    assert.equal(one("", { file: { content: "text" } }, {}, "Read").output, "text");
    assert.equal(one("code\n\n<system-reminder>\nBe careful\n</system-reminder>\n").output, "code");
    assert.equal(one([{ type: "tool_reference", tool_name: "WebFetch" }]).output, "WebFetch");
  });

  it("puts all results of a record into one message", () => {
    const t = new Transcript().prompt("go").answer("a", call("c", "Read"), call("d", "Grep"));
    const block = (id: string): JsonObject => ({ type: "tool_result", tool_use_id: id, content: `of ${id}` });
    t.chain({ type: "user", message: { role: "user", content: [block("c"), block("d"), say("and hurry")] } });
    const { messages } = readOnly(t);
    assert.deepEqual(texts(messages).slice(2), ["tool: =of c | =of d", "user: and hurry"]);
    assert.deepEqual(
      messages[2]?.parts.map((part) => part.type === "tool_result" && part.name),
      ["Read", "Grep"],
    );
  });
});

describe("spilled outputs", () => {
  /** Reads a session whose one result names `path` as the location of its full output. */
  const spilled = (path: string, prepare: (home: string) => void, file = `${SESSION}.jsonl`): string => {
    const home = newHome();
    prepare(home);
    const text = `<persisted-output>\nOutput too large. Full output saved to: ${path}\n\nPreview:\nfirst`;
    const t = new Transcript().prompt("go").answer("a", call("c", "Bash"));
    put(home, file, t.result("c", text, { stdout: "fallback ".repeat(40), stderr: "" }).text);
    const sink = new CollectingSink();
    readAll(claudeCodeHistory, testEnv(home), sink);
    return String(results(sink.only())[0]?.output);
  };
  const inside = (name: string): string => `/home/other/.claude/projects/p/${SESSION}/tool-results/${name}`;
  const write = (name: string, text: string) => (home: string) =>
    void put(home, `${SESSION}/tool-results/${name}`, text);

  it("are read from the session's own folder, for its subagents too", () => {
    assert.equal(spilled(inside("b1.txt"), write("b1.txt", "all of it")), "all of it");
    const agent = `${SESSION}/subagents/agent-a.jsonl`;
    assert.equal(spilled(inside("b1.txt"), write("b1.txt", "all of it"), agent), "all of it");
    assert.equal(spilled(inside("b1.txt"), write("b1.txt", "all of it"), "agent-a.jsonl"), "all of it");
    const windows = `C:\\Users\\me\\.claude\\projects\\p\\${SESSION}\\tool-results\\b1.txt`;
    assert.equal(spilled(windows, write("b1.txt", "all of it")), "all of it");
  });

  it("are never read from anywhere else", () => {
    const secret = (home: string): void => {
      put(home, "secret.txt", "SECRET");
      put(home, "other/tool-results/b1.txt", "SECRET");
      put(home, `${SESSION}/tool-results/b1.txt`, "of another call");
      mkdirSync(join(home, ".claude/projects", PROJECT, SESSION, "tool-results"), { recursive: true });
      symlinkSync("../../secret.txt", join(home, ".claude/projects", PROJECT, SESSION, "tool-results/link.txt"));
    };
    for (const path of [
      "/etc/passwd",
      inside("../../secret.txt"),
      inside(".."),
      inside("link.txt"),
      inside("missing.txt"),
      "/x/other/tool-results/b1.txt",
    ])
      assert.equal(spilled(path, secret), "fallback ".repeat(40), path);
  });

  it("are bounded", () => {
    assert.equal(spilled(inside("big.txt"), write("big.txt", "x".repeat(3 << 20))).length, 2 << 20);
  });
});
