import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { rounds } from "../../../test/support/program/limits.ts";
import { quickJoin, quickResolve } from "./quick_path.ts";

const PIECES = [
  "",
  ".",
  "..",
  "/",
  "//",
  "a",
  "b.c",
  ".d",
  "..e",
  "f.",
  "g..",
  "h/",
  "/i",
  "ü",
  "j k",
  "...",
  "\\",
  "C:",
];

test("joins and resolves as Node does", () => {
  let seed = 7;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const piece = (): string => Array.from({ length: 1 + next(3) }, () => PIECES[next(PIECES.length)]).join("");
  for (let round = 0; round < rounds(5000, 100_000); round += 1) {
    const parts = Array.from({ length: next(5) }, piece);
    assert.equal(quickJoin(...parts), join(...parts), JSON.stringify(parts));
    assert.equal(quickResolve(...parts), resolve(...parts), JSON.stringify(parts));
  }
});

test("a part that is not a text is an error, as for Node", () => {
  const wrong = ["/a", undefined] as unknown as string[];
  assert.throws(() => quickJoin(...wrong), { code: "ERR_INVALID_ARG_TYPE" });
  assert.throws(() => quickResolve(...wrong), { code: "ERR_INVALID_ARG_TYPE" });
});
