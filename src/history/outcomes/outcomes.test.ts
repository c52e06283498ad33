/** Outcomes from runners' output. node:test really runs; the others are samples. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rounds } from "../../../test/support/program/limits.ts";
import { temporaryFolder } from "../../../test/support/repository.ts";
import type { TestOutcome } from "../../store/history_records.ts";
import { testCommand, treeChange } from "./commands.ts";
import { isJunit, parseJunit } from "./junit.ts";
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

test("bun test: files, failures and the summary", () => {
  const text = `bun test v1.3.0
\u001b[0m
src/math.test.ts:
(pass) math > adds [0.10ms]
12 |   expect(half(3)).toBe(1);
error: expect(received).toBe(expected)
(fail) math > halves [0.40ms]

src/text.test.ts:
(pass) trims

1 tests failed:
(fail) math > halves [0.40ms]

 2 pass
 1 fail
 3 expect() calls
Ran 3 tests across 2 files. [12.00ms]
`;
  const parsed = parseOutcomes(text);
  assert.equal(parsed?.runner, "bun test");
  assert.deepEqual(named(parsed?.outcomes ?? []), [
    ["math > adds", "passed"],
    ["math > halves", "failed"],
    ["trims", "passed"],
  ]);
  const failed = parsed?.outcomes.find(({ status, name }) => status === "failed" && name !== null);
  assert.deepEqual([failed?.file, failed?.message], ["src/math.test.ts", "expect(received).toBe(expected)"]);
  const files = parsed?.outcomes.filter(({ name, file }) => name === null && file !== null);
  assert.deepEqual(
    files?.map(({ file, status }) => [file, status]),
    [["src/text.test.ts", "passed"]],
  );
  assert.deepEqual([parsed?.outcomes[0]?.status, parsed?.outcomes[0]?.total], ["failed", 3]);
});

test("cargo test, with several binaries", () => {
  const text = `     Running unittests src/lib.rs (target/debug/deps/shelf-1f)
running 2 tests
test store::tests::opens ... ok
test store::tests::closes ... FAILED

---- store::tests::closes stdout ----
thread 'store::tests::closes' panicked at src/store.rs:12:5:
left open
test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

     Running tests/whole.rs (target/debug/deps/whole-2e)
test runs ... ok
test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out
`;
  const parsed = parseOutcomes(text);
  assert.equal(parsed?.runner, "cargo test");
  const failed = parsed?.outcomes.find(({ name, status }) => name !== null && status === "failed");
  assert.deepEqual([failed?.name, failed?.file, failed?.message], ["store::tests::closes", "src/lib.rs", "left open"]);
  assert.ok(
    parsed?.outcomes.some(({ file, name, status }) => file === "tests/whole.rs" && !name && status === "passed"),
  );
  assert.deepEqual([parsed?.outcomes[0]?.status, parsed?.outcomes[0]?.total], ["failed", 3]);
});

test("runners that are known by their summary", () => {
  const cases: [text: string, runner: string, status: string, total: number, failures: string[]][] = [
    ["Ran 3 tests in 0.01s\n\nOK\n", "unittest", "passed", 3, []],
    [
      "FAIL: test_close (test_file.TestFile.test_close)\nRan 3 tests in 0.01s\n\nFAILED (failures=1)\n",
      "unittest",
      "failed",
      3,
      ["test_close"],
    ],
    ["  12 passing (30ms)\n", "mocha", "passed", 12, []],
    [
      "  2 passing (3ms)\n  1 failing\n\n  1) Shelf\n       holds books:\n     AssertionError: no\n",
      "mocha",
      "failed",
      3,
      ["Shelf > holds books"],
    ],
    ["ok | 4 passed | 0 failed (20ms)\n", "deno test", "passed", 4, []],
    ["5 examples, 1 failure\nrspec ./spec/a_spec.rb:3 # Shelf holds\n", "rspec", "failed", 5, ["Shelf holds"]],
    ["OK (7 tests, 9 assertions)\n", "phpunit", "passed", 7, []],
    ["Passed!  - Failed:     0, Passed:     8, Skipped:     0, Total:     8\n", "dotnet test", "passed", 8, []],
    ["[INFO] Tests run: 9, Failures: 0, Errors: 0, Skipped: 1\n", "junit", "passed", 9, []],
    ["6 tests completed, 1 failed\nShelfTest > holds() FAILED\n", "gradle", "failed", 6, ["ShelfTest > holds()"]],
    ["  1 failed\n    a.spec.ts:3:1 › opens ─────\n  3 passed (2.1s)\n", "playwright", "failed", 4, ["opens"]],
  ];
  for (const [text, runner, status, total, failures] of cases) {
    const parsed = parseOutcomes(text);
    const [run] = parsed?.outcomes ?? [];
    assert.deepEqual([parsed?.runner, run?.status, run?.total], [runner, status, total], text);
    assert.deepEqual(
      named(parsed?.outcomes ?? []).map(([name]) => name),
      failures,
      text,
    );
  }
});

test("the name of a task before each line is removed", () => {
  for (const prefix of ["[test] ", "web:test: ", "packages/web test: "]) {
    const lines = ["--- FAIL: TestOpen (0.00s)", "FAIL", "FAIL\texample.org/a\t0.012s"];
    const parsed = parseOutcomes(lines.map((line) => prefix + line).join("\n"));
    assert.deepEqual(named(parsed?.outcomes ?? []), [["TestOpen", "failed"]], prefix);
  }
});

test("mutated output neither throws nor takes long", () => {
  const pieces = [
    "--- FAIL: TestA (0.1s)\n",
    "ok  \tp\t1s\n",
    "test a ... FAILED\n",
    "(fail) a [1ms]\n",
    "a.test.ts:\n",
    "  1 failed\n",
    "  1) a\n",
    "       b\n",
    "Ran 1 tests in 1s\n",
    "not ok 1 - x\n",
    "1..2\n",
    "test result: ok. 1 passed; 0 failed;\n",
    " FAIL  a.ts > b\n",
    "Tests:  1 total\n",
    "[test",
    "x:test: ",
    "' ",
    '" ',
    "$(",
    "=== \u0000",
    "\u001b[31m",
    "=> ",
    "(line 3)",
  ];
  let seed = 7;
  const random = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % most;
  };
  for (let round = 0; round < rounds(50, 200); round += 1) {
    let text = "";
    for (let i = 0; i < 60; i += 1) text += (pieces[random(pieces.length)] ?? "").repeat(1 + random(40));
    for (const each of parseOutcomes(text)?.outcomes ?? [])
      assert.ok(["passed", "failed", "skipped"].includes(each.status));
    testCommand(text, "/srv/app");
    treeChange(text);
  }
});
