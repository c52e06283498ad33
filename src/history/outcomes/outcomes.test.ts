/** Outcomes from runners' output, and the last one of each test. node:test really runs; the others are samples. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/repository.ts";
import type { SeenOutcome, TestOutcome } from "../../store/history.ts";
import { isJunit, parseJunit } from "./junit.ts";
import { latestOutcomes } from "./latest.ts";
import { parseOutcomes } from "./text.ts";

function named(outcomes: readonly TestOutcome[]): [string, string][] {
  return outcomes.flatMap(({ name, status }) => (name === null ? [] : [[name, status]]));
}

function runNode(reporter: string): string {
  const folder = temporaryFolder();
  const file = join(folder, "sample.test.mjs");
  writeFileSync(
    file,
    `import { test } from "node:test"; import assert from "node:assert";
     test("adds", () => {}); test("breaks", () => assert.equal(1, 2));
     test("outer", async (t) => { await t.test("inner fails", () => { throw new Error("no"); }); });
     test("later", { skip: true }, () => {});`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const run = spawnSync(process.execPath, ["--test", `--test-reporter=${reporter}`, file], { encoding: "utf8", env });
  return run.stdout;
}

test("node:test, as it prints for people and as TAP", () => {
  for (const [reporter, runner] of [
    ["spec", "node:test"],
    ["tap", "tap"],
  ] as const) {
    const parsed = parseOutcomes(runNode(reporter));
    assert.equal(parsed?.runner, runner);
    const tests = new Map(named(parsed?.outcomes ?? []));
    const status = (part: string): string | undefined => [...tests].find(([name]) => name.endsWith(part))?.[1];
    assert.equal(status("adds"), "passed", reporter);
    assert.equal(status("breaks"), "failed", reporter);
    assert.equal(status("inner fails"), "failed", reporter);
    assert.equal(status("later"), "skipped", reporter);
    const broken = parsed?.outcomes.find(({ name }) => name?.endsWith("breaks"));
    assert.match(broken?.file ?? "", /sample\.test\.mjs$/, reporter);
  }
});

test("plain TAP with directives and details", () => {
  const text =
    "TAP version 13\nok 1 - opens\nnot ok 2 - closes\n  ---\n  message: 'left open'\n  at: /srv/a.js:3:1\n  ...\nok 3 # SKIP no network\n1..3\n";
  const outcomes = parseOutcomes(text)?.outcomes ?? [];
  assert.deepEqual(named(outcomes), [
    ["opens", "passed"],
    ["closes", "failed"],
    ["", "skipped"],
  ]);
  assert.deepEqual([outcomes[2]?.message, outcomes[2]?.file], ["left open", "/srv/a.js"]);
  assert.deepEqual([outcomes[0]?.name, outcomes[0]?.status, outcomes[0]?.total], [null, "failed", 3]);
});

test("vitest", () => {
  const text = ` RUN  v3.0.0 /srv/app

 ✓ src/a.test.ts (3 tests) 12ms
 ❯ src/b.test.ts (2 tests | 1 failed) 9ms
   × math > adds 4ms

⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯

 FAIL  src/b.test.ts > math > adds
AssertionError: expected 3 to be 4

 Test Files  1 failed | 1 passed (2)
      Tests  1 failed | 4 passed (5)
`;
  const parsed = parseOutcomes(text);
  assert.equal(parsed?.runner, "vitest");
  const failed = parsed?.outcomes.find(({ name }) => name !== null);
  assert.deepEqual(
    [failed?.file, failed?.name, failed?.status, failed?.message, failed?.total],
    ["src/b.test.ts", "math > adds", "failed", "AssertionError: expected 3 to be 4", 5],
  );
  assert.ok(
    parsed?.outcomes.some(({ file, name, status }) => file === "src/a.test.ts" && name === null && status === "passed"),
  );
});

test("jest", () => {
  const text = `PASS src/a.test.js
FAIL src/b.test.js
  ● math › adds

    expect(received).toBe(expected)

Test Suites: 1 failed, 1 passed, 2 total
Tests:       1 failed, 6 passed, 7 total
`;
  const parsed = parseOutcomes(`\u001b[31m${text}\u001b[0m`);
  assert.equal(parsed?.runner, "jest");
  assert.deepEqual(named(parsed?.outcomes ?? []), [["math › adds", "failed"]]);
  assert.equal(parsed?.outcomes.find(({ name }) => name)?.file, "src/b.test.js");
});

test("pytest, short and verbose", () => {
  const text = `============================= test session starts ==============================
tests/test_a.py::test_one PASSED                                         [ 33%]
tests/test_a.py::TestB::test_two FAILED                                  [ 66%]
=========================== short test summary info ============================
FAILED tests/test_a.py::TestB::test_two - AssertionError: 1 != 2
ERROR tests/test_c.py - ImportError
==================== 1 failed, 1 passed, 1 error in 0.12s ====================
`;
  const outcomes = parseOutcomes(text)?.outcomes ?? [];
  assert.deepEqual(named(outcomes), [
    ["TestB::test_two", "failed"],
    ["test_one", "passed"],
  ]);
  assert.equal(outcomes.find(({ name }) => name === "TestB::test_two")?.message, "AssertionError: 1 != 2");
  assert.deepEqual([outcomes[0]?.status, outcomes[0]?.total], ["failed", 3]);
  assert.equal(parseOutcomes("12 passed in 0.40s")?.outcomes[0]?.total, 12);
});

test("go test, plain and as JSON", () => {
  const plain =
    "--- FAIL: TestOpen (0.00s)\n    open_test.go:12: got 1\n--- PASS: TestClose (0.00s)\nFAIL\nFAIL\texample.org/a\t0.012s\nok  \texample.org/b\t(cached)\n";
  const outcomes = parseOutcomes(plain)?.outcomes ?? [];
  assert.deepEqual(named(outcomes), [
    ["TestOpen", "failed"],
    ["TestClose", "passed"],
  ]);
  assert.deepEqual([outcomes[0]?.file, outcomes[0]?.message], ["example.org/a", "open_test.go:12: got 1"]);
  const line = (action: string, rest: object): string =>
    JSON.stringify({ Time: "2026-01-01T00:00:00Z", Action: action, Package: "p", ...rest });
  const json = [
    line("run", { Test: "TestX" }),
    line("output", { Test: "TestX", Output: "    x_test.go:3: bad\n" }),
    line("fail", { Test: "TestX" }),
  ];
  assert.deepEqual(parseOutcomes(json.join("\n"))?.outcomes[0], {
    runner: "go test",
    file: "p",
    name: "TestX",
    status: "failed",
    message: "x_test.go:3: bad",
    total: null,
  });
});

test("JUnit XML", () => {
  const xml = `<?xml version="1.0"?><testsuites><testsuite name="s"><testcase classname="a.B" name="one &amp; two" file="t/b.py"/>
    <testcase classname="a.B" name="three"><failure message="1 &lt; 2">trace</failure></testcase>
    <testcase name="four"><skipped/></testcase></testsuite></testsuites>`;
  assert.ok(isJunit(xml));
  const { outcomes } = parseJunit(xml);
  assert.deepEqual(named(outcomes), [
    ["a.B > one & two", "passed"],
    ["a.B > three", "failed"],
    ["four", "skipped"],
  ]);
  assert.equal(outcomes[2]?.message, "1 < 2");
  assert.deepEqual(
    parseJunit("<testsuite><testcase name='x'><failure>").outcomes.length,
    2,
    "a torn report still tells",
  );
});

test("other output gives no outcomes", () => {
  for (const text of [
    "",
    "ok",
    "FAIL: the disk",
    "Tests are important",
    "const ok = 1; // not ok 1",
    "1..2..3",
    "error: 3 failed",
  ]) {
    assert.equal(parseOutcomes(text), undefined, text);
  }
});

test("the last status wins; a passing run of the same size covers tests it does not name", () => {
  const seen = (time: number, given: Partial<SeenOutcome>): SeenOutcome => ({
    runner: "jest",
    file: null,
    name: null,
    status: "passed",
    message: null,
    total: null,
    owner: "",
    place: `p${time}`,
    time,
    ...given,
  });
  const failed = seen(1, { file: "a.js", name: "adds", status: "failed", total: 10 });
  const status = (...more: SeenOutcome[]): string | undefined => latestOutcomes([...more, failed])[0]?.status;
  assert.equal(status(), "failed");
  assert.equal(status(seen(2, { total: 3 })), "failed", "a smaller run need not have run it");
  assert.equal(status(seen(2, { total: 10 })), "passed");
  assert.equal(status(seen(2, { file: "a.js" })), "passed");
  assert.equal(status(seen(2, { file: "b.js" })), "failed");
  assert.equal(status(seen(2, { name: "adds", file: "a.js" })), "passed");
  assert.equal(status(seen(0, { name: "adds", file: "a.js" })), "failed", "an older run says nothing");
  assert.equal(status(seen(2, { runner: "pytest", total: 99 })), "failed");
});
