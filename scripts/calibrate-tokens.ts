/**
 * Fits the weights of the token estimate to real text, and measures them on conversations they were not fitted to.
 *
 *   node scripts/calibrate-tokens.ts rows.jsonl [more.jsonl ...] > weights.ts
 *
 * Input: a JSON array per line, `[kind, text, conversation?, weight?]`. Kinds are those of `estimateTokens` (`think`,
 * `in` and `out` are the last three); a row of kind `any` (other languages, code, data) helps to fit the cells but no
 * kind's factor. Rows without a conversation are taken in blocks of 200, so keep related rows in order. Every second
 * conversation is held out. A weight above 1 raises the influence of a rare kind of text. The report goes to stderr,
 * `src/tokens/weights.ts` to stdout. Use text from many projects: weights fitted to one overfit its names.
 */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { readLines } from "../src/kernel/files/lines.ts";
import { asArray, parseJson } from "../src/kernel/json.ts";
import { cellCounter } from "../src/tokens/automaton.ts";
import { CELL_GROUPS, CELLS, type CellGroup, cellOf, MAX_WORD_CHARS } from "../src/tokens/cells.ts";
import type { TextKind } from "../src/tokens/costs.ts";

const KINDS: Record<string, TextKind | "any"> = {
  text: "text",
  thinking: "thinking",
  think: "thinking",
  tool_call: "tool_call",
  in: "tool_call",
  tool_result: "tool_result",
  out: "tool_result",
  any: "any",
};
const BLOCK = 200;
/** The fit uses each distinct piece once, and parts of pieces: parts separate the cells, pieces judge them together. */
const PIECE = 240;
const BIT = 100;
const RIDGE = 3;
const MEASURED_SIZES = [100, 300, 1_000, 3_000, 10_000, 20_000];
const SMALLEST_MEASURED = 100;

interface Row {
  kind: TextKind | "any";
  text: string;
  conversation: string;
  weight: number;
}
interface Sums {
  real: number;
  estimated: number;
}

const countCells = cellCounter();
const literal = { disallowedSpecial: new Set<string>() };
const files = process.argv.slice(2);
if (files.length === 0) {
  process.stderr.write("Usage: node scripts/calibrate-tokens.ts rows.jsonl [more.jsonl ...] > weights.ts\n");
  process.exit(2);
}
const weights = fit(files);
const factors = fitFactors(files, weights);
measure(files, weights, factors);
process.stdout.write(weightsFile(weights, factors));

function* readRows(paths: readonly string[], heldOut: boolean): Generator<Row> {
  const places = new Map<string, number>();
  for (const path of paths) {
    let block = 0;
    for (const line of readLines(path)) {
      const [name, text, given, weight = 1] = asArray(parseJson(line.text));
      const kind = typeof name === "string" ? KINDS[name] : undefined;
      if (kind === undefined || typeof text !== "string" || text === "") continue;
      const conversation = typeof given === "string" ? given : `${path}/${Math.floor(block++ / BLOCK)}`;
      const place = places.get(conversation) ?? places.size;
      places.set(conversation, place);
      if ((place % 2 === 1) === heldOut) yield { kind, text, conversation, weight: Number(weight) };
    }
  }
}

function* piecesOf(text: string, size: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + size, text.length);
    if (end < text.length) {
      const at = Math.max(text.lastIndexOf("\n", end) + 1, text.lastIndexOf(" ", end));
      if (at > start + size / 4) end = at;
      else if ((text.charCodeAt(end) & 0xfc00) === 0xdc00) end++;
    }
    yield text.slice(start, end);
    start = end;
  }
}

