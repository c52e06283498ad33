/** No agent of the shared data is forgotten. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { DATA, skip } from "../../support/histories/agent_files.ts";

/** dex has no reader for these. */
const WITHOUT_READER = ["astrbot", "deepagents"];

it("every agent of the data with a reader has a sample", { skip }, () => {
  const tests = globSync("*.test.ts", { cwd: import.meta.dirname });
  const samples = tests.map((file) => readFileSync(join(import.meta.dirname, file), "utf8")).join("\n");
  const agents = globSync("*/", { cwd: DATA }).map((folder) => folder.replace("/", ""));
  assert.ok(agents.length > WITHOUT_READER.length);
  const forgotten = agents.filter((agent) => !samples.includes(`"${agent}/`));
  assert.deepEqual(forgotten.sort(), WITHOUT_READER);
});
