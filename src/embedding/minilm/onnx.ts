/**
 * Writes an ONNX model: just enough of protocol buffers and ONNX messages for a network with a few kinds of nodes.
 * Field numbers are those of onnx.proto3.
 */

const FLOAT = 1;
const INT8 = 3;
const INT64 = 7;
const FLOAT16 = 10;
const IR_VERSION = 9;
const OPSET = 20;

type Attribute = { int: number } | { ints: readonly number[] } | { float: number };

/** A graph under construction: each call adds a node and returns the name of its result. */
export class OnnxGraph {
  readonly #nodes: Uint8Array[] = [];
  readonly #tensors: Uint8Array[] = [];
  readonly #inputs: Uint8Array[] = [];
  #names = 0;

  /** An input of 64-bit integers; its dimensions are named, not fixed. */
  input(name: string, dims: readonly string[]): string {
    this.#inputs.push(field(11, valueInfo(name, INT64, dims)));
    return name;
  }

  /** Half-precision numbers in the file, full precision in the network. */
  half(shape: readonly number[], bytes: Uint8Array): string {
    const stored = this.#tensor(FLOAT16, shape, bytes);
    return this.node("Cast", [stored], { to: { int: FLOAT } });
  }

  floats(shape: readonly number[], values: ArrayLike<number>): string {
    return this.#tensor(FLOAT, shape, new Uint8Array(Float32Array.from(values).buffer));
  }

  bytes(shape: readonly number[], values: Int8Array): string {
    return this.#tensor(INT8, shape, new Uint8Array(values.buffer, values.byteOffset, values.length));
  }

  integers(values: readonly number[]): string {
    return this.#tensor(INT64, [values.length], new Uint8Array(BigInt64Array.from(values, BigInt).buffer));
  }

  node(type: string, inputs: readonly string[], attributes: Record<string, Attribute> = {}, name?: string): string {
    const output = name ?? this.#name();
    this.#add(type, inputs, [output], attributes);
    return output;
  }

  /** A node with three results. */
  triple(type: string, inputs: readonly string[]): [string, string, string] {
    const outputs: [string, string, string] = [this.#name(), this.#name(), this.#name()];
    this.#add(type, inputs, outputs, {});
    return outputs;
  }

  #add(
    type: string,
    inputs: readonly string[],
    outputs: readonly string[],
    attributes: Record<string, Attribute>,
  ): void {
    const parts = [
      ...inputs.map((input) => text(1, input)),
      ...outputs.map((output) => text(2, output)),
      text(4, type),
      ...Object.entries(attributes).map(([key, value]) => field(5, attribute(key, value))),
    ];
    this.#nodes.push(field(1, ...parts));
  }

  toFloat(input: string): string {
    return this.node("Cast", [input], { to: { int: FLOAT } });
  }

  /** The serialised model, with one numeric result. */
  build(output: string, dims: readonly string[]): Uint8Array {
    const graph = field(
      7,
      ...this.#nodes,
      text(2, "graph"),
      ...this.#tensors,
      ...this.#inputs,
      field(12, valueInfo(output, FLOAT, dims)),
    );
    return joined([whole(1, IR_VERSION), text(2, "dex"), graph, field(8, text(1, ""), whole(2, OPSET))]);
  }

  #tensor(type: number, shape: readonly number[], bytes: Uint8Array): string {
    const name = this.#name();
    this.#tensors.push(
      field(5, ...shape.map((size) => whole(1, size)), whole(2, type), text(8, name), field(9, bytes)),
    );
    return name;
  }

  #name(): string {
    this.#names += 1;
    return `v${this.#names}`;
  }
}

const ATTRIBUTE_TYPES = { float: 1, int: 2, ints: 7 };

function attribute(name: string, value: Attribute): Uint8Array {
  if ("int" in value) return joined([text(1, name), whole(3, value.int), whole(20, ATTRIBUTE_TYPES.int)]);
  if ("float" in value) return joined([text(1, name), float(2, value.float), whole(20, ATTRIBUTE_TYPES.float)]);
  return joined([text(1, name), ...value.ints.map((int) => whole(8, int)), whole(20, ATTRIBUTE_TYPES.ints)]);
}

function valueInfo(name: string, type: number, dims: readonly string[]): Uint8Array {
  const shape = field(2, ...dims.map((dim) => field(1, text(2, dim))));
  return joined([text(1, name), field(2, field(1, whole(1, type), shape))]);
}

function whole(number: number, value: number): Uint8Array {
  return joined([varint(BigInt(number << 3)), varint(BigInt(value))]);
}

function float(number: number, value: number): Uint8Array {
  return joined([varint(BigInt((number << 3) | 5)), new Uint8Array(Float32Array.of(value).buffer)]);
}

function text(number: number, value: string): Uint8Array {
  return field(number, new TextEncoder().encode(value));
}

/** A field of bytes: a string, a message, or raw data. */
function field(number: number, ...parts: Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return joined([varint(BigInt((number << 3) | 2)), varint(BigInt(size)), ...parts]);
}

/** Varint: seven bits per byte, lowest first; a negative number takes ten bytes. */
function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
