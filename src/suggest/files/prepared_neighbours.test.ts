import assert from "node:assert/strict";
import { test } from "node:test";
import type { HistoryReader } from "../../store/history.ts";
import { preparedNeighbours } from "./prepared_neighbours.ts";

function prepared(text: string | undefined): (string | undefined)[] | undefined {
  const history = { neighboursOf: () => text } as unknown as HistoryReader;
  return preparedNeighbours(history, "a.ts", (path) => path !== "gone.ts")?.map(({ path }) => path);
}

test("a prepared list leaves out files that are gone; without a readable list there is none", () => {
  const list = ["b.ts", "gone.ts", "c.ts"].map((path) => ({ path, probability: 0.5, reasons: [] }));
  assert.deepEqual(prepared(JSON.stringify(list)), ["b.ts", "c.ts"]);
  assert.equal(prepared(undefined), undefined);
  assert.equal(prepared("{"), undefined);
});
