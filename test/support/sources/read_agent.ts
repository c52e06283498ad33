/** Reads an agent's history with the reader that dex would choose. */
import assert from "node:assert/strict";
import { loadSource } from "../../../src/integrations/registry.ts";
import { CollectingSink, readAll, testEnv } from "./sink.ts";

/** Every conversation of the agent in this home, and in the folders `roots` of projects. No record may be malformed. */
export async function readAgent(id: string, home: string, roots: string[] = []): Promise<CollectingSink> {
  const source = await loadSource(id);
  assert.ok(source, id);
  const sink = new CollectingSink();
  readAll(source, testEnv(home, {}, roots), sink);
  assert.deepEqual(sink.malformedLines, []);
  return sink;
}
