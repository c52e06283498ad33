import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findPackage } from "../locate.ts";
import { openMiniLm } from "./minilm.ts";
import { readHalfTensors } from "./safetensors.ts";
import { pieceIds, wordPiece } from "./wordpiece.ts";

test("a missing package is named, with the command that installs it", async () => {
  if (findPackage("onnxruntime-node", "/nowhere")) return;
  await assert.rejects(openMiniLm("/nowhere"), {
    code: "no_provider",
    message: /needs the package onnxruntime-node/,
    hint: /^Run `ONNXRUNTIME_NODE_INSTALL=skip npm install --prefix \/nowhere onnxruntime-node @lat\.md/,
  });
});

test("words are cut as BERT cuts them", () => {
  const pieces = ["[UNK]", "[CLS]", "[SEP]", "log", "##in", "user", "!", "=", ">", "数", "据", "cafe", "'", "s", "$"];
  const vocab = new Map(pieces.map((piece, id) => [piece, id]));
  const tokenizer = wordPiece(vocab);
  assert.ok(tokenizer);
  const cut = (text: string, most = 99) => pieceIds(tokenizer, text, most).map((id) => pieces[id]);
  assert.deepEqual(cut("LogIn user!"), ["[CLS]", "log", "##in", "user", "!", "[SEP]"]);
  assert.deepEqual(cut("Café's=>数据$\u0000"), ["[CLS]", "cafe", "'", "s", "=", ">", "数", "据", "$", "[SEP]"]);
  assert.deepEqual(cut("login logx 据x"), ["[CLS]", "log", "##in", "[UNK]", "据", "[UNK]", "[SEP]"]);
  assert.deepEqual(cut("log ".repeat(50), 4), ["[CLS]", "log", "log", "[SEP]"]);
  assert.deepEqual(cut(`${"log".repeat(100_000)}`), ["[CLS]", "[UNK]", "[SEP]"]);
  assert.deepEqual(cut("[SEP]").at(1), "[UNK]", "what is written like a mark is text");
  assert.deepEqual(cut("\ud800"), ["[CLS]", "[SEP]"]);
});

test("broken weights are refused", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "dex-weights-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "model.safetensors");
  const file = (header: unknown, data: Uint8Array) => {
    const text = Buffer.from(JSON.stringify(header));
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(text.length));
    writeFileSync(path, Buffer.concat([size, text, data]));
  };
  file({ a: { dtype: "F16", shape: [2], data_offsets: [0, 4] }, b: { dtype: "I64" } }, Buffer.from([1, 2, 3, 4]));
  assert.deepEqual([...readHalfTensors(path)].length, 1);
  file({ a: { dtype: "F16", shape: [2], data_offsets: [0, 4] } }, Buffer.from([1, 2]));
  assert.throws(() => readHalfTensors(path), { code: "bad_model", message: /truncated/ });
  writeFileSync(path, Buffer.alloc(64, 255));
  assert.throws(() => readHalfTensors(path), { code: "bad_model" });
  assert.throws(() => readHalfTensors(join(folder, "none")), { code: "bad_model", message: /cannot be read/ });
});
