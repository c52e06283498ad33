/**
 * The sentence encoder: a small transformer on the rows of the static model. Other than the sum of these rows, its vectors
 * know the order of the words. The arithmetic is `wasm/encoder.ts`; a text is computed alone, so its vector does not
 * depend on others.
 */
import { DexError } from "../../kernel/errors.ts";
import { Program } from "../../loops/program.ts";
import { damagedModel } from "../model_file.ts";
import type { Embedder, StaticEmbedder } from "../static.ts";
import { ENCODER_CODE } from "./code.ts";
import { EncoderFile, type EncoderHeader, productRows } from "./encoder_file.ts";

/** Arguments of `setPlaces` are addresses in the memory. */
interface EncoderFunctions {
  setSizes(
    pieceDims: number,
    dims: number,
    heads: number,
    hidden: number,
    layers: number,
    positions: number,
    pieceScale: number,
  ): void;
  setPlaces(
    model: number,
    middles: number,
    pieces: number,
    pieceScales: number,
    states: number,
    products: number,
    rounded: number,
    steps: number,
    mixed: number,
    keys: number,
    shares: number,
  ): void;
  /** 0 if a number in the model is infinite or not a number. */
  prepare(): number;
  /** 0 if the vector has no direction. */
  encode(pieces: number): number;
}

/** Tokens whose attention is computed at a time. */
const BLOCK = 4;

export class SentenceEncoder implements Embedder {
  readonly name: string;
  readonly dims: number;
  readonly #words: StaticEmbedder;
  readonly #run: EncoderFunctions;
  readonly #rows: Int8Array;
  readonly #scales: Float32Array;
  readonly #result: Float32Array;

  /** `words`: the static model that this one was trained with; another is refused. */
  constructor(path: string, words: StaticEmbedder) {
    const file = new EncoderFile(path);
    try {
      const { name, tableDims, dims, heads, hidden, layers, positions, scale } = file.header;
      checkTable(path, file.header, words);
      this.name = name;
      this.dims = dims;
      this.#words = words;
      const middles = productRows(file.header);
      const pieces = positions * tableDims;
      const states = positions * dims;
      const products = positions * Math.max(tableDims, hidden, 3 * dims);
      const keys = positions * (dims / heads);
      const shares = positions * BLOCK;
      const floats = [middles, positions, states, products, positions, states, keys, shares];
      const sizes = [file.size, pieces, products, ...floats.map((count) => 4 * count)];
      const program = new Program<EncoderFunctions>(ENCODER_CODE, sizes);
      const model = program.bytes(file.size);
      file.readTensors(model);
      this.#rows = program.signedBytes(pieces);
      this.#scales = program.floats(positions);
      this.#result = program.floats(products);
      this.#run = program.run;
      this.#run.setSizes(tableDims, dims, heads, hidden, layers, positions, scale);
      this.#run.setPlaces(
        model.byteOffset,
        program.integers(middles).byteOffset,
        this.#rows.byteOffset,
        this.#scales.byteOffset,
        program.floats(states).byteOffset,
        this.#result.byteOffset,
        program.bytes(products).byteOffset,
        program.floats(positions).byteOffset,
        program.floats(states).byteOffset,
        program.floats(keys).byteOffset,
        program.floats(shares).byteOffset,
      );
      if (this.#run.prepare() === 0) throw damagedModel(path);
    } finally {
      file.close();
    }
  }

  /** The unit vector of a text's beginning; undefined if the static model knows none of its words. */
  embed(text: string): Float32Array | undefined {
    const pieces = this.#words.copyRows(text, this.#rows, this.#scales);
    if (pieces === 0 || this.#run.encode(pieces) === 0) return undefined;
    return this.#result.slice(0, this.dims);
  }
}

function checkTable(path: string, { table, tableDims }: EncoderHeader, words: StaticEmbedder): void {
  if (table === words.name && tableDims === words.dims) return;
  const needed = `the word vectors ${table} with ${tableDims} dimensions`;
  throw new DexError("bad_model", `${path} needs ${needed}, not ${words.name} with ${words.dims}.`, {
    hint: "Reinstall dex.",
  });
}
