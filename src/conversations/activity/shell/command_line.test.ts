import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../../../test/support/cost.ts";
import { askedFor, commandsIn, isCallOf, variantKey } from "./command_line.ts";

function textsIn(line: string): string[] {
  return commandsIn(line).map(({ text }) => text);
}

test("a line is divided where a shell would start another command", () => {
  assert.deepEqual(textsIn("cd a && npm test 2>&1 | tail -5; echo done"), ["cd a", "npm test", "tail -5", "echo done"]);
  assert.deepEqual(textsIn('git commit -m "fix; npm test && more" && git push'), [
    'git commit -m "fix; npm test && more"',
    "git push",
  ]);
  assert.deepEqual(textsIn("cat > a.txt <<'EOF'\nnpm test\nEOF\nls"), ["cat > a.txt <<'EOF' npm test EOF", "ls"]);
  const body = `"$(cat <<'EOF'\nSay "no" to it.\nnpm test; it's "done\n`;
  assert.deepEqual(textsIn(`gh pr edit 9 --body ${body}EOF\n)" && ls`).slice(1), ["ls"]);
  assert.deepEqual(textsIn(`gh pr edit 9 --body ${body}`).length, 1, "a truncated line");
  assert.deepEqual(textsIn("(cd a && make) &"), ["cd a", "make"]);
  assert.deepEqual(textsIn("echo don't && npm test"), ["echo don't", "npm test"]);
  assert.deepEqual(textsIn("npm test &> log.txt"), ["npm test"]);
  assert.deepEqual(textsIn(""), []);
});

test("a pipe, and a command whose exit status is not that of the line", () => {
  const named = (line: string): string[] =>
    commandsIn(line).map(
      ({ text, isPiped, hidesExit }) => `${text}${isPiped ? " piped" : ""}${hidesExit ? " hidden" : ""}`,
    );
  assert.deepEqual(named("a && b"), ["a", "b"]);
  assert.deepEqual(named("a | grep x"), ["a piped", "grep x"]);
  assert.deepEqual(named("a || true"), ["a hidden", "true hidden"]);
  assert.deepEqual(named("a; b"), ["a hidden", "b"]);
  assert.deepEqual(named("a;\n"), ["a"]);
});

test("the wanted command begins the call; its options may be anywhere", () => {
  assert.ok(isCallOf("env A=1 go test ./... -tags=e2e -v", "go test -tags=e2e"));
  assert.ok(isCallOf("timeout 60s npm run test:unit", "npm run test"));
  assert.ok(!isCallOf("go testing", "go test"));
  assert.ok(!isCallOf("go test ./...", "go test -tags=e2e"));
  assert.ok(!isCallOf("echo go test", "go test"));
});

test("a line asks for its commands, without preparing commands and wrappers", () => {
  assert.deepEqual(askedFor("cd a && CI=1 npm test 2>&1 | tail -5"), ["npm test", "tail -5"]);
  assert.deepEqual(askedFor("timeout 60 go test ./..."), ["go test ./..."]);
  assert.deepEqual(askedFor("run the tests"), ["run the tests"]);
  assert.deepEqual(askedFor("cd a"), ["cd a"]);
});

test("variants differ in numbers, ids, temporary paths, redirections and messages, not in names", () => {
  const same = (a: string, b: string): void => assert.equal(variantKey(a), variantKey(b));
  same("go test -count=1 -timeout 60s", "go test -count=2 -timeout 300s > out.txt");
  same("node /tmp/a1/x.js", "node /tmp/other/y.js");
  same("git show 1a2b3c4d5e", "git show 99ffee11aa22");
  same('git commit -m "one thing and another"', 'git commit -m "an entirely different text"');
  assert.notEqual(variantKey("go test ./a"), variantKey("go test ./b"));
});

test("hostile lines take linear time", () => {
  for (const piece of ['"', '"$(cat <<E\n', "'", "<<E\n", "\\", "(", "a=1 ", "&& ", '"a b c ', "0", "; a", "/tmp/"])
    assertLinear(JSON.stringify(piece), 2000, (count) => {
      commandsIn(piece.repeat(count));
      variantKey(piece.repeat(count));
      isCallOf(piece.repeat(count), "npm test");
      askedFor(piece.repeat(count));
    });
});
