/** The date of a decision that only a file states. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { TestRepository, temporaryFolder } from "../../test/support/repository.ts";
import { repositoryOrFolder } from "../history/repository.ts";
import { updateHistory } from "../history/update.ts";
import { projectDecisions } from "./project.ts";

test("in a shallow clone, a decision is as old as the oldest commit, not as new as the checkout", async () => {
  const origin = new TestRepository();
  const mark = "// DECISION: amounts are whole cents, because floats drift.\n";
  origin.commit("start", { "src/money.ts": mark, "DECISIONS.md": "# Decisions\n\n- D1: One table for all money\n" });
  origin.commit("second", { "a.ts": "1" });
  origin.commit("third", { "a.ts": "2" });
  const clone = join(temporaryFolder(), "clone");
  origin.git("clone", "--quiet", "--depth", "2", `file://${origin.root}`, clone);
  const times = async (root: string): Promise<number[]> => {
    const repository = repositoryOrFolder(root);
    const folder = temporaryFolder();
    await updateHistory(repository, folder);
    const sources = { repository, folder, conversations: [], load: () => [], own: [], verdicts: new Map() };
    return (await projectDecisions(sources)).map(({ time }) => time);
  };
  const [first, second] = ["HEAD~2", "HEAD~1"].map((at) => Number(origin.git("log", "-1", "--format=%ct", at)) * 1000);
  assert.deepEqual(await times(origin.root), [first, first]);
  assert.deepEqual(await times(clone), [second, second]);
});
