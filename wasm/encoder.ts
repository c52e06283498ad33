/**
 * The arithmetic of the sentence encoder, a small transformer, in AssemblyScript. `npm run loops` compiles this file.
 *
 * The same text gives the same vector on every machine: products are sums of whole numbers, and all else are single
 * operations on 32-bit floats in a fixed order. The result of one instruction, `relaxed_dot_i8x16_i7x16_add_s`, depends
 * on the machine if its second factor is not 0 to 127; here it always is.
 *
 * All names that end in `At` are addresses. The caller checks that what they point to is inside the memory, and that all
 * sizes are multiples of 16.
 */
import { attend } from "./encoder/attention";
import { sumOf } from "./encoder/lanes";
import { BLOCK, multiplyRows } from "./encoder/products";
import { MIDDLE, roundPositive, roundSigned } from "./encoder/rounding";

const EPSILON: f32 = 1e-5;

let pieceDims: u32 = 0;
let dims: u32 = 0;
let heads: u32 = 0;
let hidden: u32 = 0;
let layers: u32 = 0;
let positions: u32 = 0;
let pieceScale: f32 = 0;

/** The tensors, in the order of the file. */
let modelAt: u32 = 0;
/** For each row of each matrix but the positions: what the middle of rounded numbers adds to its sum. */
let middlesAt: u32 = 0;
/** The rows of the pieces and the scale of each; the caller writes them. */
let piecesAt: u32 = 0;
let pieceScalesAt: u32 = 0;
/** What the network knows of each token so far. */
let statesAt: u32 = 0;
/** What the last product gave for each token; at first, the numbers of its piece. */
let productsAt: u32 = 0;
/** The rounded numbers of the next product, and the size of a step for each token. */
let roundedAt: u32 = 0;
let stepsAt: u32 = 0;
/** What attention gives for each token, and room that it needs. */
let mixedAt: u32 = 0;
let keysAt: u32 = 0;
let sharesAt: u32 = 0;

/** Where the next tensor, and the middles of the next matrix, are. */
let tensorAt: u32 = 0;
let middleAt: u32 = 0;

export function setSizes(
  pieceDimsOf: u32,
  dimsOf: u32,
  headsOf: u32,
  hiddenOf: u32,
  layersOf: u32,
  positionsOf: u32,
  pieceScaleOf: f32,
): void {
  pieceDims = pieceDimsOf;
  dims = dimsOf;
  heads = headsOf;
  hidden = hiddenOf;
  layers = layersOf;
  positions = positionsOf;
  pieceScale = pieceScaleOf;
}

export function setPlaces(
  model: u32,
  middles: u32,
  pieces: u32,
  pieceScales: u32,
  states: u32,
  products: u32,
  rounded: u32,
  steps: u32,
  mixed: u32,
  keys: u32,
  shares: u32,
): void {
  modelAt = model;
  middlesAt = middles;
  piecesAt = pieces;
  pieceScalesAt = pieceScales;
  statesAt = states;
  productsAt = products;
  roundedAt = rounded;
  stepsAt = steps;
  mixedAt = mixed;
  keysAt = keys;
  sharesAt = shares;
}

/** Computes the middles of all matrices. False if a float of the model is infinite or not a number. */
export function prepare(): bool {
  rewind();
  let isFinite = sumRows(dims, pieceDims, MIDDLE);
  isFinite = areFinite(positions) && isFinite;
  tensorAt += positions * dims;
  isFinite = areFinite(2 * dims) && isFinite;
  for (let layer: u32 = 0; layer < layers; layer++) {
    isFinite = sumRows(3 * dims, dims, MIDDLE) && isFinite;
    isFinite = sumRows(dims, dims, MIDDLE) && isFinite;
    isFinite = areFinite(2 * dims) && isFinite;
    isFinite = sumRows(hidden, dims, MIDDLE) && isFinite;
    isFinite = sumRows(dims, hidden, 0) && isFinite;
    isFinite = areFinite(2 * dims) && isFinite;
  }
  return sumRows(dims, dims, MIDDLE) && isFinite;
}

/** Computes the vector of a text from its pieces and leaves it among the products. False if it has no direction. */
export function encode(count: u32): bool {
  rewind();
  readPieces(count);
  roundSigned(productsAt, pieceDims, count, roundedAt, stepsAt);
  multiply(dims, pieceDims, count);
  addPositions(count);
  for (let layer: u32 = 0; layer < layers; layer++) {
    roundSigned(statesAt, dims, count, roundedAt, stepsAt);
    multiply(3 * dims, dims, count);
    attendAll(count);
    roundSigned(mixedAt, dims, count, roundedAt, stepsAt);
    multiply(dims, dims, count);
    addProducts(count);
    roundSigned(statesAt, dims, count, roundedAt, stepsAt);
    multiply(hidden, dims, count);
    roundPositive(productsAt, hidden, count, roundedAt, stepsAt);
    multiply(dims, hidden, count);
    addProducts(count);
  }
  average(count);
  roundSigned(mixedAt, dims, 1, roundedAt, stepsAt);
  multiply(dims, dims, 1);
  return makeUnit();
}

function rewind(): void {
  tensorAt = modelAt;
  middleAt = middlesAt;
}

/** Whether the next floats are numbers, and finite. */
function areFinite(count: u32): bool {
  let sums = f32x4.splat(0);
  const zeros = sums;
  for (const end = tensorAt + (count << 2); tensorAt < end; tensorAt += 16) {
    sums = f32x4.add(sums, f32x4.mul(zeros, v128.load(tensorAt)));
  }
  return sumOf(sums) == 0;
}

