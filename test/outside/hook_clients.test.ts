/**
 * Real agents run dex's hooks as `dex install --hooks` sets them up: OpenCode and Codex, in a home of their own, against
 * a scripted model on the loopback. The request to the model contains the output of the hooks, and only the first time.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { type Answer, answerOf } from "../support/dex.ts";
import { PATIENT, scene } from "../support/hook_scene.ts";
import { installed, installedProgram, missing } from "../support/installed.ts";
import { HANG_MS } from "../support/limits.ts";
import {
  codexModel,
  type ModelRequest,
  type ModelScript,
  offeredTools,
  startModelServer,
  toolResults,
} from "../support/model_server.ts";

const OPENCODE = "opencode-ai@1.18.18";
const CODEX = "@openai/codex@0.166.0";
const opencode = installed(OPENCODE, { scripts: true });
const codex = installed(CODEX);

const { home, repo } = scene();
after(() => home.remove());

const QUESTION = "Change how src/ledger.ts rounds";
/** Said at the start of a session, for a prompt, and after a file was read. */
const START = "Recorded by dex about this project";
const PROMPT = "Recorded by dex and possibly related";
const FILE = "Recorded by dex about this file";

/** The model reads the file by the agent's own tool, then answers. */
function reader(call: (tools: readonly string[]) => { name: string; arguments: object }): ModelScript {
  return (request) => {
    const tools = offeredTools(request);
    // A request without tools asks for a title.
    if (tools.length === 0) return { text: "Rounding" };
    const read = toolResults(request).length > 0;
    return read ? { text: "Done." } : { toolCalls: [call(tools)] };
  };
}

/** How often a text stands in a request, wherever the client put it. */
function count(request: ModelRequest | undefined, text: string): number {
  return JSON.stringify(request?.body ?? {}).split(text).length - 1;
}

function install(agent: string): void {
  const run = home.run("install", agent, "--hooks", "--yes");
  assert.equal(run.status, 0, run.stdout + run.stderr);
}

function run(file: string, args: string[], vars: Record<string, string>): Promise<Answer> {
  const env = { ...home.env, ...PATIENT, ...vars };
  return answerOf(spawn(file, args, { cwd: repo.root, env, stdio: ["ignore", "pipe", "pipe"], timeout: HANG_MS }));
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

test("OpenCode's model receives the context of dex once", { skip: missing(OPENCODE, opencode) }, async () => {
  const path = join(repo.root, "src/ledger.ts");
  const model = await startModelServer(reader(() => ({ name: "read", arguments: { filePath: path } })));
  try {
    const provider = {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: model.url, apiKey: "none" },
      models: { scripted: { name: "scripted" } },
    };
    const config = {
      autoupdate: false,
      model: "loop/scripted",
      small_model: "loop/scripted",
      provider: { loop: provider },
    };
    write(join(home.home, ".config/opencode/opencode.json"), JSON.stringify(config));
    // OpenCode installs its plugin package at each start, from the registry, unless a lock file names it; dex's plugin
    // does without.
    mkdirSync(join(home.home, ".config/opencode/node_modules"), { recursive: true });
    const packages = { "": { dependencies: { "@opencode-ai/plugin": "*" } } };
    write(join(home.home, ".config/opencode/package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages }));
    install("opencode");
    const file = installedProgram(opencode ?? "", "opencode");
    const vars = { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" };
    const first = await run(file, ["run", QUESTION], vars);
    assert.equal(first.status, 0, first.stderr);
    const last = model.requests.findLast((request) => offeredTools(request).length > 0);
    assert.deepEqual(
      [START, PROMPT, FILE].map((text) => count(last, text)),
      [1, 1, 1],
      hooksLog(),
    );
    assert.ok(count(last, "whole cents") > 0);
    const second = await run(file, ["run", "--continue", QUESTION], vars);
    assert.equal(second.status, 0, second.stderr);
    const again = model.requests.findLast((request) => offeredTools(request).length > 0);
    assert.equal(count(again, QUESTION), 2, "the second request continues the first");
    assert.deepEqual(
      [START, PROMPT, FILE].map((text) => count(again, text)),
      [1, 1, 1],
      hooksLog(),
    );
  } finally {
    await model.close();
  }
});

test("Codex's model receives the context of dex once", { skip: missing(CODEX, codex) }, async () => {
  const call = (tools: readonly string[]): { name: string; arguments: object } =>
    tools.includes("exec_command")
      ? { name: "exec_command", arguments: { cmd: "cat src/ledger.ts" } }
      : { name: "shell", arguments: { command: ["bash", "-lc", "cat src/ledger.ts"] } };
  const model = await startModelServer(reader(call));
  try {
    write(join(home.home, ".codex/config.toml"), codexModel(model).join("\n"));
    install("codex");
    const file = installedProgram(codex ?? "", "codex");
    const vars = { LOOP_KEY: "loop-key" };
    const untrusted = await run(process.execPath, [file, "exec", "--skip-git-repo-check", "Hello"], vars);
    assert.equal(untrusted.status, 0, untrusted.stderr);
    assert.equal(count(model.requests.at(-1), START), 0, "hooks that nobody trusts do not run");
    // Trust is given by a person in Codex itself (/hooks), or for one run by this flag.
    const flags = ["--dangerously-bypass-hook-trust", "--skip-git-repo-check"];
    const first = await run(process.execPath, [file, "exec", ...flags, QUESTION], vars);
    assert.equal(first.status, 0, first.stderr);
    const last = model.requests.at(-1);
    assert.deepEqual(
      [START, PROMPT, FILE].map((text) => count(last, text)),
      [1, 1, 1],
      hooksLog() + first.stderr,
    );
    const second = await run(process.execPath, [file, "exec", ...flags, "resume", "--last", QUESTION], vars);
    assert.equal(second.status, 0, second.stderr);
    const again = model.requests.at(-1);
    assert.ok(count(again, QUESTION) >= 2, "the second request continues the first");
    assert.deepEqual(
      [START, PROMPT, FILE].map((text) => count(again, text)),
      [1, 1, 1],
      hooksLog() + second.stderr,
    );
  } finally {
    await model.close();
  }
});

function hooksLog(): string {
  try {
    return readFileSync(join(home.dexHome, "hooks.log"), "utf8");
  } catch {
    return "no log\n";
  }
}
