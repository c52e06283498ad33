import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATIONS } from "../operations/registry.ts";
import { rendererOf } from "./registry.ts";

test("every verb has a renderer", async () => {
  for (const verb of Object.keys(OPERATIONS)) assert.equal(typeof (await rendererOf(verb)), "function", verb);
  await assert.rejects(rendererOf("no such verb"), /no such verb/);
});
