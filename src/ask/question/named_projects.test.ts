import assert from "node:assert/strict";
import { test } from "node:test";
import { namedProjects, namesIn } from "./named_projects.ts";

const FOLDERS = ["/home/ada/tide-ledger", "/srv/tide-ledger", "D:\\work\\lantern", "/srv/skills"];
const named = (question: string): string[] => namedProjects(question, FOLDERS).map(({ name }) => name);

test("a name of several words names a project, one word only as a place at the end", () => {
  assert.deepEqual(named("How does tide ledger round?"), ["tide-ledger"]);
  assert.deepEqual(named("Why was the cache removed in lantern?"), ["lantern"]);
  assert.deepEqual(named("What did we change in the skills repository"), ["skills"]);
  for (const question of ["Which skills are loaded?", "Is the tide in the ledger?", "What is tide-ledger-web?"])
    assert.deepEqual(named(question), [], question);
});

test("a project is named in paths and texts, also as a part of another name", () => {
  const projects = namedProjects("the worktrees of tide-ledger", FOLDERS);
  assert.deepEqual(namesIn(projects, "/srv/worktrees/tide-ledger-2"), ["tide ledger"]);
  assert.deepEqual(namesIn(projects, "see https://example.org/harbour/tide-ledger@main"), ["tide ledger"]);
  assert.deepEqual(namesIn(projects, "the ledger of the tide"), []);
});
