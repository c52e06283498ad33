/**
 * `dex hook`, the built program: events as the hosts send them (recorded, shortened), answers in their contracts, what a
 * session hears once, and the ways in which nothing is said.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { asObject, type JsonObject, parseJson } from "../../src/kernel/json.ts";
import { CONVERSATION, contextOf, fire, PATIENT, scene } from "../support/clients/hook_scene.ts";
import { answerOf, program, TestHome } from "../support/program/dex.ts";
import { HANG_MS } from "../support/program/limits.ts";
import { TestRepository } from "../support/repository.ts";

const { home, repo } = scene();

/** Fields that Claude Code and Codex send with every event. */
function claudeInput(event: string, more: JsonObject = {}): JsonObject {
  return {
    session_id: "0b3c1a52-9f0e-4f5d-8a6e-2f0b7c9d1e11",
    transcript_path: join(home.home, ".claude/projects/-p/t.jsonl"),
    cwd: repo.root,
    permission_mode: "default",
    hook_event_name: event,
    ...more,
  };
}

const start = (more: JsonObject = {}): JsonObject =>
  claudeInput("SessionStart", { source: "startup", model: "m", ...more });
const prompt = (text: string, more: JsonObject = {}): JsonObject =>
  claudeInput("UserPromptSubmit", { prompt: text, ...more });
const read = (more: JsonObject = {}): JsonObject =>
  claudeInput("PostToolUse", {
    tool_name: "Read",
    tool_input: { file_path: join(repo.root, "src/ledger.ts") },
    tool_response: { type: "text", file: { content: "…" } },
    tool_use_id: "toolu_01",
    duration_ms: 3,
    ...more,
  });

test("a session of a project that dex knows nothing about starts without a word, until files are changed", async () => {
  const bare = new TestRepository();
  bare.commit("feat: begin", { "a.txt": "a\n" });
  const begin = (session_id: string): JsonObject => start({ session_id, cwd: bare.root });
  const silent = await fire(home, "claude", begin("bare-1"));
  assert.equal(silent.stdout.trim(), "{}", silent.stderr);
  bare.write("b.txt", "b\n");
  assert.match(contextOf(await fire(home, "claude", begin("bare-2"))), /1 uncommitted file: b\.txt/);
});

