import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATIONS } from "../../operations/registry.ts";
import { PROGRAMS } from "../programs/registry.ts";
import { generalHelp } from "./general_help.ts";

test("the help lists every command once", async () => {
  const lines = (await generalHelp(1000)).split("\n");
  for (const verb of new Set([...Object.keys(OPERATIONS), ...Object.keys(PROGRAMS)])) {
    const found = lines.filter((line) => new RegExp(`^  dex ${verb}(?: [<[]|  )`).test(line));
    assert.equal(found.length, 1, verb);
  }
});
