/** Asserts that something is refused as the user will see it: code, sentence and hint. */
import assert from "node:assert/strict";
import { DexError } from "../../src/kernel/errors.ts";

export function refused(code: string, message: RegExp, hint: RegExp, run: () => unknown): void {
  assert.throws(run, (error) => {
    assert.ok(error instanceof DexError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.match(error.hint ?? "", hint);
    return true;
  });
}
