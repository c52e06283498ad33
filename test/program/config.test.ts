/** `dex config` of the built program. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { program, TestHome } from "../support/program/dex.ts";

const KEY = "sk-config-0123456789abcdef";
function newHome(vars: Record<string, string> = {}): TestHome {
  // Nothing is set that the test did not set.
  const home = new TestHome({ vars: { DEX_HOOKS_REFRESH: "", DEX_SYNC_BACKGROUND: "", ...vars } });
  return home;
}

const fileOf = (home: TestHome): string => join(home.dexHome, "config.yaml");

test("set, get, list, reset; the file is private", () => {
  const home = newHome();
  assert.equal(home.run("config", "get", "llm.model").status, 1);
  assert.equal(home.run("config", "set", "llm.model", "qwen3:14b").status, 0);
  assert.equal(home.run("config", "set", "sync.exclude", "/a/**,/b/**").status, 0);
  assert.equal(home.run("config", "get", "llm.model").stdout, "qwen3:14b\n");
  assert.equal(home.run("config", "path").stdout, `${fileOf(home)}\n`);
  assert.equal(statSync(fileOf(home)).mode & 0o777, 0o600);
  assert.match(home.run("config", "list").stdout, /llm\.model +qwen3:14b +file/);
  const { settings } = home.json<{ settings: { key: string; value: unknown }[] }>("config", "list", "--set");
  assert.deepEqual(
    settings.map(({ key, value }) => [key, value]),
    [
      ["sync.exclude", ["/a/**", "/b/**"]],
      ["llm.model", "qwen3:14b"],
    ],
  );
  assert.equal(home.run("config", "reset", "llm").status, 0);
  assert.equal(home.run("config", "get", "llm.model").status, 1);
  assert.equal(home.run("config", "reset").status, 2);
  assert.equal(home.run("config", "reset", "--all").status, 0);
  assert.equal(readFileSync(fileOf(home), "utf8"), "");
});

test("settings that are not set can be reset, in a new home and in a group without settings", () => {
  const home = newHome();
  const on = home.run("hooks", "on");
  assert.equal(on.status, 0, on.stderr);
  assert.match(on.stdout, /^Hooks are on\./);
  writeFileSync(fileOf(home), "hooks:\nllm:\n  model: x\n");
  assert.equal(home.run("hooks", "on").status, 0);
  assert.equal(home.run("config", "get", "llm.model").stdout, "x\n");
});

test("a key is stored, and printed nowhere", () => {
  const home = newHome();
  const set = spawnSync(process.execPath, [program, "config", "set", "llm.apiKey"], {
    env: home.env,
    input: `${KEY}\n`,
    encoding: "utf8",
  });
  assert.equal(set.status, 0, set.stderr);
  assert.match(readFileSync(fileOf(home), "utf8"), new RegExp(`apiKey: ${KEY}`));
  const said = [
    set.stdout,
    set.stderr,
    ...[["get", "llm.apiKey"], ["get", "llm"], ["list"], ["set", "llm.apiKey", "has a space"]].flatMap((words) => {
      const { stdout, stderr } = home.run("config", ...words);
      return [stdout, stderr, home.run("config", ...words, "--json").stdout];
    }),
  ].join("\n");
  assert.ok(!said.includes(KEY));
  assert.match(said, /\*{8}/);
  for (const file of readdirSync(home.dexHome, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || file.name === "config.yaml") continue;
    assert.ok(!readFileSync(join(file.parentPath, file.name)).includes(KEY), file.name);
  }
});

test("slips are refused with the nearest name, and change nothing", () => {
  const home = newHome();
  const slip = home.run("config", "set", "llm.modle", "x");
  assert.equal(slip.status, 2);
  assert.match(slip.stderr, /Did you mean llm\.model\?/);
  assert.match(home.run("config", "set", "embedding.provider", "statik").stderr, /embedding\.provider/);
  assert.match(home.run("config", "set", "llm.temperature", "5").stderr, /Nothing was changed/);
  assert.equal(home.json<{ exists: boolean }>("config", "path").exists, false);
});

test("broken settings can be corrected; dex names an environment variable that overrides a setting", () => {
  const home = newHome({ DEX_LLM_MODEL: "from-env" });
  home.run("config", "set", "sync.headless", "true");
  writeFileSync(fileOf(home), "# note\nllm:\n  temperature: 9\n");
  assert.equal(home.run("stats").status, 2);
  assert.equal(home.run("config", "set", "llm.temperature", "1").status, 0);
  assert.equal(readFileSync(fileOf(home), "utf8"), "# note\nllm:\n  temperature: 1\n");
  assert.equal(home.run("sync").status, 0);
  const set = home.run("config", "set", "llm.model", "x");
  assert.match(set.stderr, /The environment variable DEX_LLM_MODEL overrides/);
  assert.equal(home.run("config", "get", "llm.model").stdout, "from-env\n");
});

test("edit: through a link, checked before it is saved", () => {
  const home = newHome();
  const editor = join(home.home, "editor");
  const edit = (content: string): ReturnType<TestHome["run"]> => {
    writeFileSync(editor, `#!/bin/sh\nprintf '%b' '${content}' > "$1"\n`);
    chmodSync(editor, 0o755);
    home.vars.EDITOR = editor;
    return home.run("config", "edit");
  };
  home.run("config", "set", "sync.headless", "true");
  const kept = join(home.home, "dotfile.yaml");
  renameSync(fileOf(home), kept);
  symlinkSync(kept, fileOf(home));
  const refused = edit("llm:\\n  modle: x\\n");
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /did you mean "model"/);
  assert.equal(readFileSync(fileOf(home), "utf8"), "sync:\n  headless: true\n");
  const saved = edit("llm:\\n  model: edited\\n");
  assert.equal(saved.status, 0, saved.stderr);
  assert.equal(home.run("config", "get", "llm.model").stdout, "edited\n");
  assert.ok(lstatSync(fileOf(home)).isSymbolicLink());
  assert.equal(statSync(kept).mode & 0o777, 0o600);
});

test("a changed settings file counts at once, although dex keeps what it made of the last one, without keys", () => {
  const home = newHome();
  // Any variable with a setting would go to the schema.
  const settings = { DEX_HOOKS_REFRESH: undefined, DEX_SYNC_BACKGROUND: undefined };
  const kept = join(home.dexHome, "compile-cache", "settings.json");
  const timezone = (): unknown => {
    const run = spawnSync(process.execPath, [program, "usage", "--json"], {
      cwd: home.cwd,
      env: { ...home.env, ...settings },
      encoding: "utf8",
    });
    return run.status === 2 ? run.stderr : (JSON.parse(run.stdout) as { timezone: string }).timezone;
  };
  assert.equal(home.run("config", "set", "usage.timezone", "Asia/Tokyo").status, 0);
  assert.equal(timezone(), "Asia/Tokyo");
  assert.equal(statSync(kept).mode & 0o777, 0o600);
  assert.equal(timezone(), "Asia/Tokyo");
  // Of the same length, and at once: neither size nor time tells them apart.
  writeFileSync(fileOf(home), readFileSync(fileOf(home), "utf8").replace("Asia/Tokyo", "Asia/Dubai"));
  assert.equal(timezone(), "Asia/Dubai");
  assert.equal(timezone(), "Asia/Dubai");
  // In a folder that is open to others, anybody could have written it.
  const planted = readFileSync(kept, "utf8").replace(/("timezone":)"[^"]+"/, '$1"Asia/Kabul"');
  assert.match(planted, /Kabul/);
  writeFileSync(kept, planted);
  assert.equal(timezone(), "Asia/Kabul");
  chmodSync(join(kept, ".."), 0o777);
  assert.equal(timezone(), "Asia/Dubai");
  chmodSync(join(kept, ".."), 0o700);
  writeFileSync(kept, "{ not JSON");
  assert.equal(timezone(), "Asia/Dubai");
  writeFileSync(fileOf(home), "usage:\n  timezone: 5\n");
  assert.match(String(timezone()), /usage\.timezone/);
  writeFileSync(fileOf(home), `usage:\n  timezone: Asia/Seoul\nllm:\n  apiKey: ${KEY}\n`);
  assert.equal(timezone(), "Asia/Seoul");
  assert.ok(!readFileSync(kept, "utf8").includes(KEY));
});
