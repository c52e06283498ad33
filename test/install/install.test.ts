/** Connecting dex to agents, with the built program, in homes as people have them. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { parse } from "jsonc-parser";
import { PROGRAMS } from "../../src/cli/programs/registry.ts";
import { Dex } from "../../src/dex.ts";
import { install } from "../../src/operations/agents/install.ts";
import { runOperation } from "../../src/operations/run.ts";
import { TestHome } from "../support/program/dex.ts";
import { running } from "../support/program/running.ts";

interface Row {
  agent: string;
  file: string;
  what?: string;
  status: string;
  note?: string;
  diff?: string;
  backup?: string;
}
interface Answer {
  agents: Row[];
  written: boolean;
  held?: string;
}

const SECRET = "ghp_wQ7rT2yU9iO4pA6sD8fG1hJ3kL5zX0cV2bN7";

/** The settings of each agent after some months of use, oddities included. */
const SETTINGS: Record<string, string> = {
  ".claude.json": JSON.stringify(
    { numStartups: 41, projects: { "/work/x": { mcpServers: {} } }, tips: ["a"] },
    null,
    2,
  ),
  ".codex/config.toml":
    'model = "gpt-5"\r\n\r\n[mcp_servers.context7]\r\ncommand = "npx"\r\nargs = ["-y", "@upstash/context7-mcp"]\r\n\r\n' +
    '[projects."/home/me/x"]\r\ntrust_level = "trusted"\r\nnote = """\r\n[mcp_servers.dex]\r\n"""',
  ".cursor/mcp.json": `{\n    // work\n    "mcpServers": {\n        "github": {\n            "command": "docker",\n            "env": { "GITHUB_TOKEN": "${SECRET}" }, // mine\n        },\n    },\n}\n`,
  ".config/opencode/opencode.jsonc":
    '{\n\t"$schema": "https://opencode.ai/config.json",\n\t"mcp": {}, // none yet\n\t"theme": "x"\n}\n',
  ".gemini/settings.json": '{"selectedAuthType":"gemini-api-key","mcpServers":{"git":{"command":"uvx"}}}',
  ".copilot/mcp-config.json": '{ "mcpServers": {} }\n',
  ".config/Code/User/mcp.json":
    '{\r\n\t"servers": {\r\n\t\t"a": { "type": "http", "url": "https://a.example" }\r\n\t},\r\n\t"inputs": []\r\n}',
};

function userHome(files: Record<string, string> = SETTINGS, vars: Record<string, string> = {}): TestHome {
  const home = new TestHome({ vars: { XDG_CONFIG_HOME: "", ...vars } });
  for (const [path, text] of Object.entries(files)) put(home, path, text);
  return home;
}

