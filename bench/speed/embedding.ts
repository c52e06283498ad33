/**
 * The static model: how fast it loads and embeds, and the recall that the first pass by bit codes loses.
 *
 *   node bench/speed/embedding.ts [folder of texts, default .cache/dev-home] [model file]
 *
 * Texts are the strings of the .jsonl and .md files there. Queries are the first words of texts that are then left out
 * of the corpus. Recall is the share of the ten best by cosine that is among the K nearest by differing bits.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { modelPath } from "../../src/embedding/locate.ts";
import { StaticEmbedder } from "../../src/embedding/static.ts";
import { type Json, parseJson } from "../../src/kernel/json.ts";
import { CodeScan } from "../../src/vectors/code_scan.ts";
import { CodeBuffer } from "../../src/vectors/quantise.ts";
import { dot8 } from "../../test/support/dot8.ts";
import { wordsOf } from "../../test/support/model/words.ts";
import { median, timed } from "../lib/measure.ts";

const MAX_TEXTS = 60_000;
const MAX_WINDOWS = 8;
const SAMPLE_CHARS = 300;
const QUERIES = 200;
const BEST = 10;
const FIRST_PASS = [200, 500, 1000];

const [folder = join(import.meta.dirname, "../../.cache/dev-home"), model = modelPath()] = process.argv.slice(2);
const texts = [...new Set(textsUnder(folder))];
print(`${texts.length} texts of ${folder}`);
await loading();
const embedder = new StaticEmbedder(model);
await speed();
recall();
embedder.close();

async function loading(): Promise<void> {
  const query = "how did we fix the flaky reconnect test of the gateway";
  const rounds = Array.from({ length: 9 });
  const one: number[] = [];
  const all: number[] = [];
  for (const _ of rounds) {
    one.push(await timed(() => useOnce((opened) => opened.embed(query))));
    all.push(await timed(() => useOnce((opened) => opened.warm())));
  }
  print(`open and embed one query: first ${one[0]?.toFixed(1)} ms, median ${median(one).toFixed(1)} ms`);
  print(`open and read all rows:   first ${all[0]?.toFixed(1)} ms, median ${median(all).toFixed(1)} ms`);
}

function useOnce(use: (opened: StaticEmbedder) => void): void {
  const opened = new StaticEmbedder(model);
  use(opened);
  opened.close();
}

async function speed(): Promise<void> {
  const sample = texts.filter((text) => text.length >= SAMPLE_CHARS).map((text) => text.slice(0, SAMPLE_CHARS));
  const codes = new CodeBuffer(embedder.dims, sample.length);
  const rates: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    codes.clear();
    const ms = await timed(() => {
      for (const text of sample) embedder.encode(text, MAX_WINDOWS, codes);
    });
    rates.push((sample.length / ms) * 1000);
  }
  print(`${sample.length} texts of ${SAMPLE_CHARS} characters: ${median(rates).toFixed(0)} texts/s, one thread`);
}

function recall(): void {
  const step = Math.max(1, Math.floor(texts.length / QUERIES));
  const codes = new CodeBuffer(embedder.dims, texts.length);
  const queries = new CodeBuffer(embedder.dims, QUERIES);
  for (const [i, text] of texts.entries()) {
    const words = i % step === 0 ? wordsOf(text).slice(0, 10) : [];
    if (words.length < 4) embedder.encode(text, MAX_WINDOWS, codes);
    else embedder.encode(words.join(" "), 1, queries);
  }
  const scan = new CodeScan(codes.count, codes.words, embedder.dims);
  scan.codes.set(codes.bits.subarray(0, codes.count * codes.words));
  const found = new Map(FIRST_PASS.map((k) => [k, 0]));
  const exactMs: number[] = [];
  const bitMs: number[] = [];
  for (let query = 0; query < queries.count; query += 1) {
    const started = performance.now();
    const exact = cosines(queries, query, codes);
    const between = performance.now();
    scan.measure(queries.bits.subarray(query * codes.words, (query + 1) * codes.words));
    bitMs.push(performance.now() - between);
    exactMs.push(between - started);
    const best = largest(exact, BEST);
    for (const k of FIRST_PASS) {
      const near = new Set(scan.nearest(k));
      found.set(k, (found.get(k) ?? 0) + best.filter((row) => near.has(row)).length / best.length);
    }
  }
  print(
    `${codes.count} rows, ${queries.count} queries: scan of rows ${median(exactMs).toFixed(1)} ms, of bit codes ${median(bitMs).toFixed(1)} ms`,
  );
  for (const [k, sum] of found)
    print(`  ${BEST} best among the ${k} nearest by bits: ${(sum / queries.count).toFixed(4)}`);
}

function cosines(queries: CodeBuffer, query: number, codes: CodeBuffer): Float64Array {
  const { dims } = codes;
  return Float64Array.from(
    { length: codes.count },
    (_, row) => dot8(queries.rows, query * dims, codes.rows, row * dims, dims) * (codes.inverses[row] ?? 0),
  );
}

/** The positions of the largest numbers; of equal ones the first. */
function largest(scores: Float64Array, count: number): number[] {
  const order = Array.from(scores.keys());
  return order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, count);
}

function* textsUnder(root: string): Generator<string> {
  let count = 0;
  for (const file of globSync(["**/*.jsonl", ".*/**/*.jsonl", "**/*.md"], { cwd: root }).sort()) {
    const content = readFileSync(join(root, file), "utf8");
    for (const part of content.split(file.endsWith(".md") ? /\n{2,}/ : "\n")) {
      for (const text of file.endsWith(".md") ? [part] : strings(parseJson(part) ?? null)) {
        if (text.length < 40) continue;
        yield text;
        count += 1;
        if (count === MAX_TEXTS) return;
      }
    }
  }
}

function strings(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((child) => (child === undefined ? [] : strings(child)));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
