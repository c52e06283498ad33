/** Threads in the database: subagents, branches, and the forms that older versions wrote. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, it } from "node:test";
import { rounds } from "../../../../../test/support/program/limits.ts";
import { between, seeded } from "../../../../../test/support/random.ts";
import { temporaryFolder } from "../../../../../test/support/repository.ts";
import { json } from "../../../../../test/support/sources/forms.ts";
import {
  ai,
  at,
  call,
  checkpointId,
  human,
  putThread,
  said,
  THREADS,
  tool,
} from "../../../../../test/support/sources/langgraph.ts";
import { Extended, msgpack } from "../../../../../test/support/sources/msgpack.ts";
import { readAgent } from "../../../../../test/support/sources/read_agent.ts";
import { CollectingSink, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import { deepAgentsHistory } from "./source.ts";

let home: string;

beforeEach(() => {
  home = temporaryFolder();
});

const read = (): Promise<CollectingSink> => readAgent("deep_agents", home);

describe("threads of Deep Agents", () => {
  it("reads a subagent as a conversation below the one whose tool started it, also within a subagent", async () => {
    const outer = "tools:0000-a";
    putThread(home, [
      { at: 0, writes: [[human("m1", "research")]] },
      { at: 1, writes: [[ai("m2", "", { tool_calls: [call("c1", "task", { description: "find" })] })]] },
      { at: 2, writes: [[human("s1", "find")]], namespace: outer, parent: null },
      { at: 3, writes: [[human("n1", "deeper")]], namespace: `${outer}|tools:b`, parent: null },
      { at: 3, writes: [[human("p1", "find more")]], namespace: `${outer}|1`, parent: null },
      { at: 4, writes: [[tool("s2", "c9", "found deep")]], namespace: outer, task: "b", parent: 2 },
      { at: 5, writes: [[tool("m3", "c1", "found")]], task: "0000-a", parent: 1 },
      { at: 6, writes: [[ai("x1", '{"ok":true}')]], namespace: "RubricMiddleware:c", parent: null },
    ]);
    const { conversations } = await read();
    const facts = Array.from(conversations.values(), ({ meta, messages }) => [
      meta.id,
      meta.parent,
      meta.parent_kind,
      ...said(messages),
    ]);
    assert.deepEqual(facts, [
      ["t1", undefined, undefined, "user: research", "assistant: task", "tool: found"],
      [`t1:${outer}`, "t1", "subagent", "user: find", "tool: found deep"],
      [`t1:${outer}|1`, "t1", "subagent", "user: find more"],
      [`t1:${outer}|tools:b`, `t1:${outer}`, "subagent", "user: deeper"],
    ]);
    const agent = (id: string): unknown => {
      const [part] = conversations.get(id)?.messages.at(-1)?.parts ?? [];
      return part?.type === "tool_result" ? part.agent : undefined;
    };
    assert.equal(agent("t1"), `t1:${outer}`);
    assert.equal(agent(`t1:${outer}`), `t1:${outer}|tools:b`);
  });

  it("reads versions that saved at the end of a turn, where each state has all messages", async () => {
    const turns = [human("m1", "one"), ai("m2", "first"), human("m3", "two"), ai("m4", "second")];
    putThread(home, [
      { at: 0, step: 4, state: turns.slice(0, 2) },
      { at: 60, step: 9, state: new Extended(7, msgpack(turns)) },
      // A newer version goes on with writes.
      { at: 90, step: 10, writes: [[human("m5", "three")]], state: turns },
      { at: 91, step: 11, writes: [[ai("m6", "third")]] },
    ]);
    const { messages } = (await read()).only();
    assert.deepEqual(said(messages), [
      "user: one",
      "assistant: first",
      "user: two",
      "assistant: second",
      "user: three",
      "assistant: third",
    ]);
    assert.deepEqual(
      messages.map(({ time }) => time),
      [at(0), at(0), at(60), at(60), at(91), at(91)],
    );
  });

  it("keeps a branch that was left", async () => {
    putThread(home, [
      { at: 0, writes: [[human("m1", "plan")]] },
      { at: 1, writes: [[ai("m2", "a plan")]] },
      { at: 2 },
      { at: 3, writes: [[human("m3", "use redis")]] },
      { at: 4, writes: [[ai("m4", "redis it is")]] },
      { at: 5, parent: 2, writes: [[human("m5", "use sqlite")]] },
      { at: 6, writes: [[ai("m6", "sqlite it is")]] },
    ]);
    const sink = await read();
    assert.deepEqual(said(sink.only().messages), [
      "user: plan",
      "assistant: a plan",
      "user: use sqlite",
      "assistant: sqlite it is",
    ]);
    const [left] = sink.abandoned();
    assert.equal(left?.meta.parent, "t1");
    assert.deepEqual(said(left?.messages ?? []), ["user: use redis", "assistant: redis it is"]);
  });

  it("reads values in JSON, and counts those that cannot be read", () => {
    const id = ["langchain", "schema", "messages", "HumanMessage"];
    const text = json([{ lc: 1, type: "constructor", id, kwargs: { content: "half a pair", id: "m1" } }]);
    const deep = `[["user", ${"[".repeat(50_000)}${"]".repeat(50_000)}]]`;
    putThread(home, [
      { at: 0, writes: [text, new Uint8Array([1]), json("{").slice(1, 2), deep] },
      { at: 1, writes: [[ai("m2", "Read.")]] },
    ]);
    const sink = new CollectingSink();
    readAll(deepAgentsHistory, testEnv(home), sink);
    assert.deepEqual(said(sink.only().messages), ["user: half a pair", "assistant: Read."]);
    assert.match(sink.malformedLines.join(), /thread t1 has 2 values that cannot be read/);
  });

  it("finds the database in the folder that a variable names", () => {
    putThread(home, [{ at: 0, writes: [[human("m1", "hello")]] }], "elsewhere/.state/sessions.db");
    const sink = new CollectingSink();
    readAll(deepAgentsHistory, testEnv(home, { DEEPAGENTS_HOME: join(home, "elsewhere") }), sink);
    assert.deepEqual(said(sink.only().messages), ["user: hello"]);
  });

  it("survives values that are damaged at random, and reads the others", () => {
    const random = seeded(20261119);
    const said = msgpack([
      human("m1", "plan"),
      ai("m2", "a plan", { tool_calls: [call("c1", "execute", { command: "ls" })] }),
    ]);
    putThread(home, [
      { at: 0, writes: [[human("m0", "first")]] },
      { at: 1, writes: [[human("m1", "plan")]] },
    ]);
    const db = new DatabaseSync(join(home, THREADS));
    const change = db.prepare("UPDATE writes SET value = ?, rowid = rowid + 10 WHERE checkpoint_id = ?");
    for (let round = rounds(100, 5000); round > 0; round -= 1) {
      const bytes = Buffer.from(said.subarray(0, random() < 0.3 ? between(random, 0, said.length) : said.length));
      for (let flips = between(random, 1, 4); flips > 0 && bytes.length > 0; flips -= 1) {
        bytes[between(random, 0, bytes.length - 1)] = between(random, 0, 255);
      }
      change.run(bytes, checkpointId(1));
      const sink = new CollectingSink();
      readAll(deepAgentsHistory, testEnv(home), sink);
      assert.deepEqual(sink.only().messages[0]?.parts, [{ type: "text", text: "first" }]);
    }
    db.close();
  });
});
