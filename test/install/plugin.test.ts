/** The plugin's texts and files: what they tell agents to call exists, as the operations define it. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { test } from "node:test";
import * as z from "zod";
import { commandProblem, loadVerbs } from "../../scripts/docs/commands.ts";
import { PROGRAMS } from "../../src/cli/programs/registry.ts";
import { asArray, asObject, asString, parseJson } from "../../src/kernel/json.ts";
import { OPERATIONS } from "../../src/operations/registry.ts";
import { CHECKOUT } from "../support/program/checkout.ts";

const plugin = join(CHECKOUT, "plugins/dex");
const operations = await Promise.all(Object.values(OPERATIONS).map((load) => load()));
const verbs = await loadVerbs();

/** The texts that tell people and agents what to type. */
const texts = [
  ...globSync("**/*.{md,toml}", { cwd: plugin }).map((path) => join(plugin, path)),
  join(CHECKOUT, "docs/guide/agents.md"),
].map((file) => ({ name: relative(CHECKOUT, file), text: readFileSync(file, "utf8") }));

/** `dex …` in code, up to the end of the code, a pipe or a comment. A span may go over a line's end. */
function commandsIn(text: string): string[] {
  const fenced = [...text.matchAll(/```[a-z]*\n([\s\S]*?)```/g)].flatMap(([, block = ""]) => block.split("\n"));
  const spans = [...text.replace(/```[\s\S]*?```/g, "").matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
  return [...fenced, ...spans]
    .map((command) => command.replace(/\s+/g, " ").trim())
    .filter((command) => /^dex( |$)/.test(command))
    .map((command) => command.split(/ \| | # /)[0]?.trim() ?? "");
}

/** `dex_scan(id, target=2000)`: each name a parameter, each value one that the parameter takes. */
function checkCall(name: string, parameters: string): string | undefined {
  const operation = operations.find((each) => each.name === name);
  if (!operation) return "is not an operation";
  if (operation.toolset === undefined) return "is not a tool";
  for (const [, key = "", value] of parameters.matchAll(/([a-z_]+)(?:=("[^"]*"|[\w.]+))?/g)) {
    const field = operation.input.shape[key];
    if (!field) return `has no parameter ${key}`;
    if (value !== undefined && !z.safeParse(field as z.ZodType, JSON.parse(value)).success)
      return `takes no ${key}=${value}`;
  }
  return undefined;
}

test("every command and flag that the texts mention exists", () => {
  const wrong: string[] = [];
  let checked = 0;
  for (const { name, text } of texts) {
    for (const command of commandsIn(text)) {
      checked += 1;
      const problem = commandProblem(command, verbs);
      if (problem) wrong.push(`${name}: \`${command}\` ${problem}`);
    }
  }
  assert.ok(checked > 25, `the commands were found (${checked})`);
  assert.deepEqual(wrong, []);
});

test("every tool and parameter that the texts mention exists", () => {
  const wrong: string[] = [];
  let checked = 0;
  for (const { name, text } of texts) {
    for (const [whole, tool = "", parameters = ""] of text.matchAll(/\b(dex_[a-z_]+)(?:\(([^)]*)\))?/g)) {
      checked += 1;
      const problem = checkCall(tool, parameters);
      if (problem) wrong.push(`${name}: ${whole} ${problem}`);
    }
  }
  assert.ok(checked > 12, `the calls were found (${checked})`);
  assert.deepEqual(wrong, []);
});

test("the checks can fail", () => {
  assert.match(commandProblem("dex serach x", verbs) ?? "", /is not a command/);
  assert.match(commandProblem("dex list --limt 3", verbs) ?? "", /has no --limt/);
  assert.match(commandProblem("dex show 3f2a --format outlin", verbs) ?? "", /does not take --format/);
  assert.match(commandProblem("dex stats notes-api", verbs) ?? "", /takes no arguments/);
  assert.match(checkCall("dex_none", "") ?? "", /is not an operation/);
  assert.deepEqual(commandsIn("run `dex show\n3f2a`:\n```sh\ndex list | head\n```\n"), ["dex list", "dex show 3f2a"]);
});

function json(path: string): Record<string, unknown> {
  const value = parseJson(readFileSync(join(CHECKOUT, path), "utf8"));
  assert.ok(value !== undefined, `${path} is JSON`);
  return asObject(value);
}

test("the manifests have what their hosts require, and one version", () => {
  const { version, files } = json("package.json");
  for (const path of [".claude-plugin/plugin.json", ".codex-plugin/plugin.json", "gemini-extension.json"]) {
    const manifest = json(`plugins/dex/${path}`);
    assert.equal(manifest.name, "dex", path);
    assert.equal(manifest.version, version, path);
    assert.ok(asString(manifest.description), path);
  }
  const marketplace = json(".claude-plugin/marketplace.json");
  assert.match(asString(marketplace.name) ?? "", /^[a-z0-9-]+$/);
  assert.ok(asString(asObject(marketplace.owner).name));
  for (const entry of asArray(marketplace.plugins).map(asObject)) {
    const source = asString(entry.source) ?? "";
    assert.ok(source.startsWith("./"));
    assert.equal(json(join(source, ".claude-plugin/plugin.json")).name, entry.name);
  }
  const codex = json("plugins/dex/.codex-plugin/plugin.json");
  assert.equal(globSync("*/SKILL.md", { cwd: join(plugin, asString(codex.skills) ?? "none") }).length, 2);
  assert.ok(json(join("plugins/dex", asString(codex.mcpServers) ?? "")).mcpServers);
  for (const folder of ["plugins", ".claude-plugin"]) assert.ok(asArray(files).includes(folder), `${folder} is packed`);
});

test("the servers that the manifests name are dex's own command", () => {
  for (const path of ["plugins/dex/.mcp.json", "plugins/dex/gemini-extension.json"]) {
    assert.deepEqual(json(path).mcpServers, { dex: { command: "dex", args: ["serve"] } }, path);
  }
  assert.ok("serve" in PROGRAMS);
});

test("the hooks are those that dex install --hooks writes for Claude Code, each with a time limit", async () => {
  const { claudeCodeHooks } = await import("../../src/integrations/agents/claude_code/hooks.ts");
  const { claudeCodeSettings } = await import("../../src/integrations/agents/claude_code/settings.ts");
  const hooks = claudeCodeSettings.hooks?.({ home: "/h", vars: {}, platform: "linux", project: "/p" }, "user");
  assert.ok(hooks && "lists" in hooks);
  const events = asObject(json("plugins/dex/hooks/claude.json").hooks);
  const installed = hooks.lists("dex hook claude").map(({ path, entry }) => [path.at(-1), [entry]]);
  assert.deepEqual(events, Object.fromEntries(installed));
  for (const [event, groups] of Object.entries(events)) {
    assert.ok(claudeCodeHooks.read({ hook_event_name: event, tool_name: "Edit", tool_input: {} }), event);
    const commands = asArray(groups).flatMap((group) => asArray(asObject(group).hooks).map(asObject));
    assert.ok(
      commands.every(({ timeout }) => typeof timeout === "number" && timeout > 0 && timeout <= 10),
      `${event} has a limit in seconds`,
    );
  }
  // Gemini CLI would read hooks/hooks.json, and take the limit for milliseconds.
  assert.equal(json("plugins/dex/.claude-plugin/plugin.json").hooks, "./hooks/claude.json");
  assert.ok(!existsSync(join(plugin, "hooks/hooks.json")));
  assert.ok("hook" in PROGRAMS);
});

test("agents, skills and commands are described, and skills bear the name of their folder", async () => {
  const { parse } = await import("yaml");
  for (const path of globSync("{agents,skills,commands}/**/*.md", { cwd: plugin })) {
    const text = readFileSync(join(plugin, path), "utf8");
    const front = asObject(parse(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? ""));
    const description = asString(front.description) ?? "";
    assert.ok(description.length > 20 && description.length < 1024, path);
    if (path.startsWith("skills/")) assert.equal(front.name, dirname(path).split("/").at(-1));
    // Gemini CLI refuses an agent with any field it does not know.
    if (path.startsWith("agents/")) assert.deepEqual(Object.keys(front), ["name", "description"]);
  }
});

test("a skill, a command and an agent never share a name, and the model is offered the skill, not its command", async () => {
  const { parse } = await import("yaml");
  const named = (pattern: string, name: (path: string) => string): string[] =>
    globSync(pattern, { cwd: plugin }).map(name);
  const stem = (path: string): string => basename(path).replace(/\.\w+$/, "");
  const skills = named("skills/*/SKILL.md", (path) => basename(dirname(path)));
  const agents = named("agents/*.md", stem);
  // Claude Code reads the .md files, Gemini CLI the .toml files.
  for (const commands of [named("commands/*.md", stem), named("commands/*.toml", stem)]) {
    const all = [...skills, ...agents, ...commands].map((name) => name.toLowerCase());
    assert.equal(new Set(all).size, all.length, all.join(", "));
  }
  const text = readFileSync(join(plugin, "commands/lookup.md"), "utf8");
  const front = asObject(parse(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? ""));
  assert.equal(front["disable-model-invocation"], true, "for people: the model has the skill `recall`");
  assert.match(text, /`recall` skill/);
  assert.ok(skills.includes("recall"));
});
