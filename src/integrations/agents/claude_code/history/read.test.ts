import assert from "node:assert/strict";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import {
  container,
  newHome,
  put,
  readOnly,
  readText,
  richTranscript,
  SESSION,
  say,
  Transcript,
  texts,
} from "../../../../../test/support/histories/claude.ts";
import { rounds } from "../../../../../test/support/program/limits.ts";
import { below, flipped, seeded } from "../../../../../test/support/random.ts";
import { CollectingSink, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import type { Json } from "../../../../kernel/json.ts";
import { claudeCodeHistory } from "./source.ts";

describe("reading on", () => {
  it("gives the same whether a file is read at once or in two parts", () => {
    const bytes = Buffer.from(richTranscript().text);
    const whole = readText(bytes.toString()).only();
    const cuts = [...bytes.keys()].filter((at) => bytes[at] === 0x0a).map((at) => at + 1);
    for (let at = 37; at < bytes.length; at += 301) cuts.push(at);
    for (const cut of cuts) {
      const home = newHome();
      const file = put(home, `${SESSION}.jsonl`, bytes.subarray(0, cut));
      const sink = new CollectingSink();
      const states = readAll(claudeCodeHistory, testEnv(home), sink);
      appendFileSync(file, bytes.subarray(cut));
      readAll(claudeCodeHistory, testEnv(home), sink, states);
      assert.deepEqual(sink.only(), whole, `cut at ${cut}`);
      const delivered = sink.delivered;
      const again = readAll(claudeCodeHistory, testEnv(home), sink, new Map(states));
      assert.equal(sink.delivered, delivered);
      assert.deepEqual(again, states);
      rmSync(home, { recursive: true });
    }
  });

  it("gives the same line by line, with a record repeated late and a new title alone", () => {
    const t = richTranscript();
    for (let i = 0; i < 8; i += 1) t.answer(`n${i}`, say(`answer ${i}`));
    t.raw(t.records[2] ?? {}).raw({ type: "custom-title", customTitle: "Renamed at last", sessionId: SESSION });
    const home = newHome();
    const file = put(home, `${SESSION}.jsonl`, "");
    const sink = new CollectingSink();
    const states = new Map<string, Json | undefined>();
    for (const record of t.records) {
      appendFileSync(file, `${JSON.stringify(record)}\n`);
      readAll(claudeCodeHistory, testEnv(home), sink, states);
    }
    assert.deepEqual(sink.only(), readOnly(t));
    assert.equal(sink.only().meta.title, "Renamed at last");
    assert.ok(JSON.stringify([...states.values()]).length < 1500);
  });

  it("gives the same when two records are on one line", () => {
    const t = new Transcript().prompt("one").answer("a", say("two")).prompt("three");
    const [one, two, three] = t.records.map((record) => JSON.stringify(record));
    const home = newHome();
    const file = put(home, `${SESSION}.jsonl`, `${one}${two}\n`);
    const sink = new CollectingSink();
    const states = readAll(claudeCodeHistory, testEnv(home), sink);
    appendFileSync(file, `${three}\n`);
    readAll(claudeCodeHistory, testEnv(home), sink, states);
    assert.deepEqual(sink.only(), readOnly(t));
  });

  it("delivers only the tail of a long session", () => {
    const t = new Transcript();
    for (let i = 0; i < 200; i += 1) t.prompt(`question ${i}`).answer(`m${i}`, say(`answer ${i}`));
    const home = newHome();
    const file = put(home, `${SESSION}.jsonl`, t.text);
    const sink = new CollectingSink();
    const states = readAll(claudeCodeHistory, testEnv(home), sink);
    const before = sink.delivered;
    appendFileSync(file, `${JSON.stringify(t.prompt("one more").records.at(-1))}\n`);
    readAll(claudeCodeHistory, testEnv(home), sink, states);
    assert.equal(sink.only().messages.length, 401);
    assert.ok(sink.delivered - before <= 12);
  });

  it("reads a rewritten or truncated file from the start", () => {
    const home = newHome();
    const t = richTranscript();
    const file = put(home, `${SESSION}.jsonl`, t.text);
    const sink = new CollectingSink();
    const states = readAll(claudeCodeHistory, testEnv(home), sink);
    const other = new Transcript().prompt("something else").answer("x", say("indeed"));
    writeFileSync(file, other.text);
    readAll(claudeCodeHistory, testEnv(home), sink, states);
    assert.deepEqual(sink.only().messages, readOnly(other).messages);
    writeFileSync(file, other.text.replace("indeed", "INDEED"));
    readAll(claudeCodeHistory, testEnv(home), sink, states);
    assert.deepEqual(texts(sink.only().messages), ["user: something else", "assistant: INDEED"]);
  });

  it("stops at once and keeps no state when the conversation is not wanted", () => {
    const home = newHome();
    put(home, `${SESSION}.jsonl`, richTranscript().text);
    const env = testEnv(home);
    let opened = 0;
    const fail = (): never => assert.fail("called after a refusal");
    const sink = { open: () => opened++ > 0, message: fail, close: fail, malformed: fail };
    const request = { container: container(env, ".jsonl"), env, state: undefined, inherited: new Set<string>(), sink };
    assert.equal(claudeCodeHistory.read(request), undefined);
    assert.equal(opened, 1);
  });
});

describe("damaged files", () => {
  it("counts a broken line and reads on; two records on one line are both read", () => {
    const good = new Transcript().prompt("one").prompt("two").prompt("three");
    const [one, two, three] = good.records.map((record) => JSON.stringify(record));
    const sink = readText(`${one}\n{"type":"user","mess\n{"type":"mode","mode":"x"}${two}\n[]\n${three}\n`);
    assert.deepEqual(texts(sink.only().messages), ["user: one", "user: two", "user: three"]);
    assert.equal(sink.malformedLines.length, 3);
  });

  it("opens nothing for a file without messages, and survives one that went away", () => {
    const home = newHome();
    const file = put(home, `${SESSION}.jsonl`, `${JSON.stringify({ type: "mode", mode: "plan" })}\n`);
    const env = testEnv(home);
    const found = container(env, ".jsonl");
    const sink = new CollectingSink();
    readAll(claudeCodeHistory, env, sink);
    assert.equal(sink.conversations.size, 0);
    rmSync(file);
    assert.equal(
      claudeCodeHistory.read({ container: found, env, state: undefined, inherited: new Set(), sink }),
      undefined,
    );
    assert.equal(claudeCodeHistory.lineage?.(found, env), undefined);
  });

  it("never throws on records of a wrong shape", () => {
    const odd: Json[] = [
      null,
      0,
      "",
      "text",
      true,
      [],
      [[]],
      {},
      [null, 1, "x", { type: 5 }, { type: "text", text: {} }],
    ];
    const keys = [
      "message",
      "content",
      "attachment",
      "uuid",
      "timestamp",
      "toolUseResult",
      "isMeta",
      "operation",
      "origin",
    ];
    const lines: string[] = [];
    for (const type of ["user", "assistant", "system", "attachment", "queue-operation", "summary", "pr-link", 7, null])
      for (const key of keys)
        for (const value of odd) {
          const message = { id: value, role: "user", model: value, content: key === "content" ? value : [value] };
          lines.push(JSON.stringify({ type, subtype: "api_error", error: value, message, [key]: value }));
          lines.push(
            JSON.stringify({ type, message: { content: [{ type: "tool_result", content: value }] }, [key]: value }),
          );
        }
    readText(`${lines.join("\n")}\n`);
  });

  it("never throws on truncated or flipped bytes, whole or continued", () => {
    const bytes = Buffer.from(richTranscript().text);
    const random = seeded(42);
    const home = newHome();
    for (let round = 0; round < rounds(40, 150); round += 1) {
      const damaged = flipped(random, bytes.subarray(0, below(random, bytes.length)), 20);
      const file = put(home, `${SESSION}.jsonl`, damaged);
      const sink = new CollectingSink();
      const states = readAll(claudeCodeHistory, testEnv(home), sink);
      appendFileSync(file, bytes.subarray(below(random, bytes.length)));
      readAll(claudeCodeHistory, testEnv(home), sink, states);
      const fresh = new CollectingSink();
      readAll(claudeCodeHistory, testEnv(home), fresh);
      assert.deepEqual([...sink.conversations], [...fresh.conversations]);
    }
  });
});
