/** A command in the resident program answers as it does in a process of its own: status, stdout and stderr. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { TestHome } from "./dex.ts";

const home = new TestHome({ samples: true });
const project = join(home.home, "work");
before(() => {
  mkdirSync(project);
  assert.equal(home.runFresh("sync").status, 0);
});

const COMMANDS: readonly (readonly string[])[] = [
  [],
  ["--version"],
  ["help", "search"],
  ["stats"],
  ["list", "--json"],
  ["search", "refresh tokens", "--no-sync"],
  ["search", "xyzzyplugh"],
  ["show", "ffff9999"],
  ["list", "--limit", "many", "--json"],
  ["serch", "x"],
  ["import", "-"],
  ["config", "set", "llm.apiKey"],
  ["code", "symbol", "x"],
  ["completion", "tcsh"],
];

test("the same status, stdout and stderr, whatever ran before it", () => {
  for (const args of COMMANDS) {
    const own = home.runFresh(...args);
    for (const nth of [1, 2]) assert.deepEqual(home.run(...args), own, `dex ${args.join(" ")}, run ${nth}`);
  }
});

test("variables and the folder are those of the command, not of one before it", () => {
  const elsewhere = home.withVars({ TZ: "Asia/Kolkata", FORCE_COLOR: "1" });
  elsewhere.cwd = project;
  for (const each of [elsewhere, home, elsewhere]) {
    for (const args of [["list"], ["docs", "list"]]) assert.deepEqual(each.run(...args), each.runFresh(...args));
  }
});

test("commands at the same time have a program each", async () => {
  const one = home.runFresh("search", "refresh tokens", "--no-sync");
  const answers = await Promise.all([1, 2, 3].map(() => home.runBeside("search", "refresh tokens", "--no-sync")));
  for (const answer of answers) assert.deepEqual(answer, one);
});
