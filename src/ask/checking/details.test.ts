import assert from "node:assert/strict";
import { test } from "node:test";
import { isContradicted, missingDetails } from "./details.ts";

const SOURCE = `### bodyLimit
Default: \`1048576\` (1MiB). Defines the maximum payload, in bytes. The timeout is 10000 milliseconds.
Since v5.1.2 the \`--max-body\` flag sets it. Files are kept for three days.
Logging is disabled by default. The hook is NOT called if the payload is a string.`;

test("numbers must be in the source, in any unit", () => {
  const missing = (statement: string, asked = ""): string[] => missingDetails(statement, SOURCE, asked);
  assert.deepEqual(missing("The default of bodyLimit is 5 MiB."), ["5 MiB"]);
  assert.deepEqual(missing("The default is 1 MiB, which is 1,048,576 bytes."), []);
  assert.deepEqual(missing("The timeout is 10 seconds."), []);
  assert.deepEqual(missing("The timeout is 30 seconds."), ["30 seconds"]);
  assert.deepEqual(missing("Files are kept for 3 days."), []);
  assert.deepEqual(missing("Files are kept for 4 days."), ["4 days"]);
  assert.deepEqual(missing("Use port 8080.", "How do I listen on 8080?"), []);
});

test("versions and flags must be in the source", () => {
  const missing = (statement: string): string[] => missingDetails(statement, SOURCE, "");
  assert.deepEqual(missing("It exists since v5.1.2."), []);
  assert.deepEqual(missing("It exists since 5.1."), []);
  assert.deepEqual(missing("It exists since v6.0.0."), ["v6.0.0"]);
  assert.deepEqual(missing("Set it with --max-body."), []);
  assert.deepEqual(missing("Set it with --max-size."), ["--max-size"]);
  assert.deepEqual(missing("UTF-8 and HTTP/2 are names."), []);
});

test("a statement that says the opposite of its source is found", () => {
  assert.ok(isContradicted("Logging is enabled by default.", SOURCE));
  assert.ok(!isContradicted("Logging is disabled by default.", SOURCE));
  assert.ok(!isContradicted("Logging is not enabled by default.", SOURCE));
  assert.ok(isContradicted("The hook is called if the payload is a string.", SOURCE));
  assert.ok(!isContradicted("The hook is never called if the payload is a string.", SOURCE));
  assert.ok(!isContradicted("Nothing of the kind is written there.", SOURCE));
});
