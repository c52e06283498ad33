/** A search knows where it comes from: an agent without variables is in the conversation that is being written. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Dex } from "../../src/dex.ts";
import { search } from "../../src/operations/conversations/search.ts";
import { importFile } from "../../src/operations/upkeep/import.ts";

const home = mkdtempSync(join(tmpdir(), "dex-caller-"));
after(() => rmSync(home, { recursive: true, force: true }));

test("an agent's own running conversation is not its first result, if only one is running", async () => {
  const project = join(home, "boats");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), "{}");
  const dex = await Dex.open({ vars: { HOME: home, DEX_HOME: join(home, ".dex"), TZ: "UTC" }, cwd: project });
  try {
    const write = async (conversation: string, time: number, text: string): Promise<void> => {
      const file = join(home, `${conversation}.jsonl`);
      const line = { conversation, role: "user", time: new Date(time).toISOString(), text, project };
      writeFileSync(file, `${JSON.stringify(line)}\n`);
      await importFile.run(dex, importFile.input.parse({ file }), {});
    };
    const first = async (agent: boolean): Promise<string | undefined> => {
      const input = search.input.parse({ query: "mooring rope", mode: "lexical" });
      return (await search.run(dex, input, { agent })).results[0]?.id;
    };
    await write("earlier", dex.now() - 86_400_000, "the mooring of the boats, with a rope that is long");
    await write("running", dex.now(), "mooring rope");
    assert.equal(await first(false), "running", "a person who searches is in none of them");
    assert.equal(await first(true), "earlier");
    await write("beside", dex.now(), "something else altogether");
    assert.equal(await first(true), "running", "either may be the agent's own");
  } finally {
    dex.close();
  }
});
