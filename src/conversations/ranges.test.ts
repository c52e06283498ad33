import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { leastCpu } from "../../test/support/cost.ts";
import { between, seeded } from "../../test/support/random.ts";
import { refused } from "../../test/support/refused.ts";
import { parseIndices } from "./ranges.ts";

describe("parseIndices", () => {
  test("single, range, list; ascending, each once", () => {
    assert.deepEqual(parseIndices("5", 20), [5]);
    assert.deepEqual(parseIndices("5-8", 20), [5, 6, 7, 8]);
    assert.deepEqual(parseIndices("10-12, 1,5 , 4 - 5,11", 20), [1, 4, 5, 10, 11, 12]);
    assert.deepEqual(parseIndices("0-0", 1), [0]);
  });

  test("an invalid range is refused, with the valid one", () => {
    for (const bad of ["-3", "5-", "", " ", "1,,2", "1,", "a", "1.5", "5--6", "1-2-3", "٣"]) {
      refused("bad_range", /is not a message index or range/, /0 to 19/, () => parseIndices(bad, 20));
    }
    refused("bad_range", /"9-4" runs backwards/, /0 to 19/, () => parseIndices("9-4", 20));
    refused("bad_range", /"x" in "1,x"/, /0 to 19/, () => parseIndices("1,x", 20));
  });

  test("beyond the end says how many there are", () => {
    refused("bad_range", /no message 20: the conversation has 20 messages/, /0 to 19/, () => parseIndices("3-20", 20));
    refused("bad_range", /has 1 message\b/, /only message is 0/, () => parseIndices("1", 1));
    refused("bad_range", /has no messages/, /empty/, () => parseIndices("0", 0));
  });

  test("huge and repeated ranges cost nothing", () => {
    refused("bad_range", /There is no message/, /0 to 9/, () => parseIndices("0-999999999999", 10));
    refused("bad_range", /more than 100,000 messages/, /fewer/, () => parseIndices("0-900000", 1_000_000));
    const repeated = Array(5000).fill("0-49999").join(",");
    assert.equal(parseIndices(repeated, 50_000).length, 50_000);
    const once = leastCpu(() => parseIndices("0-49999", 50_000));
    const often = leastCpu(() => parseIndices(repeated, 50_000));
    assert.ok(often < 50 * once, `5000 times the same range: ${often} µs, once: ${once} µs`);
  });

  test("agrees with a plain set on random lists", () => {
    const random = seeded(1);
    for (let round = 0; round < 300; round += 1) {
      const expected = new Set<number>();
      const pieces: string[] = [];
      for (let i = between(random, 1, 6); i > 0; i -= 1) {
        const first = between(random, 0, 99);
        const last = between(random, first, Math.min(99, first + 20));
        for (let index = first; index <= last; index += 1) expected.add(index);
        pieces.push(first === last ? `${first}` : `${first}-${last}`);
      }
      assert.deepEqual(
        parseIndices(pieces.join(","), 100),
        [...expected].sort((a, b) => a - b),
      );
    }
  });
});
