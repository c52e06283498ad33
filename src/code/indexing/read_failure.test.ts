import assert from "node:assert/strict";
import { test } from "node:test";
import { DexError } from "../../kernel/errors.ts";
import { errorOf, failureOf } from "./read_failure.ts";

/** As a message between threads. */
function afterThread(path: string, error: unknown): DexError {
  return errorOf(path, structuredClone(failureOf(error)));
}

test("a DexError keeps its code, message and hint across threads", () => {
  const error = afterThread("src/a.go", new DexError("no_grammar", "dex cannot load Go.", { hint: "Reinstall dex." }));
  assert.deepEqual([error.code, error.message, error.hint], ["no_grammar", "dex cannot load Go.", "Reinstall dex."]);
});

test("any other error names the file, and does not blame the installation", () => {
  const error = afterThread("src/a.go", new RangeError("out of memory"));
  assert.equal(error.code, "code_reader");
  assert.equal(error.message, "dex cannot index src/a.go: out of memory");
  assert.doesNotMatch(error.hint ?? "", /Reinstall/);
});
