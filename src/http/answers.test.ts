import assert from "node:assert/strict";
import { test } from "node:test";
import { DexError } from "../kernel/errors.ts";
import { apiError } from "./answers.ts";

test("the status tells a wrong request, a missing thing and a failure of this machine apart", () => {
  const statuses = {
    bad_input: 400,
    ambiguous_id: 400,
    unknown_id: 404,
    no_such_chat: 404,
    needs_yes: 409,
    target_too_small: 422,
    not_writable: 500,
    disk_full: 500,
    damaged_archive: 500,
  };
  for (const [code, status] of Object.entries(statuses)) {
    assert.equal(apiError(new DexError(code, "A sentence.")).status, status, code);
  }
  assert.equal(apiError(new TypeError("a mistake")).status, 500);
});
