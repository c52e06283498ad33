/** No agent of the shared data is forgotten. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { DATA, skip } from "../../support/histories/agent_files.ts";

it("every agent of the data has a sample", { skip }, () => {
  const tests = globSync("*.test.ts", { cwd: import.meta.dirname });
  const samples = tests.map((file) => readFileSync(join(import.meta.dirname, file), "utf8")).join("\n");
  const agents = globSync("*/", { cwd: DATA }).map((folder) => folder.replace("/", ""));
  assert.ok(agents.length > 0);
  const forgotten = agents.filter((agent) => !samples.includes(`"${agent}/`));
  assert.deepEqual(forgotten, []);
});
