/**
 * The moments besides starts, prompts and files, with the built program: before an edit or a command, at the end of a
 * session, the status line; and how each is switched off by name.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { asObject, type JsonObject, parseJson } from "../../src/kernel/json.ts";
import { contextOf, fire, PATIENT } from "../support/clients/hook_scene.ts";
import { type Turn, writeDialogue } from "../support/histories/dialogue.ts";
import { answerOf, program, TestHome } from "../support/program/dex.ts";
import { HANG_MS } from "../support/program/limits.ts";
import { until } from "../support/program/watch.ts";
import { GIT_VARS, TestRepository } from "../support/repository.ts";

const DAY_MS = 86_400_000;
const OLDEST = "bbbbbbbb-0000-4000-8000-00000000000f";
const ZEROTH = "bbbbbbbb-0000-4000-8000-000000000000";
const FIRST = "bbbbbbbb-0000-4000-8000-000000000001";
const SECOND = "bbbbbbbb-0000-4000-8000-000000000002";
const THIRD = "bbbbbbbb-0000-4000-8000-000000000003";

const GUESSED = "export const rise = guessFromTheMoon(latitude);";
const LOOKED_UP = "export const rise = tableOfSunrises[latitude];";

const home = new TestHome({ vars: { ...GIT_VARS } });
const repo = planted();

/**
 * A command that failed in two sessions, one that failed and then passed, a reverted change, a rejected package, and an
 * edit that a later session made in the opposite direction.
 */
function planted(): TestRepository {
  const repository = new TestRepository();
  repository.clock = Date.now() - 6 * DAY_MS;
  repository.commit("feat: begin", {
    "src/tide.ts": "export const high = 1;\n",
    "src/moon.ts": "export const full = 1;\n",
    "src/sun.ts": `${GUESSED}\n`,
  });
  const cached = repository.commit("perf: cache the tables of tides", { "src/tide.ts": "export const high = 2;\n" });
  repository.clock += 2 * DAY_MS;
  repository.git("revert", "--no-edit", cached);
  repository.commit(
    "build: read calendars with `luxon`\n\nRejected: moment | it is frozen\nDecision: read calendars with luxon",
    {
      "src/moon.ts": 'import { DateTime } from "luxon";\n',
    },
  );
  const edit = (file: string): Turn => ({
    tool: "Edit",
    input: { file_path: join(repository.root, file), old_string: "a", new_string: "b" },
  });
  const say = (id: string, days: number, turns: readonly Turn[]): void =>
    writeDialogue(home.home, id, turns, { cwd: repository.root, start: Date.now() - days * DAY_MS });
  const replace = (old_string: string, new_string: string): Turn => ({
    tool: "Edit",
    input: { file_path: join(repository.root, "src/sun.ts"), old_string, new_string },
  });
  say(OLDEST, 5, [
    { user: "use zod instead of joi for settings in src/tide.ts" },
    { agent: "The settings are checked with zod." },
    { user: "And we don't use axios here, it is too big" },
    { agent: "There is none." },
  ]);
  say(ZEROTH, 4, [
    { user: "Look sunrises up in a table" },
    replace(`// The sun\n${GUESSED}`, `// The sun\n${LOOKED_UP}`),
    { agent: "They are looked up now." },
  ]);
  say(FIRST, 3, [
    { user: "Check the tides" },
    replace(LOOKED_UP, GUESSED),
    { command: "npm run check", output: "error: tide.ts is not typed", failed: true },
    { command: "npm run once", output: "error: only this time", failed: true },
    { command: "npm run once", output: "fine" },
    { agent: "The check fails." },
  ]);
  say(SECOND, 2, [
    { user: "Make high tide exact" },
    edit("src/tide.ts"),
    {
      command: `cd ${repository.root} && npm run check 2>&1 | tail -20`,
      output: "> check\nerror: tide.ts is still not typed",
      failed: true,
    },
    { command: "npm test", output: "# fail 0" },
    {
      agent:
        "High tide is exact now.\n\n## Next steps\n\n1. Type the tables of tides\n2. Ask the harbour for low tide\n",
    },
  ]);
  home.cwd = repository.root;
  const run = home.run("refresh");
  if (run.status !== 0) throw new Error(`${run.stderr}${run.stdout}`);
  return repository;
}

