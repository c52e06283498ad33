import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { dexPaths } from "../config/paths.ts";
import { asArray, asObject, parseJson } from "../kernel/json.ts";
import { chooseModel } from "./model.ts";
import { preparePlace } from "./place.ts";

const root = mkdtempSync(join(tmpdir(), "dex-place-"));
after(() => rmSync(root, { recursive: true, force: true }));

test("OpenCode sees only the chat's folder; the dex server sees the user's folders", () => {
  const vars = { HOME: root, XDG_DATA_HOME: "/data/of/user", OPENCODE_CONFIG: "/config/of/user", PATH: "/bin" };
  const paths = dexPaths(vars);
  const folder = join(paths.chats, "one");
  const model = chooseModel({ provider: "lab", model: "m", key: "secret-key", url: "http://127.0.0.1:9/v1" });
  const env = preparePlace(folder, { paths, vars, self: ["node", "dex.js"], model });
  for (const name of ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "OPENCODE_TEST_HOME"]) {
    assert.ok(env[name]?.startsWith(`${folder}/`), name);
  }
  assert.equal(env.OPENCODE_CONFIG, undefined);
  assert.equal(env.HOME, root);
  assert.equal(env.DEX_LLM_API_KEY, "secret-key");

  const text = readFileSync(join(folder, "config/opencode/opencode.json"), "utf8");
  assert.doesNotMatch(text, /secret-key/);
  const config = asObject(parseJson(text));
  const server = asObject(asObject(config.mcp).dex);
  assert.deepEqual(asArray(server.command), ["node", "dex.js", "serve"]);
  const given = asObject(server.environment);
  assert.equal(given.XDG_DATA_HOME, "/data/of/user");
  assert.equal(given.XDG_CONFIG_HOME, "");
  assert.equal(given.DEX_HOME, paths.home);
  assert.deepEqual(asArray(config.disabled_providers), ["opencode"]);
});
