/** A log whose first messages the agent removed, and which it then continues: the reader counts from the new beginning. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/repository.ts";
import { testEnv } from "../../../test/support/sources/sink.ts";
import { codexHistory } from "../../integrations/agents/codex/history/source.ts";
import { readDirectory, readMessages } from "../../store/archive/archive.ts";
import { openIndex } from "../../store/engine/index.ts";
import { runSync } from "../sync.ts";
import { DroppedMessages } from "./dropped_messages.ts";

const ID = "0199aaaa-0000-7000-8000-000000000001";

test("messages that follow a shortened log are added behind those that were kept", async () => {
  const home = temporaryFolder();
  const folder = join(home, ".codex/sessions/2026/03/04");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `rollout-2026-03-04T10-00-00-${ID}.jsonl`);
  const at = (name: string): string => join(home, ".dex", name);
  const keptAfter = async (said: readonly string[], full = false): Promise<string> => {
    const record = (type: string, payload: object): string =>
      `${JSON.stringify({ timestamp: "2026-03-04T10:00:00.000Z", type, payload })}\n`;
    const head = record("session_meta", { id: ID, cwd: "/srv/demo" });
    const messages = said.map((text) => {
      const message = { type: "message", role: "user", content: [{ type: "input_text", text }] };
      return record("turn_context", { turn_id: text }) + record("response_item", message);
    });
    writeFileSync(path, head + messages.join(""));
    const env = testEnv(home);
    await runSync({
      places: { index: at("index.db"), archive: at("archive"), lock: at("lock"), running: at("running") },
      env,
      containers: codexHistory.discover(env),
      policy: { exclude: [], trusted: [], headless: false, forgotten: [] },
      full,
      everything: true,
      threads: 0,
      waitMs: 1000,
      now: Date.now,
    });
    const { store } = openIndex(at("index.db"));
    try {
      const row = store.byNo(1);
      const archived = row && readDirectory(at("archive"), row.archive);
      assert.ok(row && archived);
      const kept = [...readMessages(at("archive"), row.archive, archived.blocks)];
      assert.equal(row.messages, kept.length);
      return kept
        .map(({ message: { parts } }) => parts.map((part) => (part.type === "text" ? part.text : "")))
        .join(" ");
    } finally {
      store.close();
    }
  };
  assert.equal(await keptAfter(["a1", "b2", "c3", "d4"]), "a1 b2 c3 d4");
  assert.equal(await keptAfter(["c3", "d4"]), "a1 b2 c3 d4");
  assert.equal(await keptAfter(["c3", "d4", "e5"]), "a1 b2 c3 d4 e5");
  assert.equal(await keptAfter(["c3", "d4", "e5", "f6"]), "a1 b2 c3 d4 e5 f6");
  assert.equal(await keptAfter(["e5", "f6", "g7"]), "a1 b2 c3 d4 e5 f6 g7");
  assert.equal(await keptAfter(["e5", "f6", "g7", "h8"]), "a1 b2 c3 d4 e5 f6 g7 h8");
  assert.equal(await keptAfter(["e5", "f6", "g7", "h8"], true), "a1 b2 c3 d4 e5 f6 g7 h8");
  // All of them again: nothing is missing at the beginning.
  assert.equal(await keptAfter(["a1", "b2", "c3"]), "a1 b2 c3 d4 e5 f6 g7 h8");
  assert.equal(await keptAfter(["a1", "b2", "c3", "x"]), "a1 b2 c3 x");
});

test("the counts are stored with the reader's state, whatever the conversations are called", () => {
  const dropped = new DroppedMessages({ dropped_messages: { one: 2, __proto__: 3, two: "many", none: 0 } });
  assert.deepEqual([dropped.position("one", 0), dropped.position("one", 5), dropped.position("two", 5)], [0, 7, 5]);
  dropped.set("__proto__", 4);
  const stored = dropped.storedWith({ index: 5, dropped_messages: { old: 1 } });
  assert.equal(JSON.stringify(stored), '{"index":5,"dropped_messages":{"one":2,"__proto__":4}}');
  assert.equal(new DroppedMessages(JSON.parse(JSON.stringify(stored))).position("__proto__", 1), 5);
  for (const id of ["one", "__proto__"]) dropped.set(id, 0);
  assert.deepEqual(dropped.storedWith(stored), { index: 5 });
  assert.equal(dropped.storedWith(null), null);
});