function claude(event: string, session_id: string, more: JsonObject = {}): JsonObject {
  return { session_id, cwd: repo.root, hook_event_name: event, transcript_path: null, ...more };
}

const bash = (session: string, command: string): JsonObject =>
  claude("PreToolUse", session, { tool_name: "Bash", tool_input: { command }, tool_use_id: "t" });
const edit = (session: string, file: string, text = "x"): JsonObject =>
  claude("PreToolUse", session, {
    tool_name: "Edit",
    tool_input: { file_path: join(repo.root, file), old_string: "a", new_string: text },
  });

test("before a command the model hears that its last runs failed, once, and no permission is decided", async () => {
  for (const host of ["claude", "codex"]) {
    const answer = await fire(home, host, bash("c1", "npm run check | head -5"));
    const output = asObject(asObject(parseJson(answer.stdout)).hookSpecificOutput);
    assert.deepEqual(Object.keys(output), ["hookEventName", "additionalContext"], host);
    const text = contextOf(answer);
    assert.match(
      text,
      /\n- The last 2 runs of `npm run check` failed: error: tide\.ts is still not typed \[bbbb\S+2#\d+, /,
    );
    assert.ok(encode(text).length <= 160);
    assert.equal((await fire(home, host, bash("c1", "npm run check"))).stdout, "{}\n", `${host}: the second time`);
  }
});

test("a command that passed in the end, looks around, runs elsewhere or is the session's own is not mentioned", async () => {
  const silent = ["npm run once", "ls -la", "cd /elsewhere && npm run check"];
  for (const command of silent) {
    assert.equal((await fire(home, "claude", bash("c2", command))).stdout, "{}\n", command);
  }
  assert.equal((await fire(home, "claude", bash(SECOND, "npm run check"))).stdout, "{}\n", "one other run remains");
});

test("hosts that take no context before a command get it after one that failed", async () => {
  const command = "npm run check";
  const shell = (session_id: string, hook_event_name: string, tool_name: string, more: JsonObject): JsonObject => ({
    session_id,
    conversation_id: session_id,
    cwd: repo.root,
    workspace_roots: [repo.root],
    hook_event_name,
    tool_name,
    tool_input: { command },
    ...more,
  });
  const copilot = (sessionId: string, code: number): JsonObject => ({
    sessionId,
    timestamp: 1,
    cwd: repo.root,
    toolName: "bash",
    toolArgs: { command },
    toolResult: { resultType: "success", textResultForLlm: `no\n<exited with exit code ${code}>` },
  });
  const cases: [host: string, input: (session: string, code: number) => JsonObject][] = [
    [
      "gemini",
      (id, code) =>
        shell(id, "AfterTool", "run_shell_command", {
          tool_response: { llmContent: `Output: no\nExit Code: ${code}` },
        }),
    ],
    ["cursor", (id, code) => shell(id, "postToolUse", "Shell", { tool_output: JSON.stringify({ exitCode: code }) })],
    ["opencode", (id, code) => shell(id, "tool.execute.after", "bash", { tool_result: `exit code: ${code}` })],
    ["copilot", copilot],
  ];
  for (const [host, input] of cases) {
    assert.equal((await fire(home, host, input("after-ok", 0))).stdout, "{}\n", host);
    assert.match((await fire(home, host, input("after", 1))).stdout, /The last 2 runs of `npm run check` failed/, host);
  }
});

test("before an edit the model hears of a reverted change and of a rejected alternative", async () => {
  const reverted = contextOf(await fire(home, "claude", edit("e1", "src/tide.ts")));
  assert.match(
    reverted,
    /A change of src\/tide\.ts was reverted 2 days later: "perf: cache the tables of tides" \[[0-9a-f]{12}, /,
  );
  assert.equal((await fire(home, "claude", edit("e1", "src/tide.ts"))).stdout, "{}\n");
  const rejected = contextOf(await fire(home, "claude", edit("e2", "src/moon.ts", 'import moment from "moment";')));
  assert.match(rejected, /Decided against:\n- .*luxon/);
  assert.equal((await fire(home, "claude", edit("e3", "src/moon.ts", "export const empty = 0;"))).stdout, "{}\n");
  assert.match(contextOf(await fire(home, "claude", bash("e4", "npm install moment"))), /Decided against:\n- .*luxon/);
  const after = (toolName: string): JsonObject => ({
    sessionId: "e5",
    cwd: repo.root,
    toolName,
    toolArgs: { path: "src/tide.ts" },
    toolResult: {},
  });
  // Agents read a file before they edit it: facts about the edit are new, even if those about the file are not.
  const open = { ...PATIENT, DEX_PROACTIVE_MIN_RELEVANCE_SCORE: "0.3" };
  assert.match((await fire(home, "copilot", after("view"), open)).stdout, /Recorded by dex about this file/);
  assert.match((await fire(home, "copilot", after("edit"))).stdout, /"additionalContext":".*was reverted 2 days later/);
});

test("a package that a person rejected in a conversation is mentioned when it comes back, and only then", async () => {
  const told = async (event: JsonObject): Promise<string> => (await fire(home, "claude", event)).stdout;
  const comesBack: JsonObject[] = [
    bash("p1", "npm install --save joi@17 && npm test"),
    bash("p2", "cd . && pnpm add yup joi"),
    edit("p3", "src/moon.ts", 'import Joi from "joi";\nexport const full = 1;\n'),
    edit("p4", "package.json", '  "dependencies": {\n    "joi": "^17.0.0"\n  }\n'),
  ];
  for (const event of comesBack) assert.match(await told(event), /Decided against:\\n- use zod instead of joi/);
  assert.match(await told(bash("p5", "yarn add axios")), /Decided against:\\n- And we don't use axios here/);
  const others: JsonObject[] = [
    bash("q1", "npm install joist"),
    bash("q2", "grep -rn joi src"),
    bash("q3", "npm uninstall joi"),
    bash("q4", "npm install zod"),
    edit("q5", "src/moon.ts", "// we had joi once\nexport const joi = 1;\n"),
    edit("q6", "src/moon.ts", 'import { joi } from "./joi.ts";\n'),
  ];
  for (const event of others) assert.equal(await told(event), "{}\n", JSON.stringify(event));
});

test("before an edit the model hears that a later conversation made the opposite edit", async () => {
  const opposite = /took an edit of src\/sun\.ts back, after the request: "(.*)" \[(\S+), /;
  const [, request, place] = opposite.exec(contextOf(await fire(home, "claude", edit("o1", "src/sun.ts")))) ?? [];
  assert.equal(request, "Check the tides", "the request behind the opposite edit");
  assert.match(place ?? "", /^bbbb\S*1#\d+$/);
  assert.equal((await fire(home, "claude", edit("o1", "src/sun.ts"))).stdout, "{}\n", "the second time");
  assert.equal((await fire(home, "claude", edit("o2", "src/moon.ts"))).stdout, "{}\n", "another file");
});

test("a session starts with what the last one did and left open", async () => {
  const text = contextOf(await fire(home, "claude", claude("SessionStart", "s1", { source: "startup" })));
  const [, last = ""] = /Last session here:\n([\s\S]*?)\n[A-Z]/.exec(text) ?? [];
  assert.match(last, /Make high tide exact \(Claude Code\): edited src\/tide\.ts; `npm test` passed last \[bbbb\S+2, /);
  assert.match(last, /left open: Type the tables of tides; Ask the harbour for low tide \[/);
  assert.ok(encode(last).length <= 120, `${encode(last).length} tokens`);
});

test("Copilot CLI: a session's start, a prompt whose text is repeated, and an end", async () => {
  const start = { sessionId: "cp", timestamp: 1, cwd: repo.root, source: "new" };
  const first = asObject(parseJson((await fire(home, "copilot", start)).stdout));
  assert.deepEqual(Object.keys(first), ["additionalContext"]);
  const prompt = "Change how src/tide.ts computes high tide";
  const asked = { sessionId: "cp2", timestamp: 1, cwd: repo.root, prompt, transformedPrompt: `<now/>\n${prompt}` };
  const second = asObject(parseJson((await fire(home, "copilot", asked)).stdout));
  assert.deepEqual(Object.keys(second), ["modifiedTransformedPrompt"]);
  assert.ok(String(second.modifiedTransformedPrompt).startsWith(`<now/>\n${prompt}\n\nRecorded by dex`));
  for (const other of [{ toolName: "bash", toolArgs: {} }, { prompt }, { error: {} }, { reason: "user_exit" }]) {
    const answer = await fire(home, "copilot", { sessionId: "cp3", cwd: repo.root, ...other });
    assert.deepEqual([answer.status, answer.stdout], [0, "{}\n"]);
  }
});

test("the end of a session makes its work known to the next one", async () => {
  const turns: Turn[] = [
    { user: "Add low tide" },
    { tool: "TodoWrite", input: { todos: [{ content: "Draw the curve of low tide", status: "pending" }] } },
    { agent: "Low tide is there." },
  ];
  writeDialogue(home.home, THIRD, turns, { cwd: repo.root, start: Date.now() - 60_000 });
  const stamps = join(home.dexHome, "watch");
  rmSync(stamps, { recursive: true, force: true });
  const off = await fire(home, "claude", claude("SessionEnd", THIRD, { reason: "exit" }), {
    ...PATIENT,
    DEX_HOOKS_OFF: "end",
  });
  assert.equal(off.stdout, "{}\n");
  const vars = { ...PATIENT, DEX_HOOKS_REFRESH: "true" };
  assert.equal((await fire(home, "claude", claude("SessionEnd", THIRD, { reason: "exit" }), vars)).stdout, "{}\n");
  let sessions = 0;
  await until("the next session knows of low tide", async () => {
    sessions += 1;
    const event = claude("SessionStart", `next ${sessions}`, { source: "startup" });
    const text = contextOf(await fire(home, "claude", event));
    return /Add low tide \(Claude Code\)[\s\S]*left open: Draw the curve of low tide/.test(text);
  });
});

test("every moment is switched off by name, in the settings and in the environment", async () => {
  const said = async (input: JsonObject, vars: Record<string, string> = {}): Promise<boolean> =>
    (await fire(home, "claude", input, { ...PATIENT, ...vars })).stdout !== "{}\n";
  const start = (session: string): JsonObject => claude("SessionStart", session, { source: "startup" });
  assert.equal(await said(bash("m1", "npm run check"), { DEX_HOOKS_OFF: "command, file" }), false);
  assert.equal(await said(edit("m1", "src/tide.ts"), { DEX_HOOKS_OFF: "command" }), true);
  assert.equal(await said(bash("m2", "npm run check"), { DEX_HOOKS: "start,prompt" }), false);
  assert.equal(await said(start("m2"), { DEX_HOOKS: "start,prompt" }), true);
  assert.equal(home.run("config", "set", "hooks.moments.command", "false").status, 0);
  try {
    assert.equal(await said(bash("m3", "npm run check")), false);
    assert.equal(await said(edit("m3", "src/tide.ts")), true);
    const { moments } = home.json<{ moments: Record<string, boolean> }>("hooks");
    assert.deepEqual(
      Object.entries(moments).filter(([, isOn]) => !isOn),
      [["command", false]],
    );
    assert.match(home.run("hooks").stdout, /Switched off: command /);
  } finally {
    home.run("config", "reset", "hooks.moments.command");
  }
});

async function statusline(input: JsonObject, vars: Record<string, string> = {}): Promise<string> {
  const env = { ...home.env, ...vars };
  const child = spawn(process.execPath, [program, "statusline"], { cwd: home.home, env, timeout: HANG_MS });
  child.stdin.end(JSON.stringify(input));
  const answer = await answerOf(child);
  assert.deepEqual([answer.status, answer.stderr], [0, ""]);
  return answer.stdout;
}

test("the status line tells conversations, facts given to this session and late hooks", async () => {
  rmSync(join(home.dexHome, "hooks.counts"), { force: true });
  await fire(home, "claude", bash("line", "npm run check"));
  const input = { session_id: "line", cwd: repo.root, model: { id: "m" }, workspace: { current_dir: repo.root } };
  assert.match(await statusline(input), /^dex \d conversations · 1 fact given\n$/);
  await fire(home, "claude", bash("late", "npm run check"), { DEX_HOOK_BUDGET_MS: "1" });
  assert.match(await statusline({ ...input, session_id: "other" }), /^dex \d conversations · 1 late\n$/);
  assert.equal(await statusline(input, { DEX_HOOKS_OFF: "statusline" }), "\n");
  writeFileSync(join(repo.root, ".dex-no-hooks"), "");
  assert.match(await statusline(input), /^dex \d conversations · hooks off\n$/);
  rmSync(join(repo.root, ".dex-no-hooks"));
});
