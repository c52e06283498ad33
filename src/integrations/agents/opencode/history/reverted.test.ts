import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { CollectingSink, type ReadConversation, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import { opencodeHistory } from "./source.ts";

const root = mkdtempSync(join(tmpdir(), "dex-opencode-undone-"));
after(() => rmSync(root, { recursive: true, force: true }));

const T0 = Date.UTC(2026, 2, 1, 10);
const TURNS = ["a", "b", "c"];

const texts = (conversation: ReadConversation | undefined): string[] =>
  (conversation?.messages ?? []).flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")));

function database(home: string): DatabaseSync {
  mkdirSync(join(home, ".local/share/opencode"), { recursive: true });
  const db = new DatabaseSync(join(home, ".local/share/opencode/opencode.db"));
  db.exec(`CREATE TABLE session (id text PRIMARY KEY, directory text, title text, revert text, time_created integer, time_updated integer);
    CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
    CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text);`);
  db.prepare("INSERT INTO session VALUES ('s', '/work/tide', 'Tides', NULL, ?, ?)").run(T0, T0);
  for (const [i, turn] of TURNS.entries()) {
    addMessage(db, `${turn}1`, T0 + i * 1000, "user", [`question ${turn}`]);
    addMessage(db, `${turn}2`, T0 + i * 1000 + 10, "assistant", [`answer ${turn}`, `more ${turn}`]);
  }
  return db;
}

function addMessage(db: DatabaseSync, id: string, at: number, role: string, parts: readonly string[]): void {
  const data = JSON.stringify({ role, time: { created: at } });
  db.prepare("INSERT INTO message VALUES (?, 's', ?, ?, ?)").run(id, at, at, data);
  for (const [i, text] of parts.entries())
    db.prepare("INSERT INTO part VALUES (?, ?, 's', ?, ?, ?)").run(
      `${id}p${i}`,
      id,
      at,
      at,
      JSON.stringify({ type: "text", text }),
    );
}

test("turns that were undone are an abandoned branch, part of the conversation again once they are back", () => {
  const home = join(root, "database");
  const db = database(home);
  const sink = new CollectingSink();
  const states = new Map();
  const read = (): void => void readAll(opencodeHistory, testEnv(home), sink, states);
  const revert = (value: object | null, at: number): void => {
    db.prepare("UPDATE session SET revert = ?, time_updated = ?").run(value && JSON.stringify(value), T0 + at);
    read();
  };
  read();
  assert.equal(texts(sink.only()).length, 9);
  assert.deepEqual(sink.abandoned(), []);

  revert({ messageID: "b1", snapshot: "x" }, 10_000);
  assert.deepEqual(texts(sink.only()), ["question a", "answer a", "more a"]);
  const [undone] = sink.abandoned();
  assert.deepEqual([undone?.meta.id, undone?.meta.parent], ["s~b1", "s"]);
  assert.equal(texts(undone)[0], "question b");
  assert.equal(texts(undone).length, 6);

  revert({ messageID: "c1" }, 11_000);
  assert.deepEqual(
    sink.abandoned().map(({ meta }) => meta.id),
    ["s~c1"],
  );
  revert({ messageID: "b2", partID: "b2p1" }, 12_000);
  assert.deepEqual(texts(sink.only()).slice(3), ["question b", "answer b"]);
  assert.deepEqual(
    sink.abandoned().map((each) => texts(each)[0]),
    ["more b"],
  );
  revert({ messageID: "c1" }, 13_000);
  // The next prompt deletes what was undone.
  db.exec("DELETE FROM part WHERE message_id IN ('c1', 'c2'); DELETE FROM message WHERE id IN ('c1', 'c2')");
  addMessage(db, "d1", T0 + 20_000, "user", ["question d"]);
  revert(null, 20_000);
  assert.deepEqual(texts(sink.only()).slice(-2), ["more b", "question d"]);
  assert.ok(sink.abandoned().some(({ meta }) => meta.id === "s~c1"));
  db.close();
});

test("a mark that names no message undoes nothing; the files of older versions have marks, too", () => {
  const home = join(root, "files");
  const storage = join(home, ".local/share/opencode/storage");
  const file = (path: string, value: object): void => {
    mkdirSync(dirname(join(storage, path)), { recursive: true });
    writeFileSync(join(storage, path), JSON.stringify(value));
  };
  const write = (message: string): ReadConversation[] => {
    file("session/p/s.json", { id: "s", directory: "/work", time: { created: T0 }, revert: { messageID: message } });
    for (const [i, turn] of TURNS.entries()) {
      file(`message/s/${turn}.json`, { id: turn, role: "user", time: { created: T0 + i } });
      file(`part/${turn}/${turn}1.json`, { id: `${turn}1`, type: "text", text: `question ${turn}` });
    }
    const sink = new CollectingSink();
    readAll(opencodeHistory, testEnv(home), sink);
    return [sink.only(), ...sink.abandoned()];
  };
  assert.deepEqual(write("nothing").map(texts), [["question a", "question b", "question c"]]);
  assert.deepEqual(write("c").map(texts), [["question a", "question b"], ["question c"]]);
});
