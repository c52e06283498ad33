import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ANY_AGENT } from "./handoff.ts";
import { CONNECTABLE_IDS, HOOK_NAMES, hookName, INTEGRATIONS, loadHookHost, loadSources } from "./registry.ts";

const agents = join(import.meta.dirname, "agents");

test("every agent's folder is in the list, and its record names its content", () => {
  const folders = globSync("*/integration.ts", { cwd: agents }).map((file) => file.split("/")[0]);
  assert.deepEqual(folders.toSorted(), INTEGRATIONS.map(({ id }) => id).toSorted());
  for (const { id, history, settings, hooks } of INTEGRATIONS) {
    const has = (file: string): boolean => existsSync(join(agents, id, file));
    assert.equal(history !== undefined, has("history/source.ts"), `${id} history`);
    assert.equal(settings !== undefined, has("settings.ts"), `${id} settings`);
    assert.equal(hooks !== undefined, has("hooks.ts"), `${id} hooks`);
  }
});

test("a name or an alias belongs to one agent", () => {
  const names = [...INTEGRATIONS, ANY_AGENT].flatMap(({ id, aliases }) => [id, ...aliases]);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-z][a-z_]*$/);
});

test("readers have the id of their agent, in the order of the list", async () => {
  const sources = await loadSources();
  const expected = INTEGRATIONS.filter(({ history }) => history).map(({ id }) => id);
  assert.deepEqual(
    sources.map(({ id }) => id),
    expected,
  );
  assert.deepEqual(
    (await loadSources(["codex", "claude_code", "no such agent"])).map(({ id }) => id),
    ["claude_code", "codex"],
  );
});

test("hooks are found by the word after `dex hook`, which is `claude` for Claude Code", async () => {
  assert.deepEqual(HOOK_NAMES, [
    "claude",
    "codex",
    "cursor",
    "opencode",
    "gemini",
    "copilot",
    "cline",
    "droid",
    "crush",
    "qwen",
    "auggie",
    "kimi",
    "kiro",
    "qoder",
  ]);
  for (const name of HOOK_NAMES) assert.ok(await loadHookHost(name), name);
  assert.equal(await loadHookHost("claude_code"), undefined);
  assert.equal(await loadHookHost("vscode"), undefined);
});

test("an agent that runs hooks can be connected", () => {
  for (const { id, hooks } of INTEGRATIONS) if (hooks) assert.ok(CONNECTABLE_IDS.includes(id), id);
});

test("`dex hook` takes an agent's id, aliases and name, too", () => {
  for (const typed of ["claude", "claude-code", "claude_code", "Claude Code"]) assert.equal(hookName(typed), "claude");
  assert.equal(hookName("codex_cli"), "codex");
  assert.equal(hookName("aider"), "aider", "an agent without hooks is not a host");
  assert.equal(hookName("nobody"), "nobody");
});
