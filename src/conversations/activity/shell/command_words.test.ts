import assert from "node:assert/strict";
import { test } from "node:test";
import { hasWords, requestWords } from "./command_words.ts";

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
  assert.ok(!finds("the user", "npm run bundle"));
  assert.ok(!finds("ci", "npm run docs:decide"));
});
