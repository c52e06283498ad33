/**
 * The sentence encoder: the processor time to open it, for the sentences of one question in a new process, and once V8 has
 * compiled its code. Without `models/encoder.bin`, it has random weights of the same sizes, which take as long.
 *
 *   node bench/speed/encoder.ts [layers of the random one, default 3]
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EncoderFile } from "../../src/embedding/encoder/encoder_file.ts";
import { encoderPath, modelPath } from "../../src/embedding/locate.ts";
import { StaticEmbedder } from "../../src/embedding/static.ts";
import { randomEncoder, WHOLE_ENCODER } from "../../test/support/model/encoder.ts";
import { pick, seeded } from "../../test/support/random.ts";
import { median } from "../lib/measure.ts";

const SENTENCES = 75;
const LENGTHS = [10, 30, 60, 128];
const PIECES = 30;
/** Each is one piece of the static model. */
const WORDS = "the session of a user ends when server index test error retry name and file is not found in time".split(
  " ",
);

const [layers = "3"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "dex-bench-encoder-"));
const words = new StaticEmbedder(modelPath());
const path = encoderPath() ?? join(folder, "encoder.bin");
if (!encoderPath()) {
  writeFileSync(path, randomEncoder({ ...WHOLE_ENCODER, table: words.name, layers: Number(layers) }));
}
words.warm();
const random = seeded(1);
const sentence = (pieces: number): string => Array.from({ length: pieces }, () => pick(random, WORDS)).join(" ");

const { SentenceEncoder } = await import("../../src/embedding/encoder/encoder.ts");
const opening: number[] = [];
for (let round = 0; round < 9; round += 1) {
  opening.push(processorMs(() => new SentenceEncoder(path, words)));
}
print(`open: first ${opening[0]?.toFixed(1)} ms, median ${median(opening).toFixed(1)} ms`);

const encoder = new SentenceEncoder(path, words);
const first = processorMs(() => embedAll(PIECES, SENTENCES));
print(`the first ${SENTENCES} sentences of ${PIECES} pieces: ${first.toFixed(0)} ms`);

const multiplications = productsPerPiece(path);
for (const pieces of LENGTHS) {
  const times: number[] = [];
  for (let round = 0; round < 9; round += 1) times.push(processorMs(() => embedAll(pieces, SENTENCES)) / SENTENCES);
  const ms = median(times);
  const rate = (multiplications * pieces) / ms / 1e6;
  print(`${pieces} pieces: ${ms.toFixed(2)} ms, ${rate.toFixed(1)} billion multiplications a second`);
}
rmSync(folder, { recursive: true, force: true });

/** Of all threads: V8 compiles in others. */
function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function embedAll(pieces: number, count: number): void {
  for (let i = 0; i < count; i += 1) encoder.embed(sentence(pieces));
}

/** Of whole numbers, in the input and the layers. */
function productsPerPiece(file: string): number {
  const opened = new EncoderFile(file);
  opened.close();
  const { tableDims, dims, hidden, layers: depth } = opened.header;
  return dims * tableDims + depth * (4 * dims * dims + 2 * dims * hidden);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
