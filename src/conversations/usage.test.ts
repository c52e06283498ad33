import assert from "node:assert/strict";
import { test } from "node:test";
import { checkedUsage, requestId, type Usage } from "./usage.ts";

test("hostile numbers count as nothing, and a record without any number is dropped", () => {
  const hostile = [Number.NaN, Number.POSITIVE_INFINITY, -5, 1e300, "7", null, {}, 10n] as unknown as number[];
  for (const input of hostile) {
    assert.equal(checkedUsage([{ id: "x", input }]), undefined, String(input));
    assert.deepEqual(checkedUsage([{ input, output: 3 }]), [{ output: 3 }]);
  }
  assert.deepEqual(checkedUsage([{ output: 2.6, cost: -1 }]), [{ output: 3 }]);
  assert.deepEqual(checkedUsage([{ cost: 0.5, requests: 2 }]), [{ requests: 2, cost: 0.5 }]);
  assert.equal(checkedUsage([]), undefined);
  const many = Array.from({ length: 5000 }, (): Usage => ({ output: 1 }));
  assert.equal(checkedUsage(many)?.length, 1000);
});

test("a part is never more than its whole", () => {
  const checked = checkedUsage([{ output: 10, reasoning: 25, cache_write: 4, cache_write_1h: 9 }, { reasoning: 5 }]);
  assert.deepEqual(checked, [{ cache_write: 4, cache_write_1h: 4, output: 10, reasoning: 10 }]);
});

test("ids are hashes: no text of a file passes through them", () => {
  const id = requestId("msg_1", "req_1");
  assert.match(id ?? "", /^[0-9a-f]{16}$/);
  assert.notEqual(id, requestId("msg_1"));
  assert.notEqual(requestId("ab", "c"), requestId("a", "bc"));
  assert.equal(requestId(undefined, ""), undefined);
  assert.deepEqual(checkedUsage([{ id, output: 1 }]), [{ id, output: 1 }]);
  assert.match(checkedUsage([{ id: "sk-secret", output: 1 }])?.[0]?.id ?? "", /^[0-9a-f]{16}$/);
});
