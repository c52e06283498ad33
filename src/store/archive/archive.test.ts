import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { ConversationMeta, Message } from "../../conversations/model.ts";
import { readDirectory, readMessages, SegmentWriter } from "./archive.ts";
import { encodeFrame, isArchiveFailure } from "./frames.ts";

const META: ConversationMeta = { source: "codex", id: "one" };
const FILE = "one.jsonl.zst";

test("a later segment replaces the messages from its first one on", () => {
  const folder = archiveWith(["a", "b", "c"]);
  append(folder, 1, ["B"]);
  assert.deepEqual(textsIn(folder), ["a", "B"]);
  append(folder, 2, ["C", "D"]);
  assert.deepEqual(textsIn(folder), ["a", "B", "C", "D"]);
});

test("an unfinished segment counts only if it has at least as many messages as before", () => {
  const folder = archiveWith(["a", "b", "c"]);
  const before = readFileSync(join(folder, FILE));
  const replacing = new SegmentWriter(folder, FILE, before.length, { dex: 1, from: 0, conversation: META });
  replacing.messages(frameOf(["A"]));
  assert.deepEqual(textsIn(folder), ["a", "b", "c"], "it was going to replace all three");
  replacing.messages(frameOf(["B", "C", "D"]));
  assert.deepEqual(textsIn(folder), ["A", "B", "C", "D"]);
  assert.equal(readDirectory(folder, FILE)?.unfinished, true);
  replacing.abandon();
  assert.deepEqual(readFileSync(join(folder, FILE)), before, "an abandoned segment leaves the bytes as they were");
});

test("a file that was cut off anywhere gives the complete messages before the cut", () => {
  const folder = archiveWith(["a", "b"]);
  append(folder, 2, ["c"]);
  const whole = readFileSync(join(folder, FILE));
  let last = 0;
  for (let length = 0; length <= whole.length; length += 1) {
    writeFileSync(join(folder, FILE), whole.subarray(0, length));
    const archived = readDirectory(folder, FILE);
    assert.ok((archived?.length ?? 0) <= length);
    const texts = archived ? textsIn(folder) : [];
    assert.deepEqual(texts, ["a", "b", "c"].slice(0, texts.length));
    assert.ok(texts.length >= last, "a longer file never has fewer messages");
    last = texts.length;
  }
  assert.equal(last, 3);
});

test("a flipped byte, a missing end and a missing file are failures of the archive; a mistake in the program is not", () => {
  const folder = archiveWith(["a message of some length"]);
  const { blocks = [] } = readDirectory(folder, FILE) ?? {};
  const [block] = blocks;
  assert.ok(block);
  const whole = readFileSync(join(folder, FILE));
  const flipped = Buffer.from(whole);
  flipped.writeUInt8(flipped.readUInt8(block.offset + block.length - 1) ^ 0xff, block.offset + block.length - 1);
  for (const bytes of [flipped, whole.subarray(0, block.offset + 1)]) {
    writeFileSync(join(folder, FILE), bytes);
    assert.throws(() => [...readMessages(folder, FILE, blocks)], isArchiveFailure);
  }
  assert.throws(() => [...readMessages(folder, "missing.zst", blocks)], isArchiveFailure);
  assert.equal(isArchiveFailure(new TypeError("x is undefined")), false);
});

function archiveWith(texts: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "dex-archive-"));
  append(folder, 0, texts);
  return folder;
}

function append(folder: string, from: number, texts: readonly string[]): void {
  const start = from === 0 ? 0 : readFileSync(join(folder, FILE)).length;
  const writer = new SegmentWriter(folder, FILE, start, { dex: 1, from, conversation: META });
  writer.messages(frameOf(texts));
  writer.end(META);
}

function frameOf(texts: readonly string[]): Uint8Array {
  const messages: Message[] = texts.map((text) => ({ role: "user", parts: [{ type: "text", text }] }));
  return encodeFrame("messages", messages.map((message) => `${JSON.stringify(message)}\n`).join(""), messages.length);
}

function textsIn(folder: string): string[] {
  const { blocks = [] } = readDirectory(folder, FILE) ?? {};
  return [...readMessages(folder, FILE, blocks)].map(({ index, message }, i) => {
    assert.equal(index, i);
    return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  });
}
