import assert from "node:assert/strict";
import { test } from "node:test";
import { TestRepository, temporaryFolder } from "../../test/support/repository.ts";
import { branchState } from "./branch.ts";
import { repositoryOrFolder } from "./repository.ts";

const state = (root: string) => branchState(repositoryOrFolder(root), 60_000);

test("a branch is compared with main, or with its upstream", async () => {
  const repo = new TestRepository();
  repo.commit("one", { "a.ts": "1" });
  assert.deepEqual(await state(repo.root), {
    name: "main",
    base: undefined,
    ahead: 0,
    behind: 0,
    changed: [],
    total: 0,
  });
  repo.git("checkout", "--quiet", "-b", "topic");
  repo.commit("two", { "b.ts": "2" });
  repo.commit("three", { "c.ts": "3" });
  repo.git("checkout", "--quiet", "main");
  repo.commit("four", { "d.ts": "4" });
  repo.git("checkout", "--quiet", "topic");
  repo.git("pack-refs", "--all");
  repo.write("with space.ts", "5");
  repo.write("a.ts", "changed");
  const topic = await state(repo.root);
  assert.deepEqual([topic?.name, topic?.base, topic?.ahead, topic?.behind], ["topic", "main", 2, 1]);
  assert.deepEqual(topic?.changed.sort(), ["a.ts", "with space.ts"]);
  repo.git("branch", "--quiet", "--set-upstream-to=main");
  assert.deepEqual((await state(repo.root))?.ahead, 2);
  repo.git("checkout", "--quiet", "--detach");
  assert.equal((await state(repo.root))?.name, undefined);
});

test("a folder without git has no branch", async () => {
  assert.equal(await state(temporaryFolder()), undefined);
});
