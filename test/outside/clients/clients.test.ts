/**
 * Real agents use dex: OpenCode and Codex, in a clean environment with a home of their own, against a scripted model on
 * the loopback. They list dex's tools, call two of them, and answer from what came back.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  codexModel,
  type ModelRequest,
  type ModelServer,
  offeredTools,
  startModelServer,
} from "../../support/model/model_server.ts";
import { recall, SLOW_NOTES } from "../../support/model/recall.ts";
import { type Answer, answerOf, program, sampleHome } from "../../support/program/dex.ts";
import { installed, installedProgram, missing } from "../../support/program/installed.ts";
import { HANG_MS } from "../../support/program/limits.ts";

const OPENCODE = "opencode-ai@1.18.18";
const CODEX = "@openai/codex@0.166.0";
const opencode = installed(OPENCODE, { scripts: true });
const codex = installed(CODEX);
const TOOLS = ["dex_stats", "dex_list", "dex_search", "dex_get", "dex_timeline", "dex_scan", "dex_read", "__IMPORTANT"];

test("OpenCode lists the tools, searches, gets, and answers", { skip: missing(OPENCODE, opencode) }, async () => {
  await withClient(async (home, model) => {
    const config = {
      autoupdate: false,
      model: "loop/scripted",
      small_model: "loop/scripted",
      provider: {
        loop: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: model.url, apiKey: "{env:LOOP_KEY}" },
          models: { scripted: { name: "scripted" } },
        },
      },
      mcp: { dex: { type: "local", command: [process.execPath, program, "serve"], timeout: 60_000 } },
    };
    write(join(home, ".config/opencode/opencode.json"), JSON.stringify(config));
    const file = installedProgram(opencode ?? "", "opencode");
    const vars = { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1", LOOP_KEY: "loop-key" };
    const run = await runClient(file, ["run", SLOW_NOTES.question], home, vars);
    assert.equal(run.status, 0, run.stderr);
    assert.match(run.stdout, SLOW_NOTES.fact);
    checkTools(model.requests, "dex_");
    assert.equal(model.requests[0]?.headers.authorization, "Bearer loop-key");
  });
});

test("Codex lists the tools, searches, gets, and answers", { skip: missing(CODEX, codex) }, async () => {
  await withClient(async (home, model) => {
    const config = [
      ...codexModel(model),
      "[mcp_servers.dex]",
      `command = ${JSON.stringify(process.execPath)}`,
      `args = ${JSON.stringify([program, "serve"])}`,
      // Otherwise Codex asks the model at once, on a busy machine before it knows the tools.
      "required = true",
    ];
    write(join(home, ".codex/config.toml"), config.join("\n"));
    const file = installedProgram(codex ?? "", "codex");
    const args = [file, "exec", "--skip-git-repo-check", SLOW_NOTES.question];
    const run = await runClient(process.execPath, args, home, { LOOP_KEY: "loop-key" });
    assert.equal(run.status, 0, run.stderr);
    assert.match(run.stdout, SLOW_NOTES.fact);
    checkTools(model.requests, "mcp__dex.");
  });
});

/** All are offered, and the two that were called gave what they should: else the answer could not hold the fact. */
function checkTools(requests: readonly ModelRequest[], prefix: string): void {
  const offered = new Set(requests.flatMap(offeredTools));
  assert.deepEqual(
    TOOLS.filter((tool) => !offered.has(`${prefix}${tool}`)),
    [],
  );
}

async function withClient(use: (home: string, model: ModelServer) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "dex-client-"));
  const model = await startModelServer(recall);
  try {
    cpSync(sampleHome, home, { recursive: true });
    await use(home, model);
  } finally {
    await model.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

function write(path: string, content: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
}

/** Not synchronous: the model answers from this process. */
function runClient(file: string, args: string[], home: string, vars: Record<string, string>): Promise<Answer> {
  const env = { PATH: process.env.PATH ?? "", HOME: home, ...vars };
  return answerOf(spawn(file, args, { cwd: home, env, stdio: ["ignore", "pipe", "pipe"], timeout: HANG_MS }));
}
