/** A small static model for tests: every letter and digit, some words, rows of repeatable noise. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { packModel } from "../../../training/pack.ts";
import { between, seeded } from "../random.ts";

const SINGLE = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
const WORDS = "the fix test token budget index user name http server error retry conversation sync".split(" ");
export const SMALL_VOCAB = ["[PAD]", ...SINGLE, ...SINGLE.map((letter) => `##${letter}`), ...WORDS, "##ing", "##er"];

export function smallModel(dims = 32, vocab: readonly string[] = SMALL_VOCAB): Uint8Array {
  const random = seeded(7);
  const rows = Int8Array.from({ length: vocab.length * dims }, () => between(random, -127, 127));
  const scales = Float32Array.from(vocab, (_, i) => (i === 0 ? 0 : Math.fround(0.001 + (i % 17) / 1024)));
  return packModel({ name: "small-test", dims, vocab, rows, scales });
}

/** Writes a model to a file that is removed after the test. */
export function modelFile(context: TestContext, bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "dex-model-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "model.bin");
  writeFileSync(path, bytes);
  return path;
}