test("a session starts with decisions, the branch, failing tests and the last session's work, each with its source", async () => {
  const answer = await fire(home, "claude", start({ session_id: "start" }));
  assert.equal(answer.status, 0, answer.stderr);
  assert.deepEqual(Object.keys(asObject(parseJson(answer.stdout))), ["hookSpecificOutput"]);
  const output = asObject(asObject(parseJson(answer.stdout)).hookSpecificOutput);
  assert.deepEqual(Object.keys(output), ["hookEventName", "additionalContext"]);
  assert.equal(output.hookEventName, "SessionStart");
  const text = contextOf(answer);
  assert.match(text, /whole cents.*\[docs\/adr\/0001-whole-cents\.md:\d+, 2026-01-05\]/);
  assert.match(text, /Reports are made at night only \(because: they lock the ledger\) \[decision [0-9a-f]{8}, /);
  assert.match(text, /feature\/rounding; 4 commits ahead of main; 1 uncommitted file: src\/new\.ts/);
  assert.match(text, /rounds half cents up.*\[.*report\.tap, \d{4}-/);
  assert.match(text, new RegExp(`rounding of the ledger.*\\(Claude Code\\) \\[${CONVERSATION}, `));
  assert.ok(encode(text).length <= 1200);
});

test("all hosts get the same facts in their own form", async () => {
  const gemini = { timestamp: "2026-11-01T10:00:00Z", transcript_path: "", cwd: repo.root };
  const cursor = {
    conversation_id: "c1",
    generation_id: "g1",
    model: "m",
    cursor_version: "2.4.0",
    workspace_roots: [repo.root],
    user_email: null,
    transcript_path: null,
  };
  const cases: [host: string, input: JsonObject, text: (answer: JsonObject) => unknown][] = [
    ["codex", { ...start({ session_id: "cx" }), transcript_path: null, turn_id: "t" }, specific("SessionStart")],
    [
      "gemini",
      { ...gemini, session_id: "g", hook_event_name: "SessionStart", source: "startup" },
      specific("SessionStart"),
    ],
    ["cursor", { ...cursor, hook_event_name: "sessionStart" }, only("additional_context")],
    ["opencode", { hook_event_name: "session.start", session_id: "o", cwd: repo.root, source: "resume" }, only("text")],
    ["cline", clineInput("TaskStart", "cl", { taskStart: { taskMetadata: { initialTask: "Go" } } }), notCancelled],
    ["droid", start({ session_id: "dr" }), specific("SessionStart")],
    ["qoder", start({ session_id: "qo" }), specific("SessionStart")],
    ["copilot", vscodeInput("SessionStart", "v0", { source: "new" }), specific("SessionStart")],
  ];
  for (const [host, input, text] of cases) {
    const answer = await fire(home, host, input);
    assert.equal(answer.status, 0);
    assert.match(String(text(asObject(parseJson(answer.stdout)))), /whole cents[\s\S]*feature\/rounding/, host);
  }
});

function clineInput(hookName: string, taskId: string, more: JsonObject): JsonObject {
  return { clineVersion: "4.2.0", hookName, timestamp: "1", taskId, workspaceRoots: [repo.root], userId: "u", ...more };
}

/** VS Code's own agent runs the hooks in the files of Copilot CLI and Claude Code. */
function vscodeInput(hook_event_name: string, session_id: string, more: JsonObject): JsonObject {
  return { timestamp: "2026-11-16T10:00:00.000Z", hook_event_name, session_id, cwd: repo.root, ...more };
}

test("VS Code hears each fact once, whichever of two files the hook is in", async () => {
  const input = vscodeInput("UserPromptSubmit", "v", { prompt: "Change how src/ledger.ts rounds" });
  assert.match(contextOf(await fire(home, "copilot", input)), /\n- .*\[.+\]/);
  assert.equal((await fire(home, "claude", input)).stdout, "{}\n");
});

function notCancelled(answer: JsonObject): unknown {
  assert.deepEqual([Object.keys(answer), answer.cancel], [["cancel", "contextModification"], false]);
  return answer.contextModification;
}

test("Kiro gets plain text, and nothing at all where dex has nothing to say", async () => {
  const kiro = (hook_event_name: string, more: JsonObject): JsonObject => ({
    hook_event_name,
    cwd: repo.root,
    ...more,
  });
  const started = await fire(home, "kiro", kiro("SessionStart", { session_id: "k" }));
  assert.match(started.stdout, /^(?!\{)[\s\S]*whole cents[\s\S]*feature\/rounding/);
  const asked = kiro("UserPromptSubmit", { session_id: "k2", prompt: "Change how src/ledger.ts rounds" });
  assert.match((await fire(home, "kiro", asked)).stdout, /^(?!\{)[\s\S]*\n- .*\[.+\]/);
  for (const silent of [
    asked,
    kiro("PostToolUse", { session_id: "k2", tool_name: "fs_write", tool_input: {}, tool_response: "x" }),
    "no JSON",
  ]) {
    const { status, stdout } = await fire(home, "kiro", silent);
    assert.deepEqual([status, stdout], [0, ""], JSON.stringify(silent));
  }
  const late = await fire(home, "kiro", kiro("SessionStart", { session_id: "l" }), { DEX_HOOK_BUDGET_MS: "1" });
  assert.deepEqual([late.status, late.stdout], [0, ""]);
});

/** The whole object, and nothing besides: Codex refuses fields that it does not know. */
function specific(event: string): (answer: JsonObject) => unknown {
  return (answer) => {
    const output = asObject(answer.hookSpecificOutput);
    assert.deepEqual(
      [Object.keys(answer), Object.keys(output)],
      [["hookSpecificOutput"], ["hookEventName", "additionalContext"]],
    );
    assert.equal(output.hookEventName, event);
    return output.additionalContext;
  };
}

function only(key: string): (answer: JsonObject) => unknown {
  return (answer) => {
    assert.deepEqual(Object.keys(answer), [key]);
    return answer[key];
  };
}

test("prompts and tools of every host: what passes the gate, once", async () => {
  const about = "Change how src/ledger.ts rounds";
  const file = join(repo.root, "src/ledger.ts");
  const cases: [
    host: string,
    session: string,
    input: (session: string) => JsonObject,
    text: (answer: JsonObject) => unknown,
    most: number,
  ][] = [
    ["claude", "p1", (session_id) => prompt(about, { session_id }), specific("UserPromptSubmit"), 600],
    ["claude", "p2", (session_id) => read({ session_id }), specific("PostToolUse"), 400],
    [
      "claude",
      "p3",
      (session_id) =>
        claudeInput("PostToolBatch", {
          session_id,
          tool_calls: [{ tool_name: "Edit", tool_input: { file_path: file } }],
        }),
      specific("PostToolBatch"),
      400,
    ],
    [
      "codex",
      "p4",
      (session_id) => ({
        ...read({ session_id }),
        tool_name: "Bash",
        tool_input: { command: "sed -n '1,80p' src/ledger.ts" },
      }),
      specific("PostToolUse"),
      400,
    ],
    [
      "codex",
      "p5",
      (session_id) => ({
        ...read({ session_id }),
        tool_name: "apply_patch",
        tool_input: { command: "*** Begin Patch\n*** Update File: src/ledger.ts\n@@\n-a\n+b\n*** End Patch" },
      }),
      specific("PostToolUse"),
      400,
    ],
    [
      "gemini",
      "p6",
      (session_id) => ({ session_id, cwd: repo.root, hook_event_name: "BeforeAgent", timestamp: "t", prompt: about }),
      specific("BeforeAgent"),
      600,
    ],
    [
      "gemini",
      "p7",
      (session_id) => ({
        session_id,
        cwd: repo.root,
        hook_event_name: "AfterTool",
        tool_name: "read_file",
        tool_input: { absolute_path: file },
        tool_response: { llmContent: "…" },
      }),
      specific("AfterTool"),
      400,
    ],
    [
      "cursor",
      "p8",
      (conversation_id) => ({
        conversation_id,
        workspace_roots: [repo.root],
        hook_event_name: "afterFileEdit",
        file_path: file,
        edits: [{ old_string: "a", new_string: "b" }],
      }),
      only("additional_context"),
      400,
    ],
    [
      "opencode",
      "p9",
      (session_id) => ({ session_id, cwd: repo.root, hook_event_name: "chat.message", prompt: about }),
      only("text"),
      600,
    ],
    [
      "opencode",
      "p10",
      (session_id) => ({
        session_id,
        cwd: repo.root,
        hook_event_name: "tool.execute.after",
        tool_name: "read",
        tool_input: { filePath: file },
      }),
      only("text"),
      400,
    ],
    [
      "claude",
      "p14",
      (session) =>
        vscodeInput("PostToolUse", session, {
          tool_name: "read_file",
          tool_input: { filePath: file, startLine: 1, endLine: 9 },
          tool_response: "…",
        }),
      specific("PostToolUse"),
      400,
    ],
    [
      "crush",
      "p13",
      (session_id) => ({
        event: "PreToolUse",
        session_id,
        cwd: repo.root,
        tool_name: "view",
        tool_input: { file_path: file },
      }),
      only("context"),
      400,
    ],
    [
      "cline",
      "p11",
      (taskId) => clineInput("UserPromptSubmit", taskId, { userPromptSubmit: { prompt: about, attachments: [] } }),
      notCancelled,
      600,
    ],
    [
      "cline",
      "p12",
      (taskId) =>
        clineInput("PostToolUse", taskId, {
          postToolUse: { toolName: "read_file", parameters: { path: "src/ledger.ts" }, result: "…", success: true },
        }),
      notCancelled,
      400,
    ],
  ];
  for (const [host, session, input, text, most] of cases) {
    const name = `${host} ${session}`;
    const first = await fire(home, host, input(session));
    const said = String(text(asObject(parseJson(first.stdout))));
    assert.match(said, /src\/report\.ts|rounding|whole cents/, name);
    assert.match(said, /\n- .*\[.+\]/, name);
    assert.ok(encode(said).length <= most, `${name}: ${encode(said).length} tokens`);
    const second = await fire(home, host, input(session));
    assert.equal(second.stdout, "{}\n", `${name}: the second time`);
  }
});

test("an event that takes no context, is unknown or concerns no file gets an empty answer", async () => {
  const silent: [string, JsonObject][] = [
    ["claude", claudeInput("Stop", { stop_hook_active: false })],
    ["claude", claudeInput("PreToolUse", { tool_name: "Bash", tool_input: { command: "rm -rf /" } })],
    ["claude", claudeInput("SomethingNew")],
    ["claude", read({ session_id: "bash", tool_name: "Bash", tool_input: { command: "npm test" } })],
    ["claude", prompt("", { session_id: "empty" })],
    ["claude", { hook_event_name: 7 }],
    ["claude", {}],
    ["codex", claudeInput("SubagentStop")],
    ["codex", claudeInput("PermissionRequest", { tool_name: "Bash" })],
    ["gemini", { session_id: "x", cwd: repo.root, hook_event_name: "BeforeTool", tool_name: "replace" }],
    [
      "cursor",
      {
        conversation_id: "x",
        workspace_roots: [repo.root],
        hook_event_name: "beforeSubmitPrompt",
        prompt: "src/ledger.ts",
      },
    ],
    [
      "cursor",
      { conversation_id: "x", workspace_roots: [repo.root], hook_event_name: "beforeShellExecution", command: "ls" },
    ],
    ["opencode", { session_id: "x", cwd: repo.root, hook_event_name: "session.idle" }],
    // The command line of Cline does not read these answers, so dex must not count the facts as told.
    ["cline", clineInput("agent_start", "x", { taskStart: { taskMetadata: {} } })],
    ["cline", clineInput("prompt_submit", "x", { userPromptSubmit: { prompt: "Change how src/ledger.ts rounds" } })],
    ["nobody", start()],
  ];
  for (const [host, input] of silent) {
    const answer = await fire(home, host, input);
    assert.deepEqual([answer.status, answer.stdout], [0, "{}\n"], `${host} ${JSON.stringify(input)}`);
  }
});

test("broken, missing and endless input is answered with nothing, and the log says why without repeating it", async () => {
  rmSync(join(home.dexHome, "hooks.log"), { force: true });
  for (const input of ['{"prompt": "my secret wish"', "", "[1,2]", "null", "\u0000\u0001"]) {
    const answer = await fire(home, "claude", input);
    assert.deepEqual([answer.status, answer.stdout], [0, "{}\n"], input);
  }
  const huge = await fire(home, "claude", JSON.stringify(prompt("x".repeat(17 << 20))));
  assert.deepEqual([huge.status, huge.stdout], [0, "{}\n"]);
  const log = readFileSync(join(home.dexHome, "hooks.log"), "utf8");
  assert.match(log, /claude \(event not read\): .*stdin is not a JSON object/);
  assert.match(log, /more than \d+ bytes/);
  assert.doesNotMatch(log, /secret|xxxx/);
  assert.equal(statSync(join(home.dexHome, "hooks.log")).mode & 0o777, 0o600);
});

test("the deadline holds where nothing comes on stdin", async () => {
  const env = { ...home.env, DEX_HOOK_BUDGET_MS: "150" };
  const child = spawn(process.execPath, [program, "hook", "claude"], { env, cwd: repo.root, timeout: HANG_MS });
  const answer = await answerOf(child);
  assert.deepEqual([answer.status, answer.stdout], [0, "{}\n"]);
  assert.match(readFileSync(join(home.dexHome, "hooks.log"), "utf8"), /no answer within 150 ms/);
});

test("an event that is not read yet, and a session start, have three times the usual time", async () => {
  const log = join(home.dexHome, "hooks.log");
  const lastLine = (): string => readFileSync(log, "utf8").trimEnd().split("\n").at(-1) ?? "";
  const { DEX_HOOK_BUDGET_MS: _, ...env } = home.env as Record<string, string>;
  const waiting = spawn(process.execPath, [program, "hook", "claude"], { env, cwd: repo.root, timeout: HANG_MS });
  assert.equal((await answerOf(waiting)).stdout, "{}\n");
  assert.match(lastLine(), /claude \(event not read\): late: no answer within 900 ms$/);
  assert.equal(home.run("config", "set", "hooks.budgetMs", "1").status, 0);
  try {
    await fire(home, "claude", start({ session_id: "small" }), {});
    // On a machine that is very busy, it is late before it has read the setting.
    assert.match(lastLine(), /late: .*\b(?:3|900) ms/);
  } finally {
    assert.equal(home.run("config", "reset", "hooks.budgetMs").status, 0);
  }
});

test("answered, silent and late hooks are counted by host, and doctor reports many late ones", async () => {
  const counts = join(home.dexHome, "hooks.counts");
  rmSync(counts, { force: true });
  const read = (): Record<string, number | string>[] =>
    home.json<{ outcomes: Record<string, number | string>[] }>("hooks").outcomes;
  assert.deepEqual(read(), []);
  assert.notEqual(contextOf(await fire(home, "claude", start({ session_id: "counted" }))), "");
  assert.equal(contextOf(await fire(home, "claude", start({ session_id: "counted", source: "resume" }))), "");
  await fire(home, "claude", { hook_event_name: "Stop", session_id: "counted" });
  await fire(home, "claude", start({ session_id: "off" }), { ...PATIENT, DEX_HOOKS: "off" });
  await fire(home, "codex", start({ session_id: "late" }), { DEX_HOOK_BUDGET_MS: "1" });
  const [claude, codex, ...others] = read();
  assert.deepEqual(
    [claude?.host, claude?.answered, claude?.silent, claude?.late, claude?.failed],
    ["claude", 1, 1, 0, 0],
  );
  assert.deepEqual([codex?.host, codex?.late, others], ["codex", 1, []]);
  assert.match(
    home.run("hooks").stdout,
    /Claude Code: 1 answered, 1 silent, 0 late\n.*Codex: 0 answered, 0 silent, 1 late\n/,
  );
  const codes = (): string[] => home.json<{ problems: { code: string }[] }>("doctor").problems.map(({ code }) => code);
  assert.ok(!codes().includes("hooks_late"), "three events say little");
  for (let i = 0; i < 8; i += 1) appendFileSync(counts, `${claude?.day} claude answered 1\n`);
  assert.ok(!codes().includes("hooks_late"), "one of eleven");
  appendFileSync(counts, `${claude?.day} claude late 2\n`);
  assert.ok(codes().includes("hooks_late"));
  assert.match(home.run("hooks").stdout, /3 of 13 were late: run `dex refresh`; if .*hooks\.budgetMs\./);
  rmSync(counts);
});

test("a database that another process holds makes a hook silent, not slow", async () => {
  for (const name of ["state.db", "index.db"]) {
    const holder = new DatabaseSync(join(home.dexHome, name));
    try {
      // Keeps readers out, too, and is not given back by waiting.
      holder.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
      const answer = await fire(home, "claude", start({ session_id: `blocked ${name}` }));
      assert.deepEqual([answer.status, answer.stdout], [0, "{}\n"], name);
    } finally {
      holder.exec("ROLLBACK");
      holder.close();
    }
  }
  assert.match(readFileSync(join(home.dexHome, "hooks.log"), "utf8"), /SessionStart: .*lock/i);
});

test("a resume hears nothing twice, a compaction makes all new, a fork knows what its parent knew", async () => {
  const of = async (more: JsonObject, host = "claude"): Promise<string> =>
    contextOf(await fire(home, host, start({ session_id: "ledger", ...more })));
  const first = await of({});
  assert.match(first, /whole cents/);
  assert.equal(await of({ source: "resume" }), "");
  assert.equal(await of({ session_id: "child", source: "fork", parent_session_id: "ledger" }), "");
  assert.match(await of({ session_id: "stranger", source: "fork" }), /whole cents/);
  assert.match(await of({ source: "compact" }), /whole cents/);
  assert.equal(await of({ source: "resume" }), "");
  assert.match(await of({ source: "clear" }), /whole cents/);
  // Another host's session of the same id is another session.
  assert.match(await of({ source: "resume" }, "codex"), /whole cents/);
  assert.equal(
    (await fire(home, "claude", claudeInput("PreCompact", { session_id: "ledger", trigger: "auto" }))).stdout,
    "{}\n",
  );
  assert.match(await of({ source: "resume" }), /whole cents/);
});

test("a start tells a decision in a comment within a file only if the file has uncommitted changes", async () => {
  const commented = new TestRepository();
  const above = "//\n".repeat(10);
  const head = "// The surface is deliberately small instead of complete, because every name has to stay.\n";
  const code = (size: number): string =>
    `${head}export const names = 1;\n${above}// We deliberately use one connection instead of a pool, because the server locks its file.\nexport const size = ${size};\n`;
  commented.commit("feat: begin", { "src/pool.ts": code(1), "README.md": "# Pools\n" });
  assert.equal(home.run("refresh", commented.root).status, 0);
  const begin = async (session_id: string): Promise<string> =>
    contextOf(await fire(home, "claude", start({ session_id, cwd: commented.root })));
  const told = await begin("commented-1");
  assert.doesNotMatch(told, /one connection/);
  assert.match(told, /deliberately small instead of complete.*src\/pool\.ts:1/, "the head of a file is about the file");
  commented.write("src/pool.ts", code(2));
  assert.match(await begin("commented-2"), /one connection instead of a pool.*src\/pool\.ts:\d+/);
});

test("Gemini CLI's check before every request is not a compression; /compress is one, and a resume hears the start again", async () => {
  const of = async (name: string, more: JsonObject): Promise<string> =>
    contextOf(await fire(home, "gemini", { hook_event_name: name, session_id: "squeezed", cwd: repo.root, ...more }));
  const prompt = { prompt: "Change how src/ledger.ts rounds" };
  assert.match(await of("SessionStart", { source: "startup" }), /whole cents/);
  assert.match(await of("BeforeAgent", prompt), /possibly related/);
  assert.equal(await of("PreCompress", { trigger: "auto" }), "");
  assert.equal(await of("BeforeAgent", prompt), "");
  assert.equal(await of("PreCompress", { trigger: "manual" }), "");
  assert.match(await of("BeforeAgent", prompt), /possibly related/);
  assert.match(await of("SessionStart", { source: "resume" }), /whole cents/);
  assert.equal(await of("BeforeAgent", prompt), "", "a resumed session has kept its prompts");
});

test("a changed item is new again, and no other", async () => {
  const of = async (source: string): Promise<string> =>
    contextOf(await fire(home, "claude", start({ session_id: "news", source })));
  await of("startup");
  repo.write("src/second.ts", "export const second = 2;\n");
  try {
    const text = await of("resume");
    assert.match(text, /2 uncommitted files: src\/new\.ts, src\/second\.ts/);
    assert.doesNotMatch(text, /whole cents/);
  } finally {
    rmSync(join(repo.root, "src/second.ts"));
  }
});

test("two hooks of a session at the same time tell each thing once", async () => {
  const answers = await Promise.all([1, 2, 3].map(() => fire(home, "claude", read({ session_id: "parallel" }))));
  const lines = answers.flatMap((answer) =>
    contextOf(answer)
      .split("\n")
      .filter((line) => line.startsWith("- ")),
  );
  assert.ok(lines.length > 0);
  assert.equal(new Set(lines).size, lines.length, lines.join("\n"));
});

test("a subagent has a context of its own", async () => {
  assert.notEqual(contextOf(await fire(home, "claude", read({ session_id: "agents" }))), "");
  assert.notEqual(contextOf(await fire(home, "claude", read({ session_id: "agents", agent_id: "a1" }))), "");
  assert.equal(contextOf(await fire(home, "claude", read({ session_id: "agents", agent_id: "a1" }))), "");
});

test("private words are not looked up, told or kept", async () => {
  const hidden = "<private>src/ledger.ts and the word zanzibar</private>";
  const alone = await fire(home, "claude", prompt(hidden, { session_id: "private" }));
  assert.equal(alone.stdout, "{}\n");
  const open = await fire(home, "claude", prompt("<private>never closed src/ledger.ts", { session_id: "private" }));
  assert.equal(open.stdout, "{}\n");
  assert.notEqual(
    contextOf(await fire(home, "claude", prompt(`${hidden} Change src/ledger.ts`, { session_id: "private" }))),
    "",
  );
  for (const name of ["state.db", "state.db-wal", "hooks.log"]) {
    const path = join(home.dexHome, name);
    if (existsSync(path)) assert.doesNotMatch(readFileSync(path, "latin1"), /zanzibar/, name);
  }
});

test("one switch, a setting or a file in the project keeps hooks silent", async () => {
  const silent = async (vars: Record<string, string>, session: string): Promise<boolean> =>
    (await fire(home, "claude", start({ session_id: session }), { ...PATIENT, ...vars })).stdout === "{}\n";
  assert.ok(await silent({ DEX_HOOKS: "off" }, "off 1"));
  assert.equal(home.run("hooks", "off").status, 0);
  assert.ok(await silent({}, "off 2"));
  assert.equal(home.run("hooks", "on").status, 0);
  assert.ok(!(await silent({}, "on 1")));
  assert.equal(home.run("hooks", "off", "--project").status, 0);
  assert.ok(existsSync(join(repo.root, ".dex-no-hooks")));
  assert.ok(await silent({}, "off 3"));
  assert.equal(home.run("hooks", "on", "--project").status, 0);
  assert.ok(!existsSync(join(repo.root, ".dex-no-hooks")));
  assert.ok(!(await silent({}, "on 3")));
});

test("the log says that hooks are switched off, once, and that one was late", async () => {
  const log = join(home.dexHome, "hooks.log");
  rmSync(log, { force: true });
  for (let i = 0; i < 3; i += 1) {
    await fire(home, "claude", start({ session_id: "off" }), { ...PATIENT, DEX_HOOKS: "off" });
  }
  await fire(home, "claude", start({ session_id: "late" }), { DEX_HOOK_BUDGET_MS: "1" });
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  assert.equal(lines.length, 2, lines.join("\n"));
  assert.match(lines[0] ?? "", / claude \(event not read\): switched off: DEX_HOOKS is off$/);
  assert.match(lines[1] ?? "", / late: no answer within 1 ms$/);
});

test("a prompt in which a host repeats what dex said is answered like the prompt alone", async () => {
  const asked = "How does post in src/ledger.ts round half cents?";
  const said = contextOf(
    await fire(home, "gemini", { ...start({ session_id: "g-own" }), hook_event_name: "SessionStart" }),
  );
  assert.match(said, /whole cents/);
  const before = (session: string, text: string): JsonObject =>
    claudeInput("BeforeAgent", { session_id: session, prompt: text });
  const alone = contextOf(await fire(home, "gemini", before("g-1", asked)));
  const wrapped = contextOf(
    await fire(home, "gemini", before("g-2", `<hook_context>${said}</hook_context>\n\n${asked}`)),
  );
  assert.equal(wrapped, alone);
  const only = await fire(home, "gemini", before("g-3", `<hook_context>${said}</hook_context>`));
  assert.equal(only.stdout, "{}\n");
  const suggested = (prompt: string): unknown =>
    home.json<{ suggestions: unknown }>("suggest", "--prompt", prompt, "--min-score", "0", "--no-sync").suggestions;
  assert.deepEqual(suggested(`${said}\n\n${asked}`), suggested(asked));
});

test("where dex was never used a hook says nothing and makes nothing", async () => {
  const fresh = new TestHome();
  const answer = await fire(fresh, "claude", start({ session_id: "fresh" }));
  assert.deepEqual([answer.status, answer.stdout], [0, "{}\n"]);
  assert.ok(!existsSync(fresh.dexHome));
});

test("broken settings make a hook silent, and the log names them", async () => {
  const config = join(home.dexHome, "config.yaml");
  writeFileSync(config, "hooks: [\n");
  try {
    const answer = await fire(home, "claude", start({ session_id: "broken" }));
    assert.deepEqual([answer.status, answer.stdout], [0, "{}\n"]);
    assert.match(readFileSync(join(home.dexHome, "hooks.log"), "utf8"), /SessionStart: bad_config/);
  } finally {
    rmSync(config);
  }
});

test("the log stays short", async () => {
  const log = join(home.dexHome, "hooks.log");
  writeFileSync(log, "an old line\n".repeat(40_000));
  await fire(home, "claude", "no json");
  assert.ok(statSync(log).size < 200_000);
  assert.match(readFileSync(log, "utf8"), /stdin is not a JSON object\n$/);
});
