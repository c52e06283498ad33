/** Files of sentence encoders with random weights, for tests. */
import { seeded } from "../random.ts";

export interface EncoderShape {
  readonly name: string;
  readonly table: string;
  readonly table_dims: number;
  readonly dims: number;
  readonly heads: number;
  readonly hidden: number;
  readonly layers: number;
  readonly positions: number;
  readonly scale: number;
}

export const SMALL_ENCODER: EncoderShape = {
  name: "small-encoder",
  table: "small-test",
  table_dims: 16,
  dims: 32,
  heads: 2,
  hidden: 64,
  layers: 2,
  positions: 128,
  scale: 0.75,
};

/** The sizes of the encoder that is shipped. */
export const WHOLE_ENCODER: EncoderShape = {
  ...SMALL_ENCODER,
  table_dims: 256,
  dims: 384,
  heads: 12,
  hidden: 1536,
  layers: 3,
};

export interface Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly scales: Float32Array;
  readonly values: Int8Array;
}

/** A matrix and the vector that is added to a product with it. */
export interface Product extends Matrix {
  readonly bias: Float32Array;
}

export interface Norm {
  readonly gain: Float32Array;
  readonly bias: Float32Array;
}

export interface Layer {
  readonly qkv: Product;
  readonly out: Product;
  readonly afterAttention: Norm;
  readonly up: Product;
  readonly down: Product;
  readonly afterProducts: Norm;
}

export interface EncoderWeights {
  readonly input: Product;
  readonly positions: Matrix;
  readonly afterInput: Norm;
  readonly layers: readonly Layer[];
  readonly projection: Product;
}

/** The same for the same seed. The numbers that the network computes stay near 1, as in a trained one. */
export function randomWeights(shape: EncoderShape, seed: number): EncoderWeights {
  const { table_dims, dims, hidden, layers, positions } = shape;
  const random = seeded(seed);
  const floats = (length: number, middle: number, spread: number): Float32Array =>
    Float32Array.from({ length }, () => middle + spread * (2 * random() - 1));
  const matrix = (rows: number, cols: number, size: number): Matrix => ({
    rows,
    cols,
    scales: floats(rows, size / 127, size / 254),
    values: Int8Array.from({ length: rows * cols }, () => Math.floor(random() * 255) - 127),
  });
  const product = (rows: number, cols: number): Product => ({
    ...matrix(rows, cols, 2 / Math.sqrt(cols)),
    bias: floats(rows, 0, 0.1),
  });
  const norm = (): Norm => ({ gain: floats(dims, 1, 0.2), bias: floats(dims, 0, 0.1) });
  return {
    input: product(dims, table_dims),
    positions: matrix(positions, dims, 0.5),
    afterInput: norm(),
    layers: Array.from({ length: layers }, () => ({
      qkv: product(3 * dims, dims),
      out: product(dims, dims),
      afterAttention: norm(),
      up: product(hidden, dims),
      down: product(dims, hidden),
      afterProducts: norm(),
    })),
    projection: product(dims, dims),
  };
}

/** The bytes of the file; `header` is written as it is. */
export function packEncoder(header: object, weights: EncoderWeights): Uint8Array {
  const text = JSON.stringify(header);
  const length = Math.ceil((12 + Buffer.byteLength(text)) / 8) * 8 - 12;
  const start = Buffer.alloc(12 + length, " ");
  start.write("DEXENC1\n", "latin1");
  start.writeUInt32LE(length, 8);
  start.write(text, 12);
  const ofMatrix = ({ scales, values }: Matrix) => [bytesOf(scales), bytesOf(values)];
  const ofProduct = (product: Product) => [...ofMatrix(product), bytesOf(product.bias)];
  const ofNorm = ({ gain, bias }: Norm) => [bytesOf(gain), bytesOf(bias)];
  const layers = weights.layers.flatMap(({ qkv, out, afterAttention, up, down, afterProducts }) => [
    ...[...ofProduct(qkv), ...ofProduct(out), ...ofNorm(afterAttention)],
    ...[...ofProduct(up), ...ofProduct(down), ...ofNorm(afterProducts)],
  ]);
  const input = [...ofProduct(weights.input), ...ofMatrix(weights.positions), ...ofNorm(weights.afterInput)];
  return Buffer.concat([start, ...input, ...layers, ...ofProduct(weights.projection)]);
}

export function randomEncoder(shape: EncoderShape, seed = 3): Uint8Array {
  return packEncoder(shape, randomWeights(shape, seed));
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
