/** The state of a test by later runs in any form, by the commands that ran them, and by what changed since. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../conversations/model.ts";
import type { SeenOutcome } from "../../store/history_records.ts";
import type { TrailConversation } from "../../store/trails.ts";
import { mayInclude, testCommand, treeChange } from "./commands.ts";
import { conversationOutcomes } from "./conversations.ts";
import { type TreeToday, testsToday } from "./failing.ts";
import { latestStates } from "./latest.ts";

const HERE = "/srv/app";
const FAILED =
  "--- FAIL: TestOpen (0.00s)\n    open_test.go:12: got 1\nFAIL\nFAIL\texample.org/app/store\t0.012s\nFAIL\n";

interface Step {
  run?: string;
  output?: string;
  code?: number;
  edit?: string;
}

function conversation(steps: readonly Step[]): ReturnType<typeof conversationOutcomes> {
  const row: TrailConversation = {
    no: 1,
    source: "claude-code",
    id: "c1",
    title: "",
    project: HERE,
    created: 0,
    updated: 1000,
    messages: 2 * steps.length,
    archive: "",
    archive_bytes: 0,
    subagent: false,
    abandoned: false,
  };
  const messages = steps.flatMap(({ run, output = "", code, edit }, i): Message[] => {
    const id = `call${i}`;
    const call = edit ? { name: "Edit", input: { file_path: edit } } : { name: "Bash", input: { command: run ?? "" } };
    const exit = code === undefined ? {} : { exit_code: code, is_error: code !== 0 };
    return [
      { role: "assistant", parts: [{ type: "tool_call", id, ...call }] },
      { role: "tool", parts: [{ type: "tool_result", id, output, ...exit }] },
    ];
  });
  return conversationOutcomes(
    row,
    messages.map((message, index) => ({ index, message })),
  );
}

function stateOf(...steps: Step[]): string | undefined {
  return latestStates(conversation(steps).outcomes).find(({ name }) => name === "TestOpen")?.status;
}

const failing: Step = { run: "go test ./...", output: FAILED, code: 1 };

test("a later run of the package or of everything clears a failure, in whatever form", () => {
  assert.equal(stateOf(failing), "failed");
  assert.equal(stateOf(failing, { run: "go test ./...", output: "ok  \texample.org/app/store\t0.3s\n" }), "passed");
  assert.equal(
    stateOf(failing, { run: "go test ./store", output: "ok  \texample.org/app/store\t(cached)\n" }),
    "passed",
  );
  assert.equal(stateOf(failing, { run: "go test ./other", output: "ok  \texample.org/app/other\t0.3s\n" }), "failed");
  for (const run of ["make test", "mise run test", "npm test", "just test"]) {
    assert.equal(stateOf(failing, { run, output: "[test] ok  \texample.org/app/store\t0.3s\n" }), "passed", run);
    assert.equal(stateOf(failing, { run, output: "" }), "unknown", `${run} tells nothing, so the state is unknown`);
  }
  assert.equal(stateOf(failing, { run: "go test ./... 2>&1 | grep -v ^ok", output: "" }), "unknown");
  assert.equal(stateOf(failing, { run: "go test ./... | tail -1", output: "FAIL\n", code: 1 }), "unknown");
  assert.equal(stateOf(failing, { run: "go test -run TestClose ./store | tail -1", output: "PASS\n" }), "failed");
  assert.equal(stateOf(failing, { run: "pytest", output: "12 passed in 0.4s\n" }), "failed", "another runner");
  assert.equal(stateOf(failing, { run: "cat test.log", output: "ok  \texample.org/app/store\t0.3s\n" }), "failed");
});

test("a failure that the same output repairs, or that was stopped or refused, does not count", () => {
  const again = `${FAILED}ok  \texample.org/app/store\t0.3s\n`;
  assert.equal(stateOf({ run: "go test ./store; cp a.bak a.go; go test ./store", output: again }), undefined);
  assert.equal(stateOf({ ...failing, code: 130 }), undefined);
  assert.equal(stateOf({ ...failing, code: 124 }), undefined);
  assert.equal(stateOf({ ...failing, output: `${FAILED}\nCommand timed out after 2m 0s` }), undefined);
  assert.equal(stateOf({ ...failing, output: `${FAILED}\n[Request interrupted by user]` }), undefined);
  assert.equal(
    stateOf({ ...failing, output: `${FAILED}listen tcp [::1]:0: bind: operation not permitted` }),
    undefined,
  );
  assert.equal(stateOf(failing, { ...failing, output: "", code: 130 }), "failed", "a stopped run proves nothing");
  assert.equal(stateOf({ ...failing, run: "ssh box go test ./..." }), undefined, "another machine");
});

test("a suite that names no tests clears those of the same runner", () => {
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
  const status = (...more: SeenOutcome[]): string | undefined => latestStates([...more, failed])[0]?.status;
  assert.equal(status(), "failed");
  assert.equal(status(seen(2, { total: 3 })), "failed", "a smaller run need not have run it");
  assert.equal(status(seen(2, { total: 10 })), "passed");
  assert.equal(status(seen(2, { file: "a.js" })), "passed");
  assert.equal(status(seen(2, { file: "b.js" })), "failed");
  assert.equal(status(seen(2, { name: "adds", file: "packages/x/a.js" })), "passed", "named from another folder");
  assert.equal(status(seen(0, { name: "adds", file: "a.js" })), "failed", "an older run says nothing");
  assert.equal(status(seen(2, { runner: "pytest", total: 99 })), "failed");
});

test("a failure counts only here, while its test exists, and until something that it covers changes", () => {
  const { outcomes, edits } = conversation([failing, { edit: "docs/notes.md" }]);
  assert.deepEqual(
    edits.map(({ path }) => path),
    [`${HERE}/docs/notes.md`],
  );
  const today: TreeToday = {
    isHere: (folder) => folder === HERE,
    filesOf: () => ["store/open_test.go"],
    changeSince: () => undefined,
  };
  const judged = (given: Partial<TreeToday>): (string | null | undefined)[] => {
    const [first] = testsToday(latestStates(outcomes), { ...today, ...given });
    return [first?.status, first?.why];
  };
  assert.deepEqual(judged({}), ["failed", null]);
  assert.deepEqual(judged({ isHere: () => false }), ["unknown", `it ran in ${HERE}, not in this working tree`]);
  assert.deepEqual(judged({ filesOf: () => undefined }), ["unknown", "the test no longer exists"]);
  assert.deepEqual(judged({ changeSince: () => "x changed" }), ["unknown", "x changed"]);
});

test("the runner, the folder and the selection of a command", () => {
  const read = (command: string): (string | null | undefined)[] => {
    const found = testCommand(command, HERE);
    return [found?.runner, found?.folder, found?.scope];
  };
  assert.deepEqual(read("cd web && npx vitest run src/a.test.ts"), ["vitest", `${HERE}/web`, "src/a.test.ts"]);
  assert.deepEqual(read("GOFLAGS=-v go test -count=1 -run 'TestA|TestB$' ./store/... 2>&1 | tail"), [
    "go test",
    HERE,
    "~TestA ~TestB ./store/...",
  ]);
  assert.deepEqual(read("cd ~/copy && go test ./..."), ["go test", "~/copy", null]);
  assert.deepEqual(read("uv run pytest -q tests/test_a.py::test_b -k slow"), [
    "pytest",
    HERE,
    "tests/test_a.py::test_b ~slow",
  ]);
  assert.deepEqual(read("pnpm --filter web test"), ["command", HERE, null]);
  for (const other of ["git grep test", "echo go test", "cat test.log", "npm run lint", "ls tests"]) {
    assert.equal(testCommand(other, HERE), undefined, other);
  }
  const one = { file: "tests/test_a.py", name: "TestA::test_b" };
  assert.ok(mayInclude("tests", one) && mayInclude("tests/test_a.py::test_b", one) && mayInclude("~test_b", one));
  assert.ok(!mayInclude("tests/test_c.py", one) && !mayInclude("~other", one));
});

test("commands that change the working tree, before or after their own test run", () => {
  assert.equal(treeChange("git stash && go test ./..."), "before");
  assert.equal(treeChange("git stash && go test ./...; git stash pop"), "after");
  assert.equal(treeChange("sed -i s/a/b/ store/open.go"), "after");
  assert.equal(treeChange("cat > store/new.go <<'EOF'"), "after");
  for (const harmless of ["go test ./...", "git status", "rm -rf /tmp/x", "go test ./... > /dev/null 2>&1", "ls -la"]) {
    assert.equal(treeChange(harmless), undefined, harmless);
  }
});