/** Least squares of the relative error over the distinct pieces, kept near a plain guess where there is little text. */
function fit(paths: readonly string[]): Float64Array {
  const prior = priorWeights();
  const matrix = Array.from({ length: CELLS }, (_, i) => {
    const row = new Float64Array(CELLS);
    row[i] = RIDGE;
    return row;
  });
  const right = prior.map((weight) => RIDGE * weight);
  const counts = new Float64Array(CELLS);
  const seen = new Set<string>();
  const learn = (bit: string, weight: number): void => {
    const real = countTokens(bit, literal);
    counts.fill(0);
    countCells(bit, counts);
    const present: number[] = [];
    for (let i = 0; i < CELLS; i++) if (counts[i]) present.push(i);
    for (const i of present) {
      const row = matrix[i] ?? new Float64Array(CELLS);
      const scaled = (weight * (counts[i] ?? 0)) / Math.max(real, 4);
      for (const j of present) row[j] = (row[j] ?? 0) + scaled * (counts[j] ?? 0);
      right[i] = (right[i] ?? 0) + scaled * real;
    }
  };
  for (const { text, weight } of readRows(paths, false)) {
    for (const piece of piecesOf(text, PIECE)) {
      if (seen.has(piece)) continue;
      seen.add(piece);
      learn(piece, weight);
      for (const bit of piecesOf(piece, BIT)) learn(bit, weight);
    }
  }
  process.stderr.write(`fitted to ${seen.size} distinct pieces\n`);
  return solve(matrix, right).map((weight) => Math.round(Math.max(-20, Math.min(20, weight)) * 100) / 100);
}

function priorWeights(): Float64Array {
  const prior = new Float64Array(CELLS);
  const set = (group: CellGroup, value: (index: number) => number): void => {
    for (let i = 0; i < CELL_GROUPS[group]; i++) prior[cellOf(group, i)] = value(i);
  };
  set("word", (i) => {
    const [length, shape, before] = [
      i % MAX_WORD_CHARS,
      Math.floor(i / MAX_WORD_CHARS) % 4,
      Math.floor(i / MAX_WORD_CHARS / 4),
    ];
    return 1 + (before > 1 ? 0.1 : 0.02) * length + (shape > 1 ? 0.15 : 0) * length;
  });
  for (const group of ["wordTail", "accent", "clip", "lead", "pileChange", "scriptMore", "scriptRepeat"] as const)
    set(group, () => 0.4);
  for (const group of ["leadLetter", "digits", "lineBreak", "blanks", "joiner", "script"] as const) set(group, () => 1);
  set("blanksTwice", () => 2);
  set("pile", () => 1.2);
  return prior;
}

/** Cholesky: the matrix is symmetric and, by its ridge, positive definite. */
function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const at = (i: number, j: number): number => matrix[i]?.[j] ?? 0;
  for (let i = 0; i < size; i++) {
    const row = matrix[i] ?? new Float64Array(size);
    for (let j = 0; j <= i; j++) {
      const other = matrix[j] ?? row;
      let sum = row[j] ?? 0;
      for (let k = 0; k < j; k++) sum -= (row[k] ?? 0) * (other[k] ?? 0);
      row[j] = i === j ? Math.sqrt(sum) : sum / (other[j] ?? 1);
    }
  }
  const x = right.slice();
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) x[i] = (x[i] ?? 0) - at(i, k) * (x[k] ?? 0);
    x[i] = (x[i] ?? 0) / at(i, i);
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) x[i] = (x[i] ?? 0) - at(k, i) * (x[k] ?? 0);
    x[i] = (x[i] ?? 0) / at(i, i);
  }
  return x;
}

function estimate(text: string, by: Float64Array): number {
  const counts = new Float64Array(CELLS);
  countCells(text, counts);
  return counts.reduce((sum, count, cell) => sum + count * (by[cell] ?? 0), 0);
}

function fitFactors(paths: readonly string[], by: Float64Array): Record<TextKind, number> {
  const sums = new Map<string, Sums>();
  for (const { kind, text } of readRows(paths, false)) add(sums, kind, countTokens(text, literal), estimate(text, by));
  const factor = (kind: TextKind): number => {
    const { real, estimated } = sums.get(kind) ?? { real: 1, estimated: 1 };
    return Math.round((1000 * real) / estimated) / 1000;
  };
  return {
    text: factor("text"),
    thinking: factor("thinking"),
    tool_call: factor("tool_call"),
    tool_result: factor("tool_result"),
  };
}

function add(sums: Map<string, Sums>, key: string, real: number, estimated: number): void {
  const before = sums.get(key) ?? { real: 0, estimated: 0 };
  sums.set(key, { real: before.real + real, estimated: before.estimated + estimated });
}

