/** `dex install --hooks`, with the built program: what is written beside other people's hooks, and taken out again. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { parse } from "jsonc-parser";
import { asArray, asObject, asString } from "../../src/kernel/json.ts";
import { program, TestHome } from "../support/program/dex.ts";

interface Row {
  agent: string;
  file: string;
  what?: string;
  status: string;
  note?: string;
  diff?: string;
}

function homeWith(files: Record<string, string>): TestHome {
  const home = new TestHome({ vars: { XDG_CONFIG_HOME: "" } });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home.home, path)), { recursive: true });
    writeFileSync(join(home.home, path), text);
  }
  return home;
}

function text(home: TestHome, path: string): string {
  return readFileSync(join(home.home, path), "utf8");
}

const AGENTS = ["claude_code", "codex", "gemini", "cursor", "opencode", "copilot", "crush", "kiro", "qoder"];
const COMMAND = (host: string): string => `${process.execPath} ${program} hook ${host}`;

/** Other people's hooks, with the oddities that such files have. */
const FOREIGN: Record<string, string> = {
  ".claude/settings.json": `{
  "model": "opus",
  "hooks": {
    "SessionStart": [
      { "matcher": "startup", "hooks": [{ "type": "command", "command": "echo hello" }] },
      { "hooks": [{ "type": "command", "command": "/opt/other/dex-like hook" }] }
    ],
    "PostToolUse": [],
    "Stop": [{"hooks":[{"type":"command","command":"say done"}]}]
  }
}
`,
  ".codex/hooks.json": '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"notify"}]}]}}',
  ".codex/config.toml": 'model = "gpt-5"\n',
  ".gemini/settings.json":
    '{\n\t// mine\n\t"theme": "x",\n\t"hooks": {\n\t\t"BeforeAgent": [ // stays\n\t\t\t{\n\t\t\t\t"hooks": [{ "type": "command", "command": "a" }]\n\t\t\t}\n\t\t]\n\t}\n}\n',
  ".cursor/hooks.json":
    '{\r\n  "version": 1,\r\n  "hooks": {\r\n    "afterFileEdit": [{ "command": "fmt" }]\r\n  }\r\n}\r\n',
  ".copilot/hooks/dex.json":
    '{ "version": 1, "hooks": { "agentStop": [{ "type": "command", "bash": "say done" }] } }\n',
  ".kiro/hooks/dex.json":
    '{ "version": "v1", "hooks": [{ "name": "mine", "trigger": "Stop", "action": { "type": "command", "command": "say" } }] }\n',
  ".config/crush/crush.json": '{ "hooks": { "PreToolUse": [{ "matcher": "^bash$", "command": "./no-force.sh" }] } }\n',
  ".qoder/settings.json": '{ "model": { "name": "auto" } }\n',
  ".config/opencode/opencode.json": "{}\n",
  ".config/opencode/plugins/other.js": "export const Other = async () => ({});\n",
};

