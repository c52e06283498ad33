import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import {
  agentItem,
  call,
  event,
  meta,
  newHome,
  output,
  readHome,
  readRecords,
  rolloutPath,
  SESSION,
  THREAD,
  text,
  texts,
  turn,
  userItem,
  write,
} from "../../../../../test/support/histories/rollout.ts";
import { rounds } from "../../../../../test/support/program/limits.ts";
import { below, flipped, seeded } from "../../../../../test/support/random.ts";
import { CollectingSink, readAll, readOne, testEnv } from "../../../../../test/support/sources/sink.ts";
import type { JsonObject } from "../../../../kernel/json.ts";
import { codexHistory } from "./source.ts";

/**
 * Reads the file cut at every line and within lines, then whole with the state of that read: the messages must be
 * equal.
 */
function sameInPieces(records: JsonObject[]): void {
  const whole = text(records);
  const fresh = readRecords(records);
  const cuts = [...whole.matchAll(/\n/g)].flatMap((match) => [match.index + 1, match.index, match.index - 7]);
  const home = newHome();
  const path = rolloutPath(home);
  for (const cut of cuts) {
    write(path, []);
    writeFileSync(path, whole.slice(0, cut));
    const sink = new CollectingSink();
    const states = readAll(codexHistory, testEnv(home), sink);
    writeFileSync(path, whole);
    readAll(codexHistory, testEnv(home), sink, states);
    assert.deepEqual(sink.only(), fresh, `cut at ${cut}: ${whole.slice(cut - 60, cut)}`);
    assert.ok(JSON.stringify(states.get(path)).length < 2000);
    const delivered = sink.delivered;
    readAll(codexHistory, testEnv(home), sink, states);
    assert.equal(sink.delivered, delivered, "nothing new, nothing delivered");
    assert.deepEqual(sink.malformedLines, []);
  }
}

test("rolled back prompts are void, with everything after them", () => {
  const records = [
    meta(),
    ...turn("t1", "one", "1"),
    ...turn("t2", "two", "2"),
    ...turn("t3", "three", "3"),
    event("thread_rolled_back", { num_turns: 2 }),
    ...turn("t4", "four", "4"),
  ];
  assert.deepEqual(texts(readRecords(records).messages), ["user: one", "assistant: 1", "user: four", "assistant: 4"]);
  const all = readRecords([
    meta(),
    ...turn("t1", "one", "1"),
    event("thread_rolled_back", { num_turns: 9 }),
    ...turn("t2", "two", "2"),
  ]);
  assert.deepEqual(texts(all.messages), ["user: two", "assistant: 2"]);
  assert.equal(all.meta.title, "two");
  sameInPieces(records);
});

test("messages rolled back soon are only emitted as abandoned; emitted ones are taken back", () => {
  const home = newHome();
  const turns = (size: number): JsonObject[] =>
    ["one", "two", "three"].flatMap((prompt, i) => turn(`t${i}`, prompt, `${prompt} `.repeat(size)));
  const rolledBack = [event("thread_rolled_back", { num_turns: 2 }), ...turn("t4", "four", "4")];
  for (const [size, expected] of [
    [1, 4],
    [900_000, 6],
  ] as const) {
    write(rolloutPath(home), [meta(), ...turns(size), ...rolledBack]);
    const sink = readHome(home);
    assert.deepEqual(
      sink.only().messages.map((message) => message.uid),
      ["t0", "t0", "t4", "t4"],
    );
    assert.deepEqual(
      sink.abandoned().map(({ messages }) => messages.map((message) => message.uid)),
      [["t1", "t1", "t2", "t2"]],
    );
    assert.ok(sink.delivered === 8 || size > 1, `${sink.delivered} were handed over`);
    assert.ok(sink.delivered >= expected);
  }
});

test("reading in pieces equals reading the whole", () => {
  sameInPieces(SESSION);
});

test("a text repeated only after a later message began is still recognised", () => {
  const late = [
    meta(),
    event("task_started", { turn_id: "t1" }),
    userItem("late"),
    event("agent_message", { message: "Said before the call." }),
    agentItem("Said before the call."),
    call("c1", "exec_command", { cmd: "ls" }),
    output("c1", "a.ts"),
    event("user_message", { message: "late" }),
    event("item_completed", { item: { type: "CommandExecution", id: "n1", command: ["ls"], exit_code: 0 } }),
    output("c2", "late output"),
    event("task_complete", { turn_id: "t1", last_agent_message: "Said before the call." }),
    userItem("<user_shell_command><command>ls</command><result>a.ts</result></user_shell_command>"),
    userItem("next"),
  ];
  assert.deepEqual(texts(readRecords(late).messages), [
    "user: late",
    'assistant: Said before the call. | exec_command({"cmd":"ls"})',
    "tool: exec_command -> a.ts",
    'assistant: exec_command({"cmd":["ls"]})',
    "tool: exec_command ->  | undefined -> late output",
    "user: !ls",
    "tool: user_shell -> a.ts",
    "user: next",
  ]);
  sameInPieces(late);
});

test("the state contains no words of the user", () => {
  const home = newHome();
  write(rolloutPath(home), [
    meta(),
    event("task_started", { turn_id: "t" }),
    userItem("my secret hunter2"),
    agentItem("I will not tell hunter2"),
  ]);
  const states = readAll(codexHistory, testEnv(home), new CollectingSink());
  assert.ok(!JSON.stringify([...states.values()]).includes("hunter2"));
});

test("a file that was rewritten or truncated is read whole again", () => {
  const home = newHome();
  const path = rolloutPath(home);
  write(path, SESSION);
  const sink = new CollectingSink();
  const states = readAll(codexHistory, testEnv(home), sink);
  write(path, [meta(), ...turn("t1", "another", "history")]);
  readAll(codexHistory, testEnv(home), sink, states);
  assert.deepEqual(texts(sink.only().messages), ["user: another", "assistant: history"]);
  truncateSync(path, 10);
  utimesSync(path, 1, 1);
  readAll(codexHistory, testEnv(home), sink, states);
  rmSync(path);
  const container = { source: "codex", path, stamp: "", bytes: 0, mtimeMs: 0 };
  readOne(codexHistory, testEnv(home), container, sink, states);
  assert.match(sink.malformedLines.join(), /ENOENT/);
  assert.equal(codexHistory.lineage?.(container, testEnv(home))?.id, THREAD);
});

test("damage is skipped", () => {
  const home = newHome();
  const path = rolloutPath(home);
  const bytes = Buffer.from(
    text([...SESSION.slice(1), event("thread_rolled_back", { num_turns: 1 }), ...turn("t9", "a", "b")]),
  );
  mkdirSync(dirname(path), { recursive: true });
  const random = seeded(7);
  for (let round = 0; round < rounds(25, 100); round += 1) {
    const damaged = flipped(random, bytes.subarray(0, 1 + below(random, bytes.length)), 12);
    const sink = new CollectingSink();
    writeFileSync(path, damaged);
    const states = readAll(codexHistory, testEnv(home), sink);
    appendFileSync(path, bytes.subarray(below(random, bytes.length)));
    readAll(codexHistory, testEnv(home), sink, states);
    if (round % 10 > 0) continue;
    rmSync(path);
    const packed = flipped(random, zstdCompressSync(damaged), 3);
    writeFileSync(`${path}.zst`, packed);
    for (const container of codexHistory.discover(testEnv(home))) codexHistory.lineage?.(container, testEnv(home));
    readAll(codexHistory, testEnv(home), new CollectingSink());
    rmSync(`${path}.zst`);
  }
});
