/** The sentence encoder as a plain program: what the fast one is compared with. */
import type { StaticEmbedder } from "../../../src/embedding/static.ts";
import type { EncoderShape, EncoderWeights, Layer, Matrix, Norm, Product } from "./encoder.ts";

type Row = readonly number[];

/** Undefined for a text without pieces. */
export function plainVector(
  { table_dims, dims, heads, positions, scale }: EncoderShape,
  weights: EncoderWeights,
  words: StaticEmbedder,
  text: string,
): Row | undefined {
  const rows = new Int8Array(positions * table_dims);
  const scales = new Float32Array(positions);
  const count = words.copyRows(text, rows, scales);
  if (count === 0) return undefined;
  const scaled = scales.map((ofRow) => Math.fround(scale) * ofRow);
  const pieces: Matrix = { rows: count, cols: table_dims, scales: scaled, values: rows };
  let states = range(count).map((i) => {
    const piece = rowOf(pieces, i).map(Math.fround);
    return normalised(sum(signedProduct(piece, weights.input), rowOf(weights.positions, i)), weights.afterInput);
  });
  for (const layer of weights.layers) states = throughLayer(states, layer, dims, heads);
  const pooled = range(dims).map((k) => states.reduce((sum, state) => sum + (state[k] ?? 0), 0) / count);
  const vector = signedProduct(pooled, weights.projection);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function throughLayer(states: readonly Row[], layer: Layer, dims: number, heads: number): Row[] {
  const products = states.map((state) => signedProduct(state, layer.qkv));
  const size = dims / heads;
  return states.map((state, i) => {
    const mixed = range(heads).flatMap((head) => {
      const part = (row: Row | undefined, which: number): Row => {
        const from = which * dims + head * size;
        return (row ?? []).slice(from, from + size);
      };
      const query = part(products[i], 0);
      const shares = softmax(products.map((other) => dot(query, part(other, 1)) / Math.sqrt(size)));
      return range(size).map((k) =>
        products.reduce((sum, other, j) => sum + (shares[j] ?? 0) * (other[2 * dims + head * size + k] ?? 0), 0),
      );
    });
    const attended = normalised(sum(state, signedProduct(mixed, layer.out)), layer.afterAttention);
    const hidden = signedProduct(attended, layer.up).map((value) => Math.max(0, value));
    return normalised(sum(attended, positiveProduct(hidden, layer.down)), layer.afterProducts);
  });
}

function signedProduct(row: Row, product: Product): Row {
  return multiplied(row, Math.max(...row.map(Math.abs)) / 63, product);
}

function positiveProduct(row: Row, product: Product): Row {
  return multiplied(row, Math.max(...row) / 127, product);
}

/**
 * Rounds the numbers to steps. The fast program also adds 64 to each and subtracts it from the sum, which changes nothing.
 * The quotients are 32-bit floats as there: many numbers of the small static model are in the middle of two steps.
 */
function multiplied(row: Row, exactStep: number, { rows, cols, scales, values, bias }: Product): Row {
  const step = Math.fround(exactStep);
  const rounded = row.map((value) => (step === 0 ? 0 : roundHalfEven(Math.fround(value / step))));
  return range(rows).map((r) => {
    let whole = 0;
    for (let k = 0; k < cols; k += 1) whole += (values[r * cols + k] ?? 0) * (rounded[k] ?? 0);
    return step * (scales[r] ?? 0) * whole + (bias[r] ?? 0);
  });
}

function roundHalfEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

function normalised(row: Row, { gain, bias }: Norm): Row {
  const mean = row.reduce((total, value) => total + value, 0) / row.length;
  const variance = row.reduce((total, value) => total + (value - mean) ** 2, 0) / row.length;
  return row.map((value, k) => ((value - mean) / Math.sqrt(variance + 1e-5)) * (gain[k] ?? 0) + (bias[k] ?? 0));
}

function softmax(row: Row): Row {
  const most = Math.max(...row);
  const powers = row.map((value) => Math.exp(value - most));
  const total = powers.reduce((all, value) => all + value, 0);
  return powers.map((value) => value / total);
}

function rowOf({ cols, scales, values }: Matrix, row: number): Row {
  return range(cols).map((k) => (values[row * cols + k] ?? 0) * (scales[row] ?? 0));
}

function dot(a: Row, b: Row): number {
  return a.reduce((total, value, k) => total + value * (b[k] ?? 0), 0);
}

function sum(a: Row, b: Row): Row {
  return a.map((value, k) => value + (b[k] ?? 0));
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}