const EVENTS: Record<string, [host: string, events: string[]]> = {
  ".claude/settings.json": ["claude", ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SessionEnd"]],
  ".codex/hooks.json": ["codex", ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SessionEnd"]],
  ".gemini/settings.json": ["gemini", ["SessionStart", "BeforeAgent", "AfterTool", "PreCompress", "SessionEnd"]],
  ".cursor/hooks.json": ["cursor", ["sessionStart", "afterFileEdit", "postToolUse", "preCompact", "sessionEnd"]],
  ".copilot/hooks/dex.json": [
    "copilot",
    ["sessionStart", "userPromptTransformed", "postToolUse", "preCompact", "sessionEnd"],
  ],
  ".kiro/hooks/dex.json": ["kiro", ["SessionStart", "UserPromptSubmit", "Stop"]],
  ".config/crush/crush.json": ["crush", ["PreToolUse"]],
  ".qoder/settings.json": [
    "qoder",
    ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostCompact", "SessionEnd"],
  ],
};

/** The commands that a settings file starts for an event, in order. */
function commands(content: string, event: string): string[] {
  const { hooks } = asObject(parse(content));
  const all = Array.isArray(hooks) ? hooks.map(asObject) : [];
  if (all.length > 0) {
    const ofEvent = all.filter(({ trigger }) => trigger === event);
    return ofEvent.flatMap(({ action }) => asString(asObject(action).command) ?? []);
  }
  return asArray(asObject(asObject(parse(content)).hooks)[event])
    .map(asObject)
    .flatMap(
      (entry) =>
        asString(entry.command) ?? asArray(entry.hooks).flatMap((each) => asString(asObject(each).command) ?? []),
    );
}

test("hooks go beside those of others, twice is once, and come out again to the byte", () => {
  const home = homeWith(FOREIGN);
  const planned = home.json<{ agents: Row[]; held?: string }>("install", ...AGENTS, "--hooks", "--dry-run");
  assert.equal(planned.held, "dry_run");
  for (const row of planned.agents.filter(({ what }) => what === "hooks")) assert.match(row.diff ?? "", /^\+.*hook/m);
  for (const [path, before] of Object.entries(FOREIGN)) assert.equal(text(home, path), before, path);

  const done = home.json<{ agents: Row[] }>("install", ...AGENTS, "--hooks", "--yes");
  const rows = done.agents.filter(({ what }) => what === "hooks");
  assert.deepEqual(
    rows.map(({ agent, status }) => [agent, status]),
    ["claude_code", "codex", "cursor", "opencode", "gemini", "copilot", "crush", "kiro", "qoder"].map((agent) => [
      agent,
      "added",
    ]),
  );
  assert.match(rows.find(({ agent }) => agent === "codex")?.note ?? "", /\/hooks/);
  for (const [path, [host, events]] of Object.entries(EVENTS)) {
    const now = text(home, path);
    for (const event of events) {
      const had = commands(FOREIGN[path] ?? "", event);
      assert.deepEqual(commands(now, event), [...had, COMMAND(host)], `${path} ${event}`);
    }
    assert.equal(now.includes("\r\n"), (FOREIGN[path] ?? "").includes("\r\n"));
  }
  assert.match(text(home, ".gemini/settings.json"), /^\{\n\t\/\/ mine\n[\s\S]+"BeforeAgent": \[ \/\/ stays\n/);
  assert.match(text(home, ".config/opencode/plugins/dex.js"), /hook","opencode"\]/);

  const after = Object.keys({ ...FOREIGN, ".config/opencode/plugins/dex.js": "" }).map((path) => text(home, path));
  const again = home.json<{ agents: Row[]; written: boolean }>("install", ...AGENTS, "--hooks", "--yes");
  assert.equal(again.written, false);
  assert.deepEqual(new Set(again.agents.map(({ status }) => status)), new Set(["unchanged"]));
  assert.deepEqual(
    Object.keys({ ...FOREIGN, ".config/opencode/plugins/dex.js": "" }).map((path) => text(home, path)),
    after,
  );

  const states = home.json<{ agents: { agent: string; state: string }[] }>("hooks").agents;
  assert.deepEqual(new Set(states.map(({ state }) => state)), new Set(["on"]));
  assert.equal(states.length, AGENTS.length);

  home.json("uninstall", ...AGENTS, "--yes");
  for (const [path, before] of Object.entries(FOREIGN)) assert.equal(text(home, path), before, path);
  assert.deepEqual(readdirSync(join(home.home, ".config/opencode/plugins")), ["other.js"]);
  assert.deepEqual(readdirSync(join(home.home, ".claude")), ["settings.json"]);
});

test("without --hooks none are set up, and it is said that there are some", () => {
  const home = homeWith({ ".claude/settings.json": "{}\n" });
  const run = home.run("install", "claude_code", "--yes");
  assert.equal(run.status, 0, run.stderr);
  assert.match(run.stderr, /dex install --hooks/);
  assert.equal(text(home, ".claude/settings.json"), "{}\n");
});

test("files that dex made for its hooks go with them", () => {
  const home = homeWith({});
  home.json("install", ...AGENTS, "--hooks", "--yes");
  const made = [...Object.keys(EVENTS), ".config/opencode/plugins/dex.js"];
  for (const path of made) assert.ok(existsSync(join(home.home, path)), path);
  assert.equal(asObject(parse(text(home, ".cursor/hooks.json"))).version, 1);
  home.json("uninstall", ...AGENTS, "--yes");
  for (const path of made) assert.ok(!existsSync(join(home.home, path)), path);
  assert.ok(!existsSync(join(home.home, ".config/opencode/plugins")), "the folder that dex made is gone, too");
});

test("dex reports an agent whose settings turn all hooks off as disabled, not as set up", () => {
  const home = homeWith({ ".claude/settings.json": '{\n  "disableAllHooks": true\n}\n' });
  type Told = { agents: { what?: string; note?: string }[] };
  const noteOf = ({ agents }: Told): string => agents.find(({ what }) => what === "hooks")?.note ?? "";
  for (const round of ["first", "again"]) {
    const told = home.json<Told>("install", "claude_code", "--hooks", "--yes");
    assert.match(noteOf(told), /Claude Code runs no hooks: disableAllHooks in .+settings\.json turns them off/, round);
  }
  assert.match(home.run("hooks").stdout, /Claude Code: set up, but turned off by disableAllHooks in .+settings\.json/);
});

test("a setting of the project, of one hook or of a feature disables hooks, too; the nearest file decides", () => {
  const home = homeWith({
    ".gemini/settings.json": "{}\n",
    ".codex/config.toml": "",
    "project/.git/HEAD": "ref: refs/heads/main\n",
  });
  home.cwd = join(home.home, "project");
  home.json("install", "claude_code", "codex", "gemini", "--hooks", "--yes", "--no-sync");
  const put = (path: string, content: string): void => {
    mkdirSync(dirname(join(home.home, path)), { recursive: true });
    writeFileSync(join(home.home, path), content);
  };
  const states = (): string[] =>
    home
      .json<{ agents: { agent: string; scope: string; state: string }[] }>("hooks")
      .agents.filter(({ scope }) => scope === "user")
      .map(({ agent, state }) => `${agent} ${state}`);
  assert.deepEqual(states(), ["claude_code on", "codex on", "gemini on"]);
  put("project/.claude/settings.json", '{ "disableAllHooks": true }');
  put("project/.codex/config.toml", "[features]\nhooks = false\n");
  put("project/.gemini/settings.json", '{ "hooksConfig": { "disabled": ["other", "dex"] } }');
  assert.deepEqual(states(), ["claude_code disabled", "codex disabled", "gemini disabled"]);
  put("project/.claude/settings.local.json", '{ "disableAllHooks": false }');
  put("project/.codex/config.toml", "[features]\nhooks = true\n");
  put("project/.gemini/settings.json", '{ "hooksConfig": { "enabled": true, "disabled": ["other"] } }');
  assert.deepEqual(states(), ["claude_code on", "codex on", "gemini on"]);
});

test("settings that their own agent would reject are left alone: comments, trailing commas", () => {
  const files: Record<string, [agent: string, content: string]> = {
    ".claude/settings.json": ["claude_code", '{\n  // mine\n  "model": "opus"\n}\n'],
    ".codex/hooks.json": ["codex", '{\n  "hooks": {},\n}\n'],
    ".gemini/settings.json": ["gemini", '{\n  "theme": "dark",\n}\n'],
  };
  for (const [path, [agent, content]] of Object.entries(files)) {
    const home = homeWith({ [path]: content });
    const refused = home.run("install", agent, "--hooks", "--yes", "--no-sync");
    assert.equal(refused.status, 2, path);
    assert.match(refused.stderr, /is not valid JSON for (Claude Code|Codex|Gemini CLI): .* in line [23]/);
    assert.equal(text(home, path), content);
  }
  const commented = homeWith({ ".gemini/settings.json": '{\n  // mine\n  "theme": "dark"\n}\n' });
  assert.equal(commented.run("install", "gemini", "--hooks", "--yes", "--no-sync").status, 0);
  assert.match(text(commented, ".gemini/settings.json"), /\/\/ mine[\s\S]+hook gemini/);
});

test("hooks in a project's own files", () => {
  const home = homeWith({ "project/.git/HEAD": "ref: refs/heads/main\n" });
  home.cwd = join(home.home, "project");
  home.json("install", "claude_code", "codex", "opencode", "--hooks", "--project", "--yes");
  for (const path of [".claude/settings.json", ".codex/hooks.json", ".opencode/plugins/dex.js"]) {
    assert.ok(existsSync(join(home.cwd, path)), path);
  }
});

test("a hook that leads nowhere is put right; what others changed meanwhile stays", () => {
  const home = homeWith({ ".claude/settings.json": '{ "a": 1 }\n' });
  home.json("install", "claude_code", "--hooks", "--yes");
  const file = join(home.home, ".claude/settings.json");
  const moved = text(home, ".claude/settings.json")
    .replaceAll(program, "/gone/dist/dex.js")
    .replace('"a": 1', '"a": 2');
  writeFileSync(file, moved);
  assert.equal(home.json<{ agents: { state: string }[] }>("hooks").agents[0]?.state, "broken");
  const row = home
    .json<{ agents: Row[] }>("install", "claude_code", "--hooks", "--yes")
    .agents.find(({ what }) => what);
  assert.equal(row?.status, "updated");
  assert.deepEqual(commands(text(home, ".claude/settings.json"), "SessionStart"), [COMMAND("claude")]);
  home.json("uninstall", "claude_code", "--yes");
  assert.deepEqual(parse(text(home, ".claude/settings.json")), { a: 2 });
});

test("entries of another program that is also called dex are not dex's", () => {
  const home = homeWith({ "other/dex": "\x7fELF another", "shim/dex": "#!/bin/sh\nexec asdf exec dex" });
  const settings = (program: string): string =>
    JSON.stringify({
      hooks: { SessionStart: [{ hooks: [{ type: "command", command: `${program} hook claude` }] }] },
      statusLine: { type: "command", command: `${program} statusline` },
    });
  const mcp = (command: string): string => JSON.stringify({ mcpServers: { dex: { command, args: ["serve"] } } });
  const set = (program: string): void => {
    writeFileSync(join(home.home, ".claude.json"), mcp(program));
    writeFileSync(join(home.home, ".claude/settings.json"), settings(program));
  };
  mkdirSync(join(home.home, ".claude"), { recursive: true });
  const other = join(home.home, "other/dex");
  set(other);
  assert.equal(home.json<{ agents: { state: string }[] }>("hooks").agents[0]?.state, "none");
  home.run("uninstall", "claude_code", "--yes");
  assert.deepEqual([text(home, ".claude.json"), text(home, ".claude/settings.json")], [mcp(other), settings(other)]);
  // A version manager's script starts dex, and a file that is gone may have been dex.
  for (const ours of ["shim/dex", "gone/dex"]) {
    set(join(home.home, ours));
    home.json("uninstall", "claude_code", "--yes");
    for (const file of [".claude.json", ".claude/settings.json"]) {
      assert.doesNotMatch(existsSync(join(home.home, file)) ? text(home, file) : "", /dex/, `${ours} in ${file}`);
    }
  }
});

test("a foreign plugin of the same name, and settings that are not valid, are left alone", () => {
  const home = homeWith({
    ".config/opencode/plugins/dex.js": "export const Mine = 1;\n",
    ".claude/settings.json": '{ "hooks": { "SessionStart": "all" } }',
  });
  const rows = home.json<{ agents: Row[] }>("install", "opencode", "--hooks", "--yes").agents;
  const plugin = rows.find(({ what }) => what === "hooks");
  assert.deepEqual([plugin?.status, basename(plugin?.file ?? "")], ["added", "dex-context.js"]);
  assert.equal(text(home, ".config/opencode/plugins/dex.js"), "export const Mine = 1;\n");
  home.json("uninstall", "opencode", "--yes");
  assert.deepEqual(readdirSync(join(home.home, ".config/opencode/plugins")), ["dex.js"]);
  const refused = home.run("install", "claude_code", "--hooks", "--yes");
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /settings\.json has no list at "hooks\.SessionStart"/);
  assert.equal(text(home, ".claude/settings.json"), '{ "hooks": { "SessionStart": "all" } }');
});

test("Droid's hooks go where Droid reads them: into its own file if there is one, else into the settings", () => {
  const hook = { hooks: [{ type: "command", command: "fmt" }] };
  const settings = `${JSON.stringify({ hooks: { Stop: [hook] } })}\n`;
  const list = (home: TestHome, path: string, ...keys: string[]): string[] => {
    const lists = keys.reduce((at, key) => asObject(at[key]), asObject(parse(text(home, path))));
    return asArray(lists.SessionStart).flatMap((group) =>
      asArray(asObject(group).hooks).flatMap((each) => asString(asObject(each).command) ?? []),
    );
  };
  const cases: [files: Record<string, string>, path: string, keys: string[]][] = [
    [{ ".factory/settings.json": settings }, ".factory/settings.json", ["hooks"]],
    [
      { ".factory/settings.json": settings, ".factory/hooks.json": JSON.stringify({ SessionStart: [hook] }) },
      ".factory/hooks.json",
      [],
    ],
    [{ ".factory/hooks.json": settings }, ".factory/hooks.json", ["hooks"]],
  ];
  for (const [files, path, keys] of cases) {
    const home = homeWith(files);
    home.json("install", "droid", "--hooks", "--yes");
    assert.equal(list(home, path, ...keys).at(-1), COMMAND("droid"), path);
    assert.equal(existsSync(join(home.home, ".factory/hooks.json")), ".factory/hooks.json" in files);
    assert.match(text(home, ".factory/mcp.json"), /"type": "stdio"/);
    assert.equal(home.json<{ written: boolean }>("install", "droid", "--hooks", "--yes").written, false);
    home.json("uninstall", "droid", "--yes");
    for (const [file, before] of Object.entries(files)) assert.equal(text(home, file), before, file);
  }
});

test("VS Code shares a file of hooks with Copilot CLI, and is reported only where it is used", () => {
  const file = ".copilot/hooks/dex.json";
  const home = homeWith({ ".copilot/config.json": "{}\n" });
  type Told = { agents: { agent: string; state: string; missing?: string[] }[] };
  const states = (): unknown[] =>
    home.json<Told>("hooks").agents.map(({ agent, state, missing }) => [agent, state, missing]);
  home.json("install", "copilot", "--hooks", "--yes");
  assert.deepEqual(states(), [["copilot", "on", undefined]]);
  mkdirSync(join(home.home, ".config/Code/User"), { recursive: true });
  assert.deepEqual(states().at(-1), ["vscode", "outdated", ["userPromptSubmitted", "agentStop"]]);
  home.json("install", "vscode", "--hooks", "--yes");
  assert.deepEqual(states().at(-1), ["vscode", "on", undefined]);
  for (const event of ["sessionStart", "userPromptSubmitted"]) {
    assert.deepEqual(commands(text(home, file), event), [COMMAND("copilot")], event);
  }
  home.json("uninstall", "copilot", "vscode", "--yes");
  assert.ok(!existsSync(join(home.home, file)));
});

const CLINE = "Documents/Cline/Hooks";

test("Cline gets a program for each event; a person's own program of that name stays", () => {
  const mine = "#!/bin/sh\necho '{}'\n";
  const home = homeWith({
    ".cline/data/settings/cline_mcp_settings.json": "{}\n",
    [`${CLINE}/PreToolUse`]: mine,
    "project/.git/HEAD": "ref: refs/heads/main\n",
  });
  home.cwd = join(home.home, "project");
  const rows = home.json<{ agents: Row[] }>("install", "cline", "--hooks", "--dry-run").agents;
  const hooks = rows.filter(({ what }) => what === "hooks");
  assert.match(hooks.find(({ file }) => file.endsWith("TaskStart"))?.diff ?? "", /^\+.*hook cline \|\| echo/m);
  assert.deepEqual(readdirSync(join(home.home, CLINE)), ["PreToolUse"]);

  const done = home.json<{ agents: Row[] }>("install", "cline", "--hooks", "--yes").agents;
  const statuses = new Map(done.map(({ file, status }) => [basename(file), status]));
  assert.equal(statuses.get("PreToolUse"), "not_ours");
  const again = home.run("install", "cline", "--hooks", "--yes");
  assert.equal(again.status, 0, "it does without this event");
  assert.match(again.stdout, /Cline, hook PreToolUse: not changed/);
  assert.equal(text(home, `${CLINE}/PreToolUse`), mine);
  const made = ["PostToolUse", "PreCompact", "TaskComplete", "TaskResume", "TaskStart", "UserPromptSubmit"];
  for (const event of made) {
    assert.equal(statuses.get(event), "added", event);
    assert.equal(statSync(join(home.home, CLINE, event)).mode & 0o777, 0o700, event);
  }
  const state = (): unknown =>
    home
      .json<{ agents: { agent: string; state: string; missing?: string[] }[] }>("hooks")
      .agents.filter(({ agent }) => agent === "cline")
      .map(({ state, missing }) => [state, missing]);
  assert.deepEqual(state(), [["on", undefined]]);

  const input = JSON.stringify({ hookName: "PostToolUse", taskId: "t", workspaceRoots: [home.home], postToolUse: {} });
  const run = (): string =>
    spawnSync(join(home.home, CLINE, "PostToolUse"), { input, env: home.env, encoding: "utf8" }).stdout;
  assert.equal(run(), "{}\n");
  const file = join(home.home, CLINE, "PostToolUse");
  writeFileSync(file, text(home, `${CLINE}/PostToolUse`).replaceAll(process.execPath, "/gone/node"));
  assert.equal(run(), '{"cancel":false}\n', "a task goes on without dex");
  rmSync(file);
  assert.deepEqual(state(), [["outdated", ["PostToolUse"]]]);

  home.json("uninstall", "cline", "--yes");
  assert.deepEqual(readdirSync(join(home.home, CLINE)), ["PreToolUse"]);
  assert.equal(text(home, `${CLINE}/PreToolUse`), mine);
});

test("dex reports hooks that an earlier version set up, and install brings them up to date", () => {
  const old = (host: string, more: object = {}): object => ({
    ...more,
    hooks: [{ type: "command", command: COMMAND(host) }],
  });
  const home = homeWith({
    ".claude/settings.json": JSON.stringify({
      hooks: {
        SessionStart: [old("claude")],
        UserPromptSubmit: [old("claude")],
        PostToolUse: [old("claude", { matcher: "Read" })],
      },
    }),
    ".gemini/settings.json": JSON.stringify({
      hooks: {
        SessionStart: [old("gemini")],
        BeforeAgent: [old("gemini")],
        AfterTool: [old("gemini", { matcher: "read_file|read_many_files|write_file|replace" })],
        PreCompress: [old("gemini")],
      },
    }),
    ".config/opencode/plugins/dex.js":
      "// Written by dex install --hooks; dex uninstall removes it.\nexport const Dex = 1;\n",
  });
  type Told = { agents: { agent: string; state: string; missing?: string[] }[] };
  const states = (): unknown[] =>
    home.json<Told>("hooks").agents.map(({ agent, state, missing }) => [agent, state, missing]);
  assert.deepEqual(states(), [
    ["claude_code", "outdated", ["PreToolUse", "SessionEnd"]],
    ["opencode", "outdated", undefined],
    ["gemini", "outdated", ["AfterTool", "PreCompress", "SessionEnd"]],
  ]);
  assert.match(
    home.run("hooks").stdout,
    /Claude Code: set up by an earlier version of dex, without PreToolUse, SessionEnd; run `dex install claude_code --hooks`/,
  );
  const problems = home.json<{ problems: { code: string; fix?: string }[] }>("doctor").problems;
  assert.deepEqual(
    problems.filter(({ code }) => code === "hooks_outdated").map(({ fix }) => fix),
    ["claude_code", "opencode", "gemini"].map((agent) => `dex install ${agent} --hooks`),
  );
  home.json("install", "claude_code", "opencode", "gemini", "--hooks", "--yes");
  assert.deepEqual(new Set(states().map((row) => asArray(row as string[])[1])), new Set(["on"]));
  const { PostToolUse } = asObject(asObject(parse(text(home, ".claude/settings.json"))).hooks);
  assert.equal(asObject(asArray(PostToolUse)[0]).matcher, "Read", "a matcher that a person chose stays");
  const { AfterTool } = asObject(asObject(parse(text(home, ".gemini/settings.json"))).hooks);
  assert.match(String(asObject(asArray(AfterTool)[0]).matcher), /run_shell_command$/);
});

test("a status line is added where there is none, on request, and removed again", () => {
  const mine = '{ "statusLine": { "type": "command", "command": "~/line.sh" } }\n';
  const home = homeWith({ ".claude/settings.json": '{\n  "model": "opus"\n}\n', ".copilot/settings.json": mine });
  assert.doesNotMatch(JSON.stringify(home.json("install", "claude_code", "--yes")), /statusline/);
  const rows = home.json<{ agents: Row[] }>("install", "claude_code", "copilot", "--statusline", "--yes").agents;
  assert.deepEqual(
    rows.filter(({ what }) => what === "statusline").map(({ agent, status }) => [agent, status]),
    [
      ["claude_code", "added"],
      ["copilot", "not_ours"],
    ],
  );
  assert.equal(home.run("install", "copilot", "--statusline", "--yes").status, 0, "it has a status line");
  const { statusLine } = asObject(parse(text(home, ".claude/settings.json")));
  assert.deepEqual(statusLine, { type: "command", command: `${process.execPath} ${program} statusline` });
  const again = home.json<{ agents: Row[] }>("install", "claude_code", "--statusline", "--yes").agents;
  assert.deepEqual(new Set(again.map(({ status }) => status)), new Set(["unchanged"]));
  home.json("uninstall", "claude_code", "copilot", "--yes");
  assert.equal(text(home, ".claude/settings.json"), '{\n  "model": "opus"\n}\n');
  assert.equal(text(home, ".copilot/settings.json"), mine);
});
