import assert from "node:assert/strict";
import { test } from "node:test";
import { asObject } from "../kernel/json.ts";
import { PROVIDERS } from "../llm/providers.ts";
import { chooseModel } from "./model.ts";

test("the key goes into the environment, never into the configuration", () => {
  const url = PROVIDERS.anthropic?.url ?? assert.fail();
  const choice = chooseModel({ provider: "anthropic", url, model: "large", key: "secret-key" });
  assert.doesNotMatch(JSON.stringify(choice.config), /secret-key/);
  assert.match(JSON.stringify(choice.config), /\{env:DEX_LLM_API_KEY\}/);
  assert.deepEqual(choice.vars, { DEX_LLM_API_KEY: "secret-key" });
  assert.equal(choice.config.model, "anthropic/large");
  assert.equal(asObject(asObject(choice.config.provider).anthropic).npm, undefined);
});

test("a custom address uses OpenAI's protocol, even under the name of a known provider", () => {
  for (const provider of ["127.0.0.1:9", "anthropic", "ollama"]) {
    const choice = chooseModel({ provider, url: "http://127.0.0.1:9/v1", model: "org/m:1", key: undefined });
    const own = asObject(asObject(choice.config.provider).dex);
    assert.equal(choice.config.model, "dex/org/m:1");
    assert.equal(own.npm, "@ai-sdk/openai-compatible");
    assert.deepEqual(own.options, { baseURL: "http://127.0.0.1:9/v1" });
    assert.deepEqual(choice.vars, {});
  }
});
