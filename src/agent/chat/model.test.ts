import assert from "node:assert/strict";
import { test } from "node:test";
import { asObject } from "../../kernel/json.ts";
import { chooseModel } from "./model.ts";

test("without a model, or without a place to find it, OpenCode chooses", () => {
  assert.equal(chooseModel({}), undefined);
  assert.equal(chooseModel({ provider: "anthropic", apiKey: "k" }), undefined);
  assert.equal(chooseModel({ model: "small" }), undefined);
});

test("the key goes into the environment, never into the configuration", () => {
  const choice = chooseModel({ provider: "anthropic", model: "large", apiKey: "secret-key" });
  assert.ok(choice);
  assert.doesNotMatch(JSON.stringify(choice.config), /secret-key/);
  assert.match(JSON.stringify(choice.config), /\{env:DEX_LLM_API_KEY\}/);
  assert.deepEqual(choice.vars, { DEX_LLM_API_KEY: "secret-key" });
  assert.equal(choice.config.model, "anthropic/large");
  assert.equal(asObject(asObject(choice.config.provider).anthropic).npm, undefined);
});

test("any address is spoken to in OpenAI's protocol, also one given as the provider", () => {
  const named = chooseModel({ provider: "lab", model: "m", baseUrl: "http://127.0.0.1:9/v1" });
  const lab = asObject(asObject(named?.config.provider).lab);
  assert.equal(lab.npm, "@ai-sdk/openai-compatible");
  assert.deepEqual(lab.options, { baseURL: "http://127.0.0.1:9/v1" });
  const bare = chooseModel({ provider: "http://127.0.0.1:9/v1", model: "m" });
  assert.equal(bare?.config.model, "custom/m");
  assert.deepEqual(asObject(asObject(bare?.config.provider).custom).options, { baseURL: "http://127.0.0.1:9/v1" });
});
