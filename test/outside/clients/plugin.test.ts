/** The plugin as Claude Code itself sees it: its validator accepts it, and each component is reachable by its name. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { asArray, asObject, parseJson } from "../../../src/kernel/json.ts";
import { CHECKOUT } from "../../support/program/checkout.ts";
import { TestHome } from "../../support/program/dex.ts";
import { installed, installedProgram, missing } from "../../support/program/installed.ts";
import { HANG_MS } from "../../support/program/limits.ts";

const CLAUDE = "@anthropic-ai/claude-code@2.1.325";
const folder = installed(CLAUDE, { scripts: true });
const skip = missing(CLAUDE, folder);
const plugin = join(CHECKOUT, "plugins/dex");
const home = new TestHome();

function claude(...args: string[]): string {
  const env = { ...home.env, DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" };
  const run = spawnSync(installedProgram(folder ?? "", "claude"), args, {
    cwd: home.home,
    env,
    encoding: "utf8",
    timeout: HANG_MS,
  });
  assert.equal(run.status, 0, `claude ${args.join(" ")}: ${run.stdout}${run.stderr}`);
  return run.stdout;
}

test("Claude Code accepts the plugin and the marketplace without a warning, and so does its directory", {
  skip,
}, () => {
  const report = (...args: string[]): Record<string, unknown> => {
    const value = parseJson(claude("plugin", "validate", "--strict", "--json", ...args));
    assert.ok(value !== undefined);
    return asObject(value);
  };
  assert.equal(report(CHECKOUT).success, true);
  const checked = report("--profile", "directory", plugin);
  assert.equal(checked.success, true);
  assert.deepEqual(asArray(asObject(checked.directory).findings), []);
});

test("an installed plugin offers each skill and command once", { skip }, () => {
  claude("plugin", "marketplace", "add", CHECKOUT);
  claude("plugin", "install", "dex@dex");
  const details = claude("plugin", "details", "dex@dex");
  const listed = /Skills \(\d+\)\s+(.+)/.exec(details)?.[1]?.split(", ").sort();
  const skills = globSync("skills/*/SKILL.md", { cwd: plugin }).map((path) => basename(dirname(path)));
  const commands = globSync("commands/*.md", { cwd: plugin }).map((path) => basename(path, ".md"));
  assert.deepEqual(listed, [...skills, ...commands].sort(), details);
});
