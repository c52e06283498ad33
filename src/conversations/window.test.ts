import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { refused } from "../../test/support/refused.ts";
import { windowAround } from "./window.ts";

describe("windowAround", () => {
  test("the middle, both ends, all", () => {
    assert.deepEqual(windowAround(10, 5, 2, 2), { start: 3, end: 8, has_more_before: true, has_more_after: true });
    assert.deepEqual(windowAround(10, 0, 2, 2), { start: 0, end: 3, has_more_before: false, has_more_after: true });
    assert.deepEqual(windowAround(10, 9, 2, 2), { start: 7, end: 10, has_more_before: true, has_more_after: false });
    assert.deepEqual(windowAround(1, 0, 99, 99), { start: 0, end: 1, has_more_before: false, has_more_after: false });
    assert.deepEqual(windowAround(9, 4, -1, Number.NaN), {
      start: 4,
      end: 5,
      has_more_before: true,
      has_more_after: true,
    });
    assert.deepEqual(windowAround(9, 4, Infinity, Infinity), {
      start: 0,
      end: 9,
      has_more_before: false,
      has_more_after: false,
    });
  });

  test("a center that does not exist is refused", () => {
    for (const center of [10, -1, 1.5, Number.NaN]) {
      refused("bad_range", /has 10 messages/, /0 to 9/, () => windowAround(10, center, 1, 1));
    }
  });
});