/** Held-out error by kind, and how far a section of a conversation is underestimated. */
function measure(paths: readonly string[], by: Float64Array, factor: Record<TextKind, number>): void {
  const byKind = new Map<string, Map<string, Sums>>();
  const stretches = MEASURED_SIZES.map((size) => ({
    size,
    open: { real: 0, estimated: 0 },
    of: "",
    under: [] as number[],
  }));
  for (const { kind, text, conversation } of readRows(paths, true)) {
    const scale = kind === "any" ? 1 : factor[kind];
    const group = kind === "any" ? `any ${conversation.split("-")[0]}` : kind;
    const sums = byKind.get(group) ?? new Map<string, Sums>();
    byKind.set(group, sums);
    add(sums, conversation, countTokens(text, literal), estimate(text, by) * scale);
    if (kind === "any") continue;
    for (const piece of piecesOf(text, PIECE)) {
      const real = countTokens(piece, literal);
      const estimated = estimate(piece, by) * scale;
      for (const stretch of stretches) {
        if (stretch.of !== conversation) stretch.open = { real: 0, estimated: 0 };
        stretch.of = conversation;
        stretch.open.real += real;
        stretch.open.estimated += estimated;
        if (stretch.open.estimated < stretch.size) continue;
        stretch.under.push(stretch.open.real / stretch.open.estimated - 1);
        stretch.open = { real: 0, estimated: 0 };
      }
    }
  }
  for (const [kind, sums] of byKind) {
    const large = [...sums.values()].filter(({ real }) => real >= SMALLEST_MEASURED);
    const errors = large.map(({ real, estimated }) => Math.abs(estimated / real - 1));
    const total = large.reduce((a, b) => ({ real: a.real + b.real, estimated: a.estimated + b.estimated }), {
      real: 0,
      estimated: 0,
    });
    const mean = errors.reduce((a, b) => a + b, 0) / errors.length;
    process.stderr.write(
      `${kind}: ${large.length} conversations, mean ${percent(mean)}, p95 ${percent(quantile(errors, 0.95))}, ` +
        `max ${percent(quantile(errors, 1))}, total ${percent(total.estimated / total.real - 1)}\n`,
    );
  }
  for (const { size, under } of stretches) {
    const [p50, p95, p99, p100] = [0.5, 0.95, 0.99, 1].map((q) => percent(quantile(under, q)));
    process.stderr.write(
      `${size} tokens: ${under.length} stretches, under by p50 ${p50} p95 ${p95} p99 ${p99} max ${p100}\n`,
    );
  }
}

function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

function percent(value: number): string {
  return `${(100 * value).toFixed(2)}%`;
}

function hanTokens(): string {
  const bits = Buffer.alloc((0xa000 - 0x4e00) / 8);
  for (let i = 0; i < 8 * bits.length; i++) {
    if (countTokens(String.fromCharCode(0x4e00 + i)) === 1) bits[i >> 3] = (bits[i >> 3] ?? 0) | (1 << (i & 7));
  }
  return bits.toString("base64");
}

function weightsFile(by: Float64Array, factor: Record<TextKind, number>): string {
  const groups = Object.entries(CELL_GROUPS).map(([group, size]) => {
    const cells = Array.from({ length: size }, (_, i) => Math.round(100 * (by[cellOf(group as CellGroup, i)] ?? 0)));
    return `  ${group}: [${cells.join(", ")}],`;
  });
  return [
    "/** Made by scripts/calibrate-tokens.ts: the cost of each cell in hundredths of an o200k token. */",
    "",
    "export const CELL_WEIGHTS = {",
    ...groups,
    "};",
    "",
    "/** A bit for each character from U+4E00 to U+9FFF, the lowest first: it is a token of its own. */",
    `export const HAN_TOKENS =\n  "${hanTokens()}";`,
    "",
    "/** Correction factors for each kind of text. */",
    `export const KIND_FACTORS = ${JSON.stringify(factor, null, 2)};`,
    "",
  ].join("\n");
}
