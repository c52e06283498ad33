import assert from "node:assert/strict";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import {
  agentItem,
  CHILD,
  event,
  LATER,
  meta,
  newHome,
  readHome,
  rolloutPath,
  SESSION,
  THREAD,
  text,
  texts,
  turn,
  write,
} from "../../../../../test/support/histories/rollout.ts";
import { CollectingSink, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import type { Json, JsonObject } from "../../../../kernel/json.ts";
import { zstdLines } from "../../../history/reading/zstd_lines.ts";
import { codexHistory } from "./source.ts";

test("a compressed file reads like the plain one, and is listed only if the plain one is missing", () => {
  const home = newHome();
  const path = rolloutPath(home);
  write(path, SESSION);
  writeFileSync(`${path}.zst`, zstdCompressSync(text(SESSION)));
  write(rolloutPath(home, CHILD, "archived_sessions"), [meta({ id: CHILD }), ...turn("t1", "old", "gone")]);
  write(join(dirname(path), "notes.jsonl"), SESSION);
  assert.deepEqual(
    codexHistory.discover(testEnv(home)).map((each) => basename(each.path)),
    [basename(path), basename(rolloutPath(home, CHILD))],
  );
  const plain = readHome(home).conversations;
  rmSync(path);
  const [packed] = codexHistory.discover(testEnv(home));
  assert.equal(packed?.path, `${path}.zst`);
  assert.equal(packed && codexHistory.lineage?.(packed, testEnv(home))?.id, THREAD);
  const states = new Map<string, Json | undefined>();
  const sink = new CollectingSink();
  readAll(codexHistory, testEnv(home), sink, states);
  assert.deepEqual(sink.conversations, plain);
  const again = sink.delivered;
  readAll(codexHistory, testEnv(home), sink, states);
  assert.equal(sink.delivered, again);

  const bytes = zstdCompressSync(text(SESSION));
  writeFileSync(`${path}.zst`, bytes.subarray(0, bytes.length >> 1));
  readHome(home);
  writeFileSync(`${path}.zst`, "no zstd");
  assert.match(readHome(home).malformedLines.join(), /\.zst/);
});

test("a compressed file too large to unpack at once comes through the worker, line for line", () => {
  const path = join(newHome(), "large.jsonl.zst");
  const plain = Array.from({ length: 3000 }, (_, i) => `{"n":${i},"s":"${"x".repeat(i * 3)}"}`);
  writeFileSync(path, zstdCompressSync(`${plain.join("\n")}\n{"torn`));
  const lines = [...zstdLines(path, { whole: 1 << 20 })];
  const whole = [...zstdLines(path)];
  assert.deepEqual(lines, whole);
  assert.equal(lines.length, plain.length + 1);
  assert.equal(lines.at(-1)?.terminated, false);
});

test("a compressed file of several frames is read to its end, also through the worker", () => {
  const path = join(newHome(), "frames.jsonl.zst");
  const plain = Array.from({ length: 400 }, (_, i) => `{"n":${i},"s":"${"x".repeat((i % 40) * 200)}"}`);
  // A line may begin in one frame and end in the next.
  const text = Buffer.from(`${plain.join("\n")}\n`);
  const frames = Array.from({ length: 60 }, (_, i) =>
    text.subarray((i * text.length) / 60, ((i + 1) * text.length) / 60),
  );
  const bytes = Buffer.concat(frames.map((frame) => zstdCompressSync(frame)));
  writeFileSync(path, bytes);
  const first = frames[0]?.length ?? 0;
  for (const whole of [undefined, 1000, first, 1 << 20]) {
    const lines = [...zstdLines(path, { whole })].map(({ text }) => text);
    assert.deepEqual(lines, plain, `${whole}`);
  }
  writeFileSync(path, bytes.subarray(0, bytes.length - 10));
  const torn = [...zstdLines(path, { whole: 1000 })].map(({ text }) => text);
  assert.deepEqual(torn.slice(0, 390), plain.slice(0, 390));
  writeFileSync(path, Buffer.concat([bytes, Buffer.from("these bytes are not a frame")]));
  const seen: string[] = [];
  assert.throws(() => {
    for (const line of zstdLines(path, { whole: 1000 })) seen.push(line.text);
  });
  assert.deepEqual(seen, plain);
});

test("a reverted thread continues from the record it was reverted to", () => {
  const home = newHome();
  const numbered = (records: JsonObject[]): JsonObject[] => records.map((record, ordinal) => ({ ...record, ordinal }));
  const before = numbered([meta({ history_mode: "paginated" }), ...turn("t1", "one", "1"), ...turn("t2", "two", "2")]);
  write(rolloutPath(home), before);
  const base = { thread_id: THREAD, end_ordinal_exclusive: 9, end_byte_offset: null };
  const later = [meta({ history_mode: "paginated", history_base: base }), ...turn("t3", "three", "3")];
  const path = rolloutPath(home, `${THREAD}_${LATER}`);
  write(path, later);
  const [container, ...others] = codexHistory.discover(testEnv(home));
  assert.deepEqual([container?.path, others.length], [path, 0]);
  const sink = new CollectingSink();
  const states = readAll(codexHistory, testEnv(home), sink);
  assert.deepEqual(texts(sink.only().messages), ["user: one", "assistant: 1", "user: three", "assistant: 3"]);
  appendFileSync(path, text(turn("t4", "four", "4")));
  const delivered = sink.delivered;
  readAll(codexHistory, testEnv(home), sink, states);
  assert.deepEqual(texts(sink.only().messages).slice(2), ["user: three", "assistant: 3", "user: four", "assistant: 4"]);
  assert.equal(sink.delivered - delivered, 3);
});

test("a name outranks a prompt: in the file, in the list, in the database", () => {
  const home = newHome();
  const path = rolloutPath(home);
  const sink = new CollectingSink();
  const states = new Map<string, Json | undefined>();
  const title = (): (string | undefined)[] => {
    appendFileSync(path, text([agentItem("more")]));
    readAll(codexHistory, testEnv(home), sink, states);
    return [sink.only().meta.title, readHome(home).only().meta.title];
  };
  write(path, [meta(), ...turn("t1", "the prompt\nmore", "y")]);
  assert.deepEqual(title(), ["the prompt", "the prompt"]);
  const db = new DatabaseSync(join(home, ".codex/state_5.sqlite"));
  db.exec("CREATE TABLE threads (id TEXT PRIMARY KEY, name TEXT)");
  db.prepare("INSERT INTO threads VALUES (?, ?)").run(THREAD, "stored");
  db.close();
  assert.deepEqual(title(), ["stored", "stored"]);
  const list = join(home, ".codex/session_index.jsonl");
  writeFileSync(list, text([{ id: THREAD, thread_name: "old" }, { id: THREAD, thread_name: "listed" }, "{torn"]));
  assert.deepEqual(title(), ["listed", "listed"]);
  appendFileSync(path, text([event("thread_name_updated", { thread_id: THREAD, thread_name: "renamed" })]));
  assert.deepEqual(title(), ["renamed", "renamed"]);
  appendFileSync(path, text(turn("t2", "go on", "done")));
  assert.deepEqual(title(), ["renamed", "renamed"]);
});

test("CODEX_HOME is where to look", () => {
  const home = newHome();
  write(rolloutPath(home), SESSION);
  const elsewhere = testEnv("/nowhere", { CODEX_HOME: join(home, ".codex") });
  assert.equal(codexHistory.discover(elsewhere).length, 1);
  assert.deepEqual(
    codexHistory.places(elsewhere).map((place) => place.path),
    [join(home, ".codex/sessions"), join(home, ".codex/archived_sessions")],
  );
  assert.deepEqual(codexHistory.discover(testEnv("/nowhere")), []);
});

test("a session without messages is not opened; an excluded one is skipped", () => {
  const home = newHome();
  write(rolloutPath(home), [meta(), event("task_started", { turn_id: "t" })]);
  assert.equal(readHome(home).conversations.size, 0);
  write(rolloutPath(home), SESSION);
  const [container] = codexHistory.discover(testEnv(home));
  let opened = 0;
  const state = codexHistory.read({
    container: container ?? assert.fail(),
    env: testEnv(home),
    state: undefined,
    inherited: new Set(),
    sink: {
      open: () => {
        opened += 1;
        return false;
      },
      message: () => assert.fail("refused"),
      close: () => assert.fail("refused"),
      malformed: () => assert.fail("not malformed"),
    },
  });
  assert.deepEqual([opened, state], [1, undefined]);
});
