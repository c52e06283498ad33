import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { DexError } from "../kernel/errors.ts";
import { chatIds, createChat, emptyChat, findChat, lockChat, readChat, removeChat, writeChat } from "./sessions.ts";

const root = mkdtempSync(join(tmpdir(), "dex-chats-"));
after(() => rmSync(root, { recursive: true, force: true }));
const fresh = (): string => join(mkdtempSync(join(root, "one-")), "chats");
const NOW = Date.UTC(2026, 2, 1, 12, 0, 5, 123);

test("chats started in the same second get different names and are listed newest first", () => {
  const chats = fresh();
  assert.deepEqual(chatIds(chats), []);
  const ids = Array.from({ length: 11 }, () => createChat(chats, NOW));
  const later = createChat(chats, NOW + 1000);
  assert.equal(ids[0], "2026-03-01T12-00-05Z");
  assert.deepEqual(chatIds(chats), [later, ...ids.toReversed()]);
});

test("only folders that dex made are chats; a link out of the folder is not", () => {
  const chats = fresh();
  const id = createChat(chats, NOW);
  mkdirSync(join(chats, "other"));
  writeFileSync(join(chats, "2026-03-01T12-00-06Z"), "");
  symlinkSync(root, join(chats, "2026-03-01T12-00-07Z"));
  assert.deepEqual(chatIds(chats), [id]);
});

test("a unique prefix finds a chat; no typed id leads out of the folder", () => {
  const chats = fresh();
  const first = createChat(chats, NOW);
  const second = createChat(chats, NOW + 60_000);
  assert.equal(findChat(chats, "2026-03-01T12-00"), first);
  assert.equal(findChat(chats, second), second);
  const code = (typed: string): string => {
    try {
      return findChat(chats, typed);
    } catch (error) {
      return error instanceof DexError ? error.code : "other";
    }
  };
  assert.equal(code("2026"), "ambiguous_chat");
  for (const typed of ["", "..", `../chats/${first}`, "'; --", "x".repeat(100_000)]) {
    assert.equal(code(typed), "no_such_chat");
  }
});

test("metadata comes back as written; broken metadata leaves id and time", () => {
  const chats = fresh();
  const id = createChat(chats, NOW);
  const chat = { ...emptyChat(id, "/home/sam/notes-api"), summary: "Tags", messages: 4, session: "ses_1" };
  writeChat(chats, chat);
  assert.deepEqual(readChat(chats, id), chat);
  writeFileSync(join(chats, id, "metadata.json"), '{"id": "../..", "summary"');
  assert.deepEqual(readChat(chats, id), emptyChat(id, ""));
  assert.equal(readChat(chats, id).started, "2026-03-01T12:00:05.000Z");
});

test("a running chat is not removed", () => {
  const chats = fresh();
  const id = createChat(chats, NOW);
  const lock = lockChat(chats, id);
  assert.ok(lock);
  assert.throws(() => removeChat(chats, id), { code: "chat_running" });
  lock.release();
  removeChat(chats, id);
  assert.equal(existsSync(join(chats, id)), false);
});
