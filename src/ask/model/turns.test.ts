import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "../../llm/model.ts";
import { recentTurns, tokensOf, trimmed } from "./turns.ts";

const long = "a passage about streaming ".repeat(200);
const call = (id: string): ChatMessage => ({
  role: "assistant",
  content: "",
  toolCalls: [{ id, name: "t", arguments: "{}" }],
});
const result = (id: string): ChatMessage => ({ role: "tool", content: `${id} ${long}`, toolCallId: id });

test("the oldest results become stubs, the last round stays whole, and every call keeps a result", () => {
  const messages: ChatMessage[] = [
    { role: "system", content: "s" },
    { role: "user", content: "q" },
    call("a"),
    result("a"),
    call("b"),
    result("b"),
    call("c"),
    result("c"),
  ];
  const budget = tokensOf(messages) - 100;
  const kept = trimmed(messages, budget);
  assert.equal(kept.length, messages.length);
  assert.match(kept[3]?.content ?? "", /Left out/);
  assert.equal(kept[5]?.content, messages[5]?.content);
  const tight = trimmed(messages, 10);
  assert.match(tight[5]?.content ?? "", /Left out/);
  assert.equal(tight[7]?.content, messages[7]?.content);
  assert.deepEqual(trimmed(messages, 1e9), messages);
});

test("keeps the newest earlier turns that fit", () => {
  const turns: ChatMessage[] = [1, 2, 3].flatMap((n) => [
    { role: "user" as const, content: `question ${n}` },
    { role: "assistant" as const, content: `${n} ${long}` },
  ]);
  const two = recentTurns(turns, tokensOf(turns.slice(2)));
  assert.deepEqual(two, turns.slice(2));
  assert.deepEqual(recentTurns(turns, 5), []);
});
