import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConversationRow } from "../store/ports.ts";
import { chooseConversations } from "./plan.ts";
import { quotesOf } from "./quotes.ts";

test("a text quotes a conversation by its id or by a word that only that one has, also in nested JSON", () => {
  const quotes = quotesOf(['ab"c-1'], new Set(["medlar", "x7", "4711", "0815471", "数据"]));
  for (const text of ['see ab"c-1', JSON.stringify('ab"c-1'), "Medlars!", "getMedlarById", "0815471", "数据库"]) {
    assert.ok(quotes(text), text);
  }
  const nested = JSON.stringify({ said: JSON.stringify({ text: "one\nmedlar" }) });
  assert.ok(quotes(nested), nested);
  assert.ok(quotes('"\\u006dedlar"'), "letters as escapes");
  for (const text of ["", "ab", "x7", "in 4711 ms", "a quince", "C:\\new"]) assert.ok(!quotes(text), text);
  assert.ok(!quotesOf(["id-1"], new Set())("medlar"));
});

test("subagents are forgotten with their parent, forks when asked for, and the plan lists what stays", () => {
  const row = (no: number, parent?: number, kind?: string): ConversationRow =>
    ({
      no,
      source: "s",
      id: `c${no}`,
      parent: parent ? `c${parent}` : null,
      parent_kind: kind ?? null,
    }) as ConversationRow;
  const rows = [row(1), row(2, 1, "subagent"), row(3, 2, "subagent"), row(4, 1, "fork"), row(5, 4, "subagent")];
  const reader = { children: (id: string) => rows.filter(({ parent }) => parent === id) };
  const nos = (children: "all" | "none" | "subagents", ...named: ConversationRow[]): number[][] => {
    const { going, staying } = chooseConversations(reader, named, children);
    return [going.map(({ row: { no } }) => no), staying.map(({ row: { no } }) => no)];
  };
  const [first = row(1), , , fork = row(4)] = rows;
  assert.deepEqual(nos("subagents", first), [[1, 2, 3], [4]]);
  assert.deepEqual(nos("none", first), [[1], [2, 4]]);
  assert.deepEqual(nos("all", first), [[1, 2, 4, 3, 5], []]);
  assert.deepEqual(nos("none", first, fork), [
    [1, 4],
    [2, 5],
  ]);
});