function put(home: TestHome, path: string, text: string): string {
  const file = join(home.home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Every file of the home with its bytes and mode, but for dex's own. */
function snapshot(home: TestHome): Record<string, string> {
  const files = readdirSync(home.home, { recursive: true, encoding: "utf8" }).filter(
    (path) => !path.startsWith(".dex") && statSync(join(home.home, path)).isFile(),
  );
  return Object.fromEntries(
    files.sort().map((path) => {
      const file = join(home.home, path);
      return [path, `${(statSync(file).mode & 0o777).toString(8)} ${readFileSync(file, "utf8")}`];
    }),
  );
}

function runIn(home: TestHome, folder: string, ...args: string[]) {
  const there = home.withVars({ PATH: "" });
  there.cwd = join(home.home, folder);
  return there.run(...args);
}

const read = (home: TestHome, path: string): string => readFileSync(join(home.home, path), "utf8");

/** Agents whose entries differ only in their place and form. */
const MORE_SETTINGS: Record<string, string> = {
  ".cline/data/settings/cline_mcp_settings.json": '{\n  "mcpServers": {}\n}',
  ".config/crush/crush.json": '{"$schema":"https://charm.land/crush.json","mcp":{"a":{"type":"stdio","command":"a"}}}',
  ".config/goose/config.yaml": "GOOSE_PROVIDER: openai # work\nextensions:\n  developer:\n    enabled: true\n",
  ".qwen/settings.json": '{\n  // mine\n  "security": { "auth": {} }\n}\n',
  ".config/zed/settings.json": '// Zed settings\n{\n  "theme": "One", // light\n}\n',
  ".config/amp/settings.jsonc": '{\n  // mine\n  "amp.showCosts": true,\n}\n',
  ".continue/config.yaml": "name: Mine\n",
  ".junie/mcp/mcp.json": "{}",
  ".deepagents/.mcp.json": '{ "mcpServers": { "docs": { "type": "http", "url": "https://docs.example/mcp" } } }',
  ".kiro/settings/mcp.json": '{ "mcpServers": { "b": { "command": "b", "disabled": true } } }',
  ".codeium/windsurf/mcp_config.json": "",
  ".augment/settings.json": '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "bell" }] }] } }',
  ".kimi-code/mcp.json": "",
  ".kimi-code/config.toml":
    '# mine\n[[hooks]] # a bell\nevent = "Stop"\ncommand = "bell" # loud\n\n[models.k3]\nprovider = "x" # last',
};

test("agents with other forms of settings are connected, and disconnected to the byte", () => {
  const home = userHome(MORE_SETTINGS);
  const before = snapshot(home);
  const { agents } = home.json<Answer>("install", "--hooks");
  assert.deepEqual([...new Set(agents.map(({ status }) => status))], ["added"]);
  assert.equal(new Set(agents.map(({ agent }) => agent)).size, 13);
  for (const { file, what } of agents) assert.match(readFileSync(file, "utf8"), what ? /hook/ : /serve/, file);
  assert.match(
    read(home, ".config/goose/config.yaml"),
    /# work\nextensions:\n {2}developer:\n[\s\S]*\n {2}dex:\n {4}enabled: true/,
  );
  assert.match(read(home, ".config/amp/settings.jsonc"), /\/\/ mine[\s\S]*"amp.mcpServers": \{/);
  assert.match(read(home, ".qwen/settings.json"), /hook qwen/);
  assert.match(read(home, ".augment/settings.json"), /bell[\s\S]*"SessionStart": [\s\S]*hook auggie/);
  assert.match(
    read(home, ".kimi-code/config.toml"),
    /^# mine\n\[\[hooks\]\] # a bell\n[\s\S]* # last\n\n\[\[hooks\]\]\nevent = "UserPromptSubmit"\ncommand = ".*hook kimi"\ntimeout = 5\n/,
  );
  assert.equal(home.json<Answer>("install", "--hooks").written, false);
  home.json<Answer>("uninstall");
  assert.deepEqual(snapshot(home), before);
  const project = join(home.home, "p");
  mkdirSync(join(project, ".git"), { recursive: true });
  assert.match(runIn(home, "p", "install", "goose", "--project", "--yes").stderr, /Goose has no project settings/);
});

test("all agents that are found are connected, each in its own way, and disconnected to the byte", () => {
  const home = userHome();
  const before = snapshot(home);
  const answer = home.json<Answer>("install");
  assert.equal(answer.written, true);
  assert.deepEqual(
    answer.agents.map(({ agent, status }) => [agent, status]),
    ["claude_code", "codex", "cursor", "opencode", "gemini", "copilot", "vscode"].map((id) => [id, "added"]),
  );
  const value = (path: string): Record<string, unknown> => parse(read(home, path), [], { allowTrailingComma: true });
  const claude = value(".claude.json").mcpServers as Record<string, { command: string; args: string[] }>;
  const launch = [claude.dex?.command ?? "", ...(claude.dex?.args ?? [])];
  assert.equal(launch.at(-1), "serve");
  const [command, ...args] = launch;
  assert.deepEqual(claude, { dex: { type: "stdio", command, args } });
  assert.deepEqual(value(".cursor/mcp.json").mcpServers, {
    github: { command: "docker", env: { GITHUB_TOKEN: SECRET } },
    dex: { command, args },
  });
  assert.deepEqual(value(".config/opencode/opencode.jsonc").mcp, {
    dex: { type: "local", command: launch, enabled: true },
  });
  assert.deepEqual(value(".gemini/settings.json").mcpServers, { git: { command: "uvx" }, dex: { command, args } });
  assert.deepEqual(value(".copilot/mcp-config.json").mcpServers, {
    dex: { type: "local", command, args, tools: ["*"] },
  });
  assert.deepEqual((value(".config/Code/User/mcp.json").servers as Record<string, unknown>).dex, {
    type: "stdio",
    command,
    args,
  });
  assert.ok(
    read(home, ".codex/config.toml").endsWith(
      `"""\r\n\r\n[mcp_servers.dex]\r\ncommand = ${JSON.stringify(command)}\r\nargs = ${JSON.stringify(args).replaceAll(",", ", ")}\r\nenv = { DEX_HOME = ${JSON.stringify(home.dexHome)} }`,
    ),
  );
  assert.match(read(home, ".cursor/mcp.json"), /\/\/ work[\s\S]*\/\/ mine/);
  for (const { file, backup } of answer.agents) {
    assert.equal(backup, `${file}.dex-backup`);
    assert.equal(readFileSync(backup, "utf8"), before[file.slice(home.home.length + 1)]?.replace(/^\d+ /, ""));
    assert.equal(statSync(backup).mode & 0o777, 0o600);
  }
  // The shown part of a file has its secrets redacted.
  assert.doesNotMatch(JSON.stringify(answer), new RegExp(SECRET));

  const installed = snapshot(home);
  const again = home.json<Answer>("install");
  assert.equal(again.written, false);
  assert.ok(again.agents.every(({ status }) => status === "unchanged"));
  assert.deepEqual(snapshot(home), installed);
  assert.match(home.run("install").stdout, /Claude Code: already connected/);

  const gone = home.json<Answer>("uninstall");
  assert.ok(gone.agents.every(({ status }) => status === "removed"));
  assert.deepEqual(snapshot(home), before);
  assert.ok(home.json<Answer>("uninstall").agents.every(({ status }) => status === "unchanged"));
  assert.deepEqual(snapshot(home), before);
});

test("changes that an agent made meanwhile stay when dex is removed", () => {
  const home = userHome({ ".claude.json": '{\n  "numStartups": 1\n}\n', ".codex/config.toml": "a = 1\n" });
  home.json("install");
  const claude = JSON.parse(read(home, ".claude.json")) as Record<string, unknown>;
  writeFileSync(join(home.home, ".claude.json"), JSON.stringify({ ...claude, numStartups: 2 }, null, 2));
  writeFileSync(join(home.home, ".codex/config.toml"), `${read(home, ".codex/config.toml")}\n[later]\nx = 1\n`);
  home.json("uninstall");
  assert.deepEqual(JSON.parse(read(home, ".claude.json")), { numStartups: 2 });
  assert.equal(read(home, ".codex/config.toml"), "a = 1\n\n[later]\nx = 1\n");
  // The backup is not what the file is now: it stays, and a later install does not write over it.
  assert.equal(read(home, ".claude.json.dex-backup"), '{\n  "numStartups": 1\n}\n');
  home.json("install");
  assert.equal(read(home, ".claude.json.dex-backup"), '{\n  "numStartups": 1\n}\n');
});

test("a dry run shows the change and writes nothing", () => {
  const home = userHome();
  const before = snapshot(home);
  const answer = home.run("install", "codex", "--dry-run");
  assert.equal(answer.status, 0, answer.stderr);
  assert.match(answer.stdout, /\+\[mcp_servers\.dex\]\n {2}\+command = /);
  assert.match(answer.stdout, /Nothing was written/);
  assert.equal(home.json<Answer>("install", "--dry-run").held, "dry_run");
  assert.deepEqual(snapshot(home), before);
});

test("`dex` is written where it is on the PATH and is this program", () => {
  const home = userHome({ ".codex/config.toml": "" });
  const bin = join(home.home, "bin");
  mkdirSync(bin);
  symlinkSync(join(import.meta.dirname, "../../dist/dex.js"), join(bin, "dex"));
  const entry = (folder: string): string => {
    home.vars.PATH = `${folder}:${dirname(process.execPath)}`;
    home.json("install", "codex");
    const text = read(home, ".codex/config.toml");
    home.json("uninstall", "codex");
    return text;
  };
  // Codex gives its servers no variables of its own accord.
  const env = `env = { DEX_HOME = ${JSON.stringify(home.dexHome)} }`;
  assert.equal(entry(bin), `[mcp_servers.dex]\ncommand = "dex"\nargs = ["serve"]\n${env}\n`);
  // Another program of that name, and a folder that only npm has on its PATH.
  const other = join(home.home, "other");
  mkdirSync(other);
  writeFileSync(join(other, "dex"), "#!/bin/sh\n", { mode: 0o755 });
  assert.match(entry(other), /args = \[".*dex\.js", "serve"\]/);
  const npm = join(home.home, "node_modules/.bin");
  mkdirSync(npm, { recursive: true });
  symlinkSync(join(import.meta.dirname, "../../dist/dex.js"), join(npm, "dex"));
  assert.match(entry(npm), /args = \[".*dex\.js", "serve"\]/);
});

const noServer = "serve" in PROGRAMS ? false : "this build has no server yet";

test("the command that was written starts a server that answers", { skip: noServer }, async () => {
  const home = userHome({ ".cursor/mcp.json": "{}" });
  home.json("install", "cursor");
  const { mcpServers } = JSON.parse(read(home, ".cursor/mcp.json")) as {
    mcpServers: { dex: { command: string; args: string[] } };
  };
  const { command, args } = mcpServers.dex;
  const env = { HOME: home.home, PATH: "" };
  const server = running(spawn(command, args, { env, stdio: ["pipe", "pipe", "ignore"] }));
  const ended = once(server, "exit");
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  const [line] = (await once(createInterface(server.stdout), "line")) as [string];
  assert.equal((JSON.parse(line) as { result: { serverInfo: { name: string } } }).result.serverInfo.name, "dex");
  server.stdin.end();
  assert.equal((await ended)[0], 0);
});

test("a project's files are written at its root, and go again with their folders", () => {
  const home = userHome({ "repo/src/a.ts": "", "repo/.git/HEAD": "ref: x\n" });
  const before = snapshot(home);
  const agents = ["claude", "codex", "cursor", "opencode", "gemini-cli", "copilot", "vs-code"];
  const inRepo = (...args: string[]): Answer => {
    const run = runIn(home, "repo/src", ...args, "--project", "--json");
    assert.equal(run.status, 0, run.stderr);
    return JSON.parse(run.stdout) as Answer;
  };
  const made = inRepo("install", ...agents).agents.map(({ file }) => file.slice(join(home.home, "repo/").length));
  assert.deepEqual(made, [
    ".mcp.json",
    ".codex/config.toml",
    ".cursor/mcp.json",
    "opencode.json",
    ".gemini/settings.json",
    ".github/mcp.json",
    ".vscode/mcp.json",
  ]);
  assert.equal(statSync(join(home.home, "repo/.vscode/mcp.json")).mode & 0o044, 0o044);
  assert.ok(inRepo("install", ...agents).agents.every(({ status }) => status === "unchanged"));
  inRepo("uninstall", ...agents);
  assert.deepEqual(snapshot(home), before);
  assert.equal(existsSync(join(home.home, "repo/.vscode")), false);
});

test("two agents that share a project's file are connected and disconnected in one command", () => {
  const others = '{"mcpServers":{"other":{"command":"x"}}}';
  for (const files of [[], [["repo/.mcp.json", others]]]) {
    const home = userHome({ "repo/.git/HEAD": "ref: x\n", ...Object.fromEntries(files) });
    const before = snapshot(home);
    const states = (verb: string): unknown => {
      const run = runIn(home, "repo", verb, "claude", "qoder", "--project", "--yes", "--json");
      assert.equal(run.status, 0, run.stdout);
      return (JSON.parse(run.stdout) as Answer).agents.map(({ status }) => status);
    };
    assert.deepEqual(states("install"), ["added", "unchanged"]);
    assert.deepEqual(states("uninstall"), ["removed", "unchanged"]);
    assert.deepEqual(snapshot(home), before);
  }
});

test("the folders that dex made go with its files; a folder that was there stays, and so does what others wrote", () => {
  const home = userHome({ ".kiro/steering/notes.md": "# notes\n" });
  mkdirSync(join(home.home, ".claude"));
  const names = (): string[] =>
    readdirSync(home.home, { recursive: true, encoding: "utf8" })
      .filter((name) => !name.startsWith(".dex"))
      .sort();
  const before = names();
  const agents = ["claude_code", "vscode", "cline", "kiro", "copilot", "codex"];
  assert.equal(home.run("install", ...agents, "--hooks", "--yes", "--no-sync").status, 0);
  writeFileSync(join(home.home, ".codex", "history.jsonl"), "");
  assert.equal(home.run("uninstall", ...agents, "--yes").status, 0);
  assert.deepEqual(names(), [...before, ".codex", join(".codex", "history.jsonl")].sort());
});

test("links are followed and stay; modes stay", () => {
  const home = userHome({ "dotfiles/codex.toml": "a = 1\n", ".codex/x": "", ".cursor/mcp.json": "{}" });
  symlinkSync(join(home.home, "dotfiles/codex.toml"), join(home.home, ".codex/config.toml"));
  chmodSync(join(home.home, ".cursor/mcp.json"), 0o664);
  const before = snapshot(home);
  home.json("install", "codex", "cursor");
  assert.ok(lstatSync(join(home.home, ".codex/config.toml")).isSymbolicLink());
  assert.match(read(home, "dotfiles/codex.toml"), /^a = 1\n\n\[mcp_servers\.dex\]/);
  assert.equal(statSync(join(home.home, ".cursor/mcp.json")).mode & 0o777, 0o664);
  home.json("uninstall");
  assert.deepEqual(snapshot(home), before);
  assert.ok(lstatSync(join(home.home, ".codex/config.toml")).isSymbolicLink());
});

test("files that cannot be changed safely are left as they are, in one sentence", () => {
  const cases: [string, string | Buffer, RegExp][] = [
    [".claude.json", '{ "mcpServers": {}, }\n', /\.claude\.json is not valid JSON for Claude Code: .* in line 1/],
    [".cursor/mcp.json", '{ "mcpServers": { "a": }', /mcp\.json is not valid JSON: value expected in line 1/],
    [".cursor/mcp.json", '{ "mcpServers": [] }', /an array at "mcpServers"/],
    [".cursor/mcp.json", Buffer.from([0x7b, 0xff, 0x7d]), /is not UTF-8 text/],
    [".codex/config.toml", 'model = "x\n', /config\.toml is not valid TOML: an unclosed string in line 1/],
    [".codex/config.toml", "[[mcp_servers]]\n", /something other than a table/],
  ];
  for (const [path, content, message] of cases) {
    const home = userHome({ [path]: "" });
    writeFileSync(join(home.home, path), content);
    const agent = path.includes("codex") ? "codex" : path.includes("claude") ? "claude_code" : "cursor";
    const answer = home.run("install", agent);
    assert.equal(answer.status, 2);
    assert.match(answer.stderr, message);
    assert.match(answer.stderr, /did not change the file/);
    assert.deepEqual(readFileSync(join(home.home, path)), Buffer.from(content));
    assert.equal(existsSync(join(home.home, `${path}.dex-backup`)), false);
  }
});

test("a read-only file, a folder in its place and a link to nothing are refused", () => {
  const home = userHome({ ".codex/config.toml": "a = 1\n", ".cursor/mcp.json/x": "" });
  const file = join(home.home, ".codex/config.toml");
  chmodSync(file, 0o444);
  assert.match(home.run("install", "codex").stderr, /config\.toml cannot be written/);
  assert.equal(readFileSync(file, "utf8"), "a = 1\n");
  assert.match(home.run("install", "cursor").stderr, /mcp\.json is not a file/);
  rmSync(file);
  symlinkSync(join(home.home, "nowhere"), file);
  assert.match(home.run("install", "codex").stderr, /is a link to a missing file/);
  assert.equal(existsSync(join(home.home, "nowhere")), false);
});

test("one agent's broken file does not keep the others from being connected", () => {
  const home = userHome({ ".cursor/mcp.json": "{", ".codex/config.toml": "a = 1\n" });
  const answer = home.run("install", "--json");
  assert.equal(answer.status, 1);
  const { agents } = JSON.parse(answer.stdout) as Answer;
  assert.deepEqual(
    agents.map(({ agent, status }) => [agent, status]),
    [
      ["codex", "added"],
      ["cursor", "failed"],
    ],
  );
  assert.match(agents[1]?.note ?? "", /not valid JSON/);
  assert.equal(read(home, ".cursor/mcp.json"), "{");
});

test("beside an entry of that name which starts something else, dex has another name; --force replaces the entry", () => {
  const other = '{\n  "mcpServers": {\n    "dex": { "command": "dexterity", "args": ["run"] }\n  }\n}\n';
  const home = userHome({
    ".cursor/mcp.json": other,
    ".config/goose/config.yaml": "extensions:\n  dex:\n    cmd: x\n",
  });
  const before = snapshot(home);
  const answer = home.run("install", "cursor", "goose");
  assert.equal(answer.status, 0);
  assert.match(answer.stdout, /connected \(as "dex-context": its entry "dex" starts something else and stays; /);
  const { mcpServers } = JSON.parse(read(home, ".cursor/mcp.json")) as {
    mcpServers: Record<string, { args: string[] }>;
  };
  assert.deepEqual(Object.keys(mcpServers), ["dex", "dex-context"]);
  assert.equal(mcpServers["dex-context"]?.args.at(-1), "serve");
  assert.match(read(home, ".config/goose/config.yaml"), /^ {2}dex-context:\n[\s\S]*^ {4}name: dex-context$/m);
  assert.equal(home.json<Answer>("install", "cursor").written, false);
  assert.match(home.run("doctor").stdout, /Cursor: connected/);
  home.json("uninstall", "cursor", "goose");
  assert.deepEqual(snapshot(home), before);

  const both = other.replace("\n  }", ',\n    "dex-context": { "command": "dexterity" }\n  }');
  const full = userHome({ ".cursor/mcp.json": both });
  const refused = full.run("install", "cursor");
  assert.equal(refused.status, 1);
  assert.match(refused.stdout, /starts something else; --force replaces it/);
  assert.match(full.run("uninstall", "cursor").stdout, /--force removes it/);
  assert.equal(read(full, ".cursor/mcp.json"), both);
  assert.equal(home.json<Answer>("install", "cursor", "--force").agents[0]?.status, "replaced");
  assert.doesNotMatch(read(home, ".cursor/mcp.json"), /dexterity/);
  assert.equal(read(home, ".cursor/mcp.json.dex-backup"), other);
  home.json("uninstall", "cursor");
  assert.deepEqual(JSON.parse(read(home, ".cursor/mcp.json")), { mcpServers: {} });
});

test("the user's additions to dex's entry stay, and a moved program is found again", () => {
  const home = userHome({
    ".codex/config.toml":
      '[mcp_servers.dex]\ncommand = "/gone/node"\nargs = ["/gone/dist/dex.js", "serve", "--tools", "all"]\n\n[mcp_servers.dex.env]\nDEX_HOME = "/x"\n',
  });
  assert.match(home.run("doctor").stdout, /Codex: connected, but cannot start: \/gone\/node does not exist/);
  assert.equal(home.json<Answer>("install").agents[0]?.status, "updated");
  const text = read(home, ".codex/config.toml");
  assert.match(text, /"serve", "--tools", "all"\]\n\n\[mcp_servers\.dex\.env\]\nDEX_HOME = "\/x"\n$/);
  assert.doesNotMatch(text, /gone/);
  assert.equal(home.json<Answer>("install").agents[0]?.status, "unchanged");
});

test("uninstall ignores settings that cannot be parsed, unless they may name dex", () => {
  const settings = {
    ".cursor/mcp.json": "{ index",
    ".claude.json": "{",
    ".claude/settings.json": "[",
    ".codex/config.toml": "= 1",
  };
  const home = userHome(settings);
  const { agents } = home.json<Answer>("uninstall");
  assert.deepEqual([...new Set(agents.map(({ status }) => status))], ["unchanged"]);
  assert.equal(home.run("uninstall", "cursor").status, 0);
  for (const text of ['{ "mcpServers": { "dex": ', Buffer.from('{ "dex"', "utf16le")]) {
    writeFileSync(join(home.home, ".cursor/mcp.json"), text);
    const refused = home.run("uninstall");
    assert.equal(refused.status, 1);
    assert.match(refused.stdout, /Cursor: failed/);
  }
});

test("OpenCode's newer shape is kept where the file has it", () => {
  const home = userHome({ ".config/opencode/opencode.json": '{\n  "mcp": {\n    "servers": {}\n  }\n}\n' });
  home.json("install", "opencode");
  const { mcp } = JSON.parse(read(home, ".config/opencode/opencode.json")) as { mcp: { servers: object } };
  assert.deepEqual(Object.keys(mcp), ["servers"]);
  assert.deepEqual(Object.keys(mcp.servers), ["dex"]);
});

test("doctor says for each agent whether it is connected", () => {
  const home = userHome({
    ".codex/config.toml": "",
    ".cursor/mcp.json": "{",
    ".gemini/x": "",
    "repo/opencode.json": '{"mcp":{"dex":{"type":"local","command":["npx","dex-context","serve"],"enabled":false}}}',
  });
  home.json("install", "codex");
  const answer = runIn(home, "repo", "doctor", "--json");
  const { connections } = JSON.parse(answer.stdout) as {
    connections: { agent: string; state: string; scope: string }[];
  };
  assert.deepEqual(
    connections.map(({ agent, state, scope }) => `${agent} ${scope} ${state}`),
    ["codex user connected", "cursor user unreadable", "opencode project off", "gemini user none"],
  );
});

test("a person at the terminal is shown the changes and asked; --yes does not ask", async () => {
  const home = userHome({ ".codex/config.toml": "a = 1\n" });
  const dex = await Dex.open({ vars: { HOME: home.home, DEX_HOME: home.dexHome, PATH: "" }, cwd: home.home });
  const asked: unknown[] = [];
  const run = async (answer: boolean, args: Record<string, unknown> = {}) => {
    const confirm = async (plan: unknown): Promise<boolean> => asked.push(plan) > 0 && answer;
    return (await runOperation(dex, install, install.input.parse(args), { confirm })).output;
  };
  const declined = await run(false);
  assert.equal(declined.held, "declined");
  assert.match(JSON.stringify(asked[0]), /\+\[mcp_servers\.dex\]/);
  assert.equal(read(home, ".codex/config.toml"), "a = 1\n");
  assert.equal((await run(true)).agents[0]?.status, "added");
  assert.equal(asked.length, 2);
  // Nothing to do, nothing to ask.
  assert.equal((await run(true)).written, false);
  home.json("uninstall");
  assert.equal((await run(false, { yes: true })).written, true);
  assert.equal(asked.length, 2);
  // An agent that writes its settings while the person thinks has the last word.
  home.json("uninstall");
  const meanwhile = async (): Promise<boolean> => {
    writeFileSync(join(home.home, ".codex/config.toml"), "a = 2\n");
    return true;
  };
  const { output } = await runOperation(dex, install, install.input.parse({}), { confirm: meanwhile });
  assert.equal(output.agents[0]?.status, "failed");
  assert.match(output.agents[0]?.note ?? "", /was changed by another program just now/);
  assert.equal(read(home, ".codex/config.toml"), "a = 2\n");
  dex.close();
});

test("the home folder is not a project", () => {
  const home = userHome();
  const before = snapshot(home);
  assert.match(home.run("install", "--project").stderr, /is your home folder, not a project/);
  assert.deepEqual(snapshot(home), before);
});

test("nobody there, or somebody unknown", () => {
  const home = userHome({});
  const none = home.run("install");
  assert.equal(none.status, 1);
  assert.match(none.stdout, /No agent was found/);
  const unknown = home.run("install", "cursr");
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /Did you mean cursor\?/);
  // A named agent need not be found.
  assert.equal(home.json<Answer>("install", "cursor").agents[0]?.status, "added");
  home.json("uninstall", "cursor");
  assert.equal(existsSync(join(home.home, ".cursor/mcp.json")), false);
});
