/** One damaged archive file must not fail an answer that is made from many conversations. */
import assert from "node:assert/strict";
import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { writeDialogue } from "../support/histories/dialogue.ts";
import { TestHome } from "../support/program/dex.ts";

const WHOLE = "aaaa1111-0000-4000-8000-000000000001";
const DAMAGED = "bbbb2222-0000-4000-8000-000000000002";
const NOTICE = /Archives that cannot be read were left out: `dex doctor` names them/;
const home = new TestHome();

before(() => {
  const failed = "TideError: the sluice gate is jammed at station 7";
  for (const id of [WHOLE, DAMAGED])
    writeDialogue(home.home, id, [
      { user: "Why is the sluice gate jammed?" },
      { command: "open-gate 7", output: failed, failed: true },
      { agent: "We decided to replace the sluice gate because its hinge had rusted." },
    ]);
  assert.equal(home.run("sync").status, 0);
  const [file] = globSync(`archive/**/${DAMAGED}*`, { cwd: home.dexHome });
  assert.ok(file);
  writeFileSync(join(home.dexHome, file), "not what it was");
});

test("answers from many conversations leave out the damaged one and say so", () => {
  for (const args of [
    ["search", "sluice gate jammed"],
    ["search", '"sluice gate"'],
    ["search", "sluice.gate", "--regex"],
    ["fix", "TideError: the sluice gate is jammed at station 7"],
    ["ask", "why did we replace the sluice gate?"],
    ["workflow", "summarize", "--period", "all"],
  ]) {
    const { status, stdout, stderr } = home.run(...args, "--no-sync");
    assert.equal(status, 0, `${args.join(" ")}: ${stderr}`);
    assert.match(stdout, /sluice/, args.join(" "));
    assert.match(stderr, NOTICE, args.join(" "));
  }
});

test("the damaged conversation is still listed and ranked, without its text", () => {
  const { results } = home.json<{ results: { id: string; snippet: string }[] }>(
    "search",
    "sluice gate jammed",
    "--no-sync",
  );
  assert.deepEqual(results.map(({ id, snippet }) => [id, snippet !== ""]).sort(), [
    [WHOLE, true],
    [DAMAGED, false],
  ]);
  const shown = home.run("show", DAMAGED, "--no-sync");
  assert.match(shown.stderr, /The archive of claude_code:bbbb2222\S* cannot be read\.\nRun `dex doctor --fix`/);
});
