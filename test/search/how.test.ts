/** `dex how` counts every run of a command, groups its variants, and says what it does not know. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { TestHome } from "../support/program/dex.ts";

interface How {
  invocations: {
    command: string;
    succeeded: number;
    failed: number;
    unclear: number;
    variants: number;
    address: string;
  }[];
  total: number;
  runs: { succeeded: number; failed: number; unclear: number };
}

const home = new TestHome();
/** More than fit any list of candidates, in one conversation. */
const MANY = 700;

before(() => {
  const meta = (id: string): string =>
    JSON.stringify({
      _type: "dex-conversation",
      version: 1,
      meta: { id, source: "claude_code", project: "/work/app" },
    });
  let minute = 0;
  const run = (command: string, exit_code: number | undefined, ids = true, output = "fine"): string[] => {
    minute += 1;
    const time = new Date(Date.UTC(2026, 0, 13) + minute * 60_000).toISOString();
    const id = ids ? { id: `c${minute}` } : {};
    const call = { type: "tool_call", ...id, name: "Bash", input: { command } };
    const result = { type: "tool_result", ...id, name: "Bash", output, exit_code };
    return [
      JSON.stringify({ role: "assistant", time, parts: [call] }),
      ...(exit_code === undefined ? [] : [JSON.stringify({ role: "tool", time, parts: [result] })]),
    ];
  };
  const prompt = JSON.stringify({
    role: "user",
    time: "2026-01-13T00:00:00.000Z",
    parts: [{ type: "text", text: "Go" }],
  });
  const lines = [
    meta("aaaa1111-0000-4000-8000-000000000001"),
    prompt,
    ...Array.from({ length: MANY }, (_, i) =>
      run(`cd /work/app && wombat check --seed ${i} 2>&1 | tail -${i}`, 0),
    ).flat(),
    ...run("wombat check --seed 5", 3),
    ...run("wombat check --seed 6", undefined),
    ...run("wombat check --seed 7; echo done", 0),
    ...run("wombat deploy", 1),
    ...run("cd packages/core && wombat lint", 0),
    ...run("cd packages/core && numbat build", 0),
    ...run("numbat build", 0),
    ...Array.from({ length: 9 }, () => run("CI=1 numbat build:all", 0)).flat(),
    ...run('git commit -m "wombat deploy; wombat lint and more"', 0),
    ...run("wombat test | tail -3", 0, true, "4 passed, 2 failed"),
    meta("bbbb2222-0000-4000-8000-000000000002"),
    prompt,
    ...run("quokka up", undefined, false),
    ...run("quokka up", 0, false),
    ...run("quokka up", 1, false),
  ];
  writeFileSync(join(home.home, "made.jsonl"), `${lines.join("\n")}\n`);
  const answer = home.run("import", "made.jsonl");
  assert.match(answer.stdout, /^2 new/, answer.stderr);
});

test("every run counts, and variants that differ in a pipe or a number are one command", () => {
  const { invocations, total } = home.json<How>("how", "wombat check");
  assert.equal(total, 1);
  const [first] = invocations;
  assert.deepEqual([first?.succeeded, first?.failed, first?.unclear, first?.variants], [MANY, 1, 2, MANY]);
  assert.equal(first?.command, `wombat check --seed ${MANY - 1}`);
  assert.match(home.run("show", first?.address ?? "").stdout, new RegExp(`--seed ${MANY - 1} `));
  assert.match(
    home.run("how", "wombat check").stdout,
    /^ {2}\S+#\d+ {2}700 succeeded, 1 failed, 2 unclear · 700 variants · /m,
  );
});

test("successful commands come first; a folder inside the project is part of the command; quoted text is not a call", () => {
  const { invocations, runs } = home.json<How>("how", "wombat");
  assert.deepEqual(
    invocations.map(({ command, succeeded, failed }) => [command, succeeded, failed]),
    [
      [`wombat check --seed ${MANY - 1}`, MANY, 1],
      ["cd packages/core && wombat lint", 1, 0],
      ["wombat test", 0, 1],
      ["wombat deploy", 0, 1],
    ],
  );
  assert.deepEqual(runs, { succeeded: MANY + 1, failed: 3, unclear: 2 });
  const failed = home.run("how", "wombat deploy");
  assert.match(failed.stdout, /^wombat deploy\n {2}\S+#\d+ {2}1 failed · .*\nNo run of it succeeded\.$/m);
  assert.equal(failed.status, 0);
  assert.equal(home.run("how", "wombat nothing").status, 1);
});

test("the command as asked for comes before others that begin like it, whichever ran more often", () => {
  const { invocations } = home.json<How>("how", "numbat build");
  assert.deepEqual(
    invocations.map(({ command, succeeded }) => [command, succeeded]),
    [
      ["numbat build", 1],
      ["cd packages/core && numbat build", 1],
      ["CI=1 numbat build:all", 9],
    ],
  );
  assert.equal(home.json<How>("how", "CI=1 numbat build:all").invocations[0]?.succeeded, 9);
});

test("without ids, a result belongs to the call before it; options are found in any order", () => {
  assert.deepEqual(home.json<How>("how", "quokka up").runs, { succeeded: 1, failed: 1, unclear: 1 });
  assert.equal(home.json<How>("how", "wombat --seed").total, 1);
});

test("a pasted line is found by its command: with its folder, variables, pipes and other numbers", () => {
  for (const line of [
    "cd packages/core && wombat lint",
    "CI=1 wombat lint 2>&1 | tail -20",
    "wombat nothing; wombat lint",
    "timeout 60 wombat lint",
  ])
    assert.equal(home.json<How>("how", line).invocations[0]?.command, "cd packages/core && wombat lint", line);
  assert.equal(home.json<How>("how", `wombat check --seed ${MANY + 99}`).total, 1);
});

test("a forgotten conversation's runs are gone", () => {
  home.run("forget", "bbbb2222", "--yes");
  assert.equal(home.run("how", "quokka up").status, 1);
});

test("words for a command find it when none begins with them, and the answer says so", () => {
  const answer = home.run("how", "run the linting");
  assert.match(
    answer.stdout,
    /^No command begins with this; these have its words\.\n\ncd packages\/core && wombat lint\n/,
  );
  const { invocations } = home.json<How & { matched: string }>("how", "how do I deploy with wombat?");
  assert.deepEqual(
    invocations.map(({ command }) => command),
    ["wombat deploy"],
  );
  assert.equal(home.json<{ matched: string }>("how", "wombat deploy").matched, "beginning");
  assert.equal(home.run("how", "run it").stdout.split("\n")[0], "No run of this command was found.");
});

test("if no command has all of the words, the answer names the word that they have", () => {
  const answer = home.run("how", "lint the whole wombat burrow");
  assert.match(
    answer.stdout,
    /^No command has all of these words; these have: lint\.\n\ncd packages\/core && wombat lint\n/,
  );
  const { matched, words } = home.json<{ matched: string; words: string[] }>("how", "lint the whole burrow");
  assert.deepEqual({ matched, words }, { matched: "some_words", words: ["lint"] });
  assert.equal(home.run("how", "open the burrow").status, 1, "a weak word finds nothing by itself");
});
