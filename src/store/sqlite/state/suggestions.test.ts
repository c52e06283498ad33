/** The log of suggestions, and its bounds. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type FeedbackRow, type SuggestionRow, WHOLE } from "../../state/suggestions.ts";
import { SqliteState } from "./state.ts";
import { MAX_AGE_MS } from "./suggestions.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-state-"));
const state = new SqliteState(join(folder, "state.db"));
after(() => {
  state.close();
  rmSync(folder, { recursive: true, force: true });
});

const NOW = Date.parse("2026-06-01T00:00:00Z");

function row(n: number, over: Partial<SuggestionRow> = {}): SuggestionRow {
  return {
    id: `sug_${n.toString(16).padStart(12, "0")}`,
    session_id: "s",
    project_id: "p",
    created_at: new Date(NOW + n).toISOString(),
    trigger_json: "{}",
    suggestions_json: JSON.stringify([{ entityId: "file:a" }, { entityId: "conversation:codex:abc" }]),
    status: "shown",
    used_item_index: null,
    latency_ms: 3,
    surface: "call",
    watched_to: -1,
    ...over,
  };
}

function said(n: number, item: number, over: Partial<FeedbackRow> = {}): FeedbackRow {
  const at = new Date(NOW).toISOString();
  const note = { suggestion_id: row(n).id, item_index: item, project_id: "p", type: "doc", score: 0.6, base: 0.5, at };
  return { ...note, action: "used", how: "explicit", ...over };
}

test("one used item makes the whole suggestion used, all dismissed make it dismissed; explicit feedback overrides", () => {
  const log = state.suggestions;
  for (let n = 1; n <= 3; n += 1) log.add(row(n), NOW);
  log.judge([said(1, 1)]);
  assert.deepEqual([log.get(row(1).id)?.status, log.get(row(1).id)?.used_item_index], ["used", 1]);
  log.judge([said(2, 0, { action: "dismissed" })]);
  assert.equal(log.get(row(2).id)?.status, "shown");
  log.judge([said(2, 1, { action: "dismissed" })]);
  assert.equal(log.get(row(2).id)?.status, "dismissed");
  log.judge([said(2, 1, { action: "used", how: "implicit" })]);
  assert.equal(log.feedback(row(2).id)[1]?.action, "dismissed");
  log.judge([said(3, WHOLE, { type: "" })]);
  assert.deepEqual([log.get(row(3).id)?.status, log.get(row(3).id)?.used_item_index], ["used", null]);
  assert.deepEqual(
    log.counts().map(({ type, action, count, expected }) => [type, action, count, expected]),
    [
      ["doc", "dismissed", 2, 1],
      ["doc", "used", 1, 0.5],
    ],
  );
});

test("rows that are too old or too many are dropped, with their feedback; a forgotten conversation leaves nothing", () => {
  const log = state.suggestions;
  const forget = (id: string): unknown =>
    state.forgetQuotes(
      { conversations: [{ source: "codex", id, title: "" }], quotes: (text) => text.includes(id) },
      false,
    );
  forget("other");
  assert.ok(log.get(row(1).id));
  forget("abc");
  assert.equal(log.get(row(1).id), undefined);
  assert.deepEqual(log.counts(), []);
  log.add(row(5, { created_at: new Date(NOW - MAX_AGE_MS - 1000).toISOString() }), NOW);
  log.add(row(6), NOW);
  log.prune(NOW);
  assert.equal(log.get(row(5).id), undefined);
  assert.ok(log.get(row(6).id));
  for (let n = 100; n < 150; n += 1) log.add(row(n, { session_id: "", suggestions_json: "[]" }), NOW);
  log.prune(NOW, 50);
  assert.equal(log.recent(undefined, 100).length, 50);
  assert.equal(log.get(row(6).id), undefined, "the oldest went");
});
