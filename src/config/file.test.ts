import assert from "node:assert/strict";
import { test } from "node:test";
import { changedText } from "./file.ts";
import { readValue, settingKey, settingValues } from "./keys.ts";

const TEXT = `# mine
sync:
  headless: true   # because of CI
  exclude: ["/a/**"]

# the model
llm:
  model: old  # fast
`;

test("a change keeps comments, order and everything else", async () => {
  const { text } = await changedText(
    TEXT,
    [
      { key: "llm.model", value: "new" },
      { key: "llm.timeout", value: 60 },
      { key: "sync.exclude", value: ["/b/**"] },
    ],
    "config.yaml",
  );
  assert.match(text, /^# mine\n/);
  assert.match(text, /headless: true {1,3}# because of CI/);
  assert.match(text, /# the model\nllm:\n {2}model: new {1,2}# fast\n {2}timeout: 60\n/);
  assert.match(text, /"?\/b\/\*\*"?/);
  assert.doesNotMatch(text, /\/a\//);
});

test("removing the last setting of a group removes the group; an empty group can be filled", async () => {
  const removed = await changedText("llm:\n  model: x\n", [{ key: "llm.model", value: undefined }], "config.yaml");
  assert.equal(removed.text, "");
  const filled = await changedText("llm:\n", [{ key: "llm.model", value: "x" }], "config.yaml");
  assert.equal(filled.text, "llm:\n  model: x\n");
});

test("a value the schema refuses changes nothing; an earlier problem does not prevent a change", async () => {
  await assert.rejects(changedText(TEXT, [{ key: "llm.temperature", value: 3 }], "config.yaml"), /llm\.temperature/);
  await assert.rejects(
    changedText("", [{ key: "embedding.provider", value: "endpoint" }], "config.yaml"),
    /endpoint needs embedding\.url/,
  );
  const edited = await changedText("llm:\n  temprature: 1\n", [{ key: "llm.model", value: "x" }], "config.yaml");
  assert.deepEqual(edited.remaining, ['unknown setting "llm.temprature"; did you mean "temperature"?']);
  await assert.rejects(changedText("a: [", [{ key: "llm.model", value: "x" }], "config.yaml"), /not valid YAML/);
});

test("names in any case are accepted; groups and misspelt names are explained", () => {
  assert.equal(settingKey("llm.apikey").key, "llm.apiKey");
  assert.throws(() => settingKey("llm.modle"), /no setting "llm\.modle"/);
  assert.throws(() => settingKey("llm"), /group of settings/);
});

test("values by type; a secret and a password in an address are masked", () => {
  assert.deepEqual(readValue(settingKey("sync.exclude"), "a, b,"), ["a", "b"]);
  assert.equal(readValue(settingKey("sync.headless"), "yes"), true);
  assert.throws(() => readValue(settingKey("llm.timeout"), "soon"), /takes a number/);
  const file = { llm: { apiKey: "sk-secret", baseUrl: "http://sam:pass@localhost/v1" } };
  const shown = settingValues([settingKey("llm.apiKey"), settingKey("llm.baseUrl")], file, {
    DEX_LLM_API_KEY: "sk-other",
  });
  assert.deepEqual(
    shown.map(({ value, origin, variable }) => [value, origin, variable]),
    [
      ["********", "environment", "DEX_LLM_API_KEY"],
      ["http://********@localhost/v1", "file", undefined],
    ],
  );
});
