import assert from "node:assert/strict";
import { test } from "node:test";
import { commandName, errorLine, isRepeatable, runOutcome } from "./commands.ts";

const ROOTS = ["/work/app"];
const name = (command: string, folder = "/work/app"): string | undefined => commandName(command, ROOTS, folder);

test("runs of one command have one name, however their output is shown and wherever they were started", () => {
  for (const command of [
    "npm test -- db",
    "npm  test -- db 2>&1 | tail -40",
    "cd /work/app && npm test -- db",
    "cd /work/app; npm test -- db | head",
    "timeout 60 npm test -- db",
    "time npm test -- db",
  ]) {
    assert.equal(name(command), "npm test -- db", command);
    assert.ok(isRepeatable(command), command);
  }
  assert.equal(name("cd /work/app/api && go test ./..."), "cd api && go test ./...");
  assert.equal(name("go test ./...", "/work/app/api"), "cd api && go test ./...");
  assert.equal(name("node /work/app/scripts/build.ts"), "node scripts/build.ts");
});

test("a command has no name if its exit code says nothing about it", () => {
  for (const command of [
    "ls -la",
    "git status",
    "grep -r x . | wc -l",
    "npm test | grep failed",
    "npm test || true",
    "npm test; echo $?",
    "npm start &",
    "cat <<'E'\nx\nE",
    "cd /elsewhere && npm test",
    "cd .. && npm test",
    "sleep 5 && npm test".replace("npm test", "true"),
    "x".repeat(500),
  ]) {
    assert.equal(name(command), undefined, command);
  }
  assert.equal(name("npm test", "/elsewhere"), undefined);
});

test("a pipe that truncates hides the exit code, but not the summary of a test run", () => {
  const result = { type: "tool_result", output: "3 tests failed", is_error: false } as const;
  assert.equal(runOutcome(result, true), "failed");
  assert.equal(runOutcome(result, false), "passed");
});

test("the line that reports the error is found among warnings, passed tests and totals", () => {
  assert.equal(
    errorLine(
      "warning: error in config\n(pass) fails clearly [2 ms]\n\u001b[31merror: x is not defined\u001b[0m\n1 failed",
    ),
    "error: x is not defined",
  );
  assert.equal(errorLine("0 errors\nsrc/a.ts(3,1): error TS2322: no"), "src/a.ts(3,1): error TS2322: no");
  assert.equal(errorLine("building\ndone with it"), "done with it");
  assert.equal(errorLine("\n--\n"), undefined);
});