function sumRows(rows: u32, cols: u32, middle: i8): bool {
  const isFinite = areFinite(rows);
  const factors = i8x16.splat(middle);
  for (let row: u32 = 0; row < rows; row++) {
    let sums = i32x4.splat(0);
    for (const end = tensorAt + cols; tensorAt < end; tensorAt += 16) {
      sums = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(tensorAt), factors, sums);
    }
    const sum =
      i32x4.extract_lane(sums, 0) +
      i32x4.extract_lane(sums, 1) +
      i32x4.extract_lane(sums, 2) +
      i32x4.extract_lane(sums, 3);
    store<i32>(middleAt, sum);
    middleAt += 4;
  }
  return areFinite(rows) && isFinite;
}

/** Scales the rows of the pieces and leaves them among the products. */
function readPieces(count: u32): void {
  let rowAt = piecesAt;
  let toAt = productsAt;
  for (let token: u32 = 0; token < count; token++) {
    const scale = f32x4.splat(pieceScale * load<f32>(pieceScalesAt + (token << 2)));
    for (const end = rowAt + pieceDims; rowAt < end; rowAt += 4) {
      v128.store(toAt, f32x4.mul(fourBytes(rowAt), scale));
      toAt += 16;
    }
  }
}

/** Adds the positions to the products: the first states. */
function addPositions(count: u32): void {
  let rowAt = tensorAt + (positions << 2);
  let productAt = productsAt;
  let toAt = statesAt;
  const gainsAt = rowAt + positions * dims;
  for (let token: u32 = 0; token < count; token++) {
    const scale = f32x4.splat(load<f32>(tensorAt + (token << 2)));
    for (let i: u32 = 0; i < dims; i += 4) {
      const place = f32x4.mul(fourBytes(rowAt + i), scale);
      v128.store(toAt + (i << 2), f32x4.add(v128.load(productAt + (i << 2)), place));
    }
    normalise(toAt, gainsAt);
    rowAt += dims;
    productAt += dims << 2;
    toAt += dims << 2;
  }
  tensorAt = gainsAt + (dims << 3);
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function fourBytes(at: u32): v128 {
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_zero(at))));
}

/** Multiplies the rounded numbers by the next matrix and adds the vector after it. */
function multiply(rows: u32, cols: u32, count: u32): void {
  const scalesAt = tensorAt;
  const weightsAt = scalesAt + (rows << 2);
  const biasesAt = weightsAt + rows * cols;
  for (let row: u32 = 0; row < rows; row += BLOCK) {
    const at = row << 2;
    multiplyRows(
      weightsAt + row * cols,
      scalesAt + at,
      biasesAt + at,
      middleAt + at,
      cols,
      productsAt + at,
      rows << 2,
      roundedAt,
      stepsAt,
      count,
    );
  }
  tensorAt = biasesAt + (rows << 2);
  middleAt += rows << 2;
}

/** The products have the queries of all heads, then their keys, then their values. */
function attendAll(count: u32): void {
  const size = dims / heads;
  const row = dims << 2;
  for (let column: u32 = 0; column < row; column += size << 2) {
    const at = productsAt + column;
    attend(at, at + row, at + 2 * row, 3 * row, size, count, keysAt, sharesAt, positions, mixedAt + column, row);
  }
}

/** Adds the last product to the states. */
function addProducts(count: u32): void {
  let at = statesAt;
  let productAt = productsAt;
  for (let token: u32 = 0; token < count; token++) {
    for (let i: u32 = 0; i < dims << 2; i += 16) {
      v128.store(at + i, f32x4.add(v128.load(at + i), v128.load(productAt + i)));
    }
    normalise(at, tensorAt);
    at += dims << 2;
    productAt += dims << 2;
  }
  tensorAt += dims << 3;
}

/** Layer norm; the biases come after the gains. */
function normalise(at: u32, gainsAt: u32): void {
  const end = at + (dims << 2);
  let sums = f32x4.splat(0);
  for (let i = at; i < end; i += 16) sums = f32x4.add(sums, v128.load(i));
  const mean = f32x4.splat(sumOf(sums) / (dims as f32));
  let squares = f32x4.splat(0);
  for (let i = at; i < end; i += 16) {
    const difference = f32x4.sub(v128.load(i), mean);
    squares = f32x4.add(squares, f32x4.mul(difference, difference));
  }
  const factor = f32x4.splat(<f32>1 / sqrt<f32>(sumOf(squares) / (dims as f32) + EPSILON));
  const biasesAt = gainsAt + (dims << 2);
  for (let i: u32 = 0; i < dims << 2; i += 16) {
    const value = f32x4.mul(f32x4.sub(v128.load(at + i), mean), factor);
    v128.store(at + i, f32x4.add(f32x4.mul(value, v128.load(gainsAt + i)), v128.load(biasesAt + i)));
  }
}

/** The mean of the states, as the first of the mixed rows. */
function average(count: u32): void {
  const total = f32x4.splat(count as f32);
  for (let i: u32 = 0; i < dims << 2; i += 16) {
    let sum = f32x4.splat(0);
    let at = statesAt + i;
    for (let token: u32 = 0; token < count; token++) {
      sum = f32x4.add(sum, v128.load(at));
      at += dims << 2;
    }
    v128.store(mixedAt + i, f32x4.div(sum, total));
  }
}

/** Scales the first product to length 1. */
function makeUnit(): bool {
  const end = productsAt + (dims << 2);
  let squares = f32x4.splat(0);
  for (let i = productsAt; i < end; i += 16) {
    const values = v128.load(i);
    squares = f32x4.add(squares, f32x4.mul(values, values));
  }
  const square = sumOf(squares);
  if (!(square > 0 && square < Infinity)) return false;
  const length = f32x4.splat(sqrt<f32>(square));
  for (let i = productsAt; i < end; i += 16) v128.store(i, f32x4.div(v128.load(i), length));
  return true;
}
