import assert from "node:assert/strict";
import { test } from "node:test";
import { pastedAddress } from "./pasted_address.ts";

test("an id, an address and a link of the page name a conversation", () => {
  const id = "019eef3d-abd1-72e1-ab99-dcdb259027c5";
  assert.deepEqual(pastedAddress(id), { id });
  assert.deepEqual(pastedAddress("019eef3d"), { id: "019eef3d" });
  assert.deepEqual(pastedAddress("019eef3d#264"), { id: "019eef3d", index: 264 });
  assert.deepEqual(pastedAddress("codex:ses_1#2"), { id: "codex:ses_1", index: 2 });
  assert.deepEqual(pastedAddress(`http://127.0.0.1:3939/c/${id}/12?find=x`), { id, index: 12 });
  assert.deepEqual(pastedAddress("http://127.0.0.1:3939/c/a%3Ab"), { id: "a:b" });
  assert.deepEqual(pastedAddress("http://127.0.0.1:3939/c/%E0%A4%A"), { id: "%E0%A4%A" });
});

test("other queries name none", () => {
  for (const query of ["", "flaky test", "58f316ca2", "cafe", "C#", "issue #12", "http://127.0.0.1:3939/docs"]) {
    assert.equal(pastedAddress(query), undefined, query);
  }
});
