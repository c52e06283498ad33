import assert from "node:assert/strict";
import { test } from "node:test";
import { errorLines, errorSignature } from "./signature.ts";

test("the same error from another run, file and machine has the same signature", () => {
  const pairs = [
    ["Error: connect ECONNREFUSED 127.0.0.1:5432", "Error: connect ECONNREFUSED 10.0.0.7:6543"],
    [
      "/home/sam/a/src/app.ts:12:7 - error TS2304: Cannot find name 'foo'.",
      "C:\\work\\src\\app.ts:99:1 - error TS2304: Cannot find name 'foo'.",
    ],
    [
      "panic: runtime error: index out of range [5] with length 3",
      "panic: runtime error: index out of range [17] with length 12",
    ],
    ["[2026-03-01T10:00:00.123Z] fatal: object 1a2b3c4d5e6f not found", "fatal: object 99ffee11aa22 not found"],
    ["Segmentation fault at 0x7ffdeadbeef", "Segmentation fault at 0x55aa"],
  ];
  for (const [a = "", b = ""] of pairs) assert.equal(errorSignature(a), errorSignature(b), a);
  assert.notEqual(errorSignature("Cannot find name 'foo'"), errorSignature("Cannot find name 'bar'"));
});

test("only the error lines of a stack trace count", () => {
  const trace = "TypeError: x is not a function\n    at run (/a/b.js:1:2)\n    at main (/a/c.js:3:4)\nnpm ERR! code 1";
  assert.deepEqual(
    errorLines(trace).map(({ line }) => line),
    ["TypeError: x is not a function"],
  );
  assert.deepEqual(
    errorLines("just some words here").map(({ line }) => line),
    ["just some words here"],
  );
  assert.deepEqual(errorLines(""), []);
});

test("long and hostile lines take little time", () => {
  for (const piece of ["/a", "0", "ab/", "error ", "[", "x=1 "])
    assert.doesNotThrow(() => errorLines(piece.repeat(200_000)));
});
