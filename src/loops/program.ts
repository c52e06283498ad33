import { Instance, Memory, Module, PAGE_BYTES } from "./platform.ts";

/** Vector instructions want addresses that are a multiple of this. */
const ALIGNMENT = 16;

const compiled = new Map<string, object>();

/**
 * The functions of a WebAssembly module with a memory of fixed size, so that its views stay valid. It is handed out piece
 * by piece.
 */
export class Program<Functions> {
  readonly run: Functions;
  readonly #buffer: ArrayBuffer;
  #used = ALIGNMENT;

  /** `code`: the module in base64; `sizes`: the bytes of each piece that will be taken. */
  constructor(code: string, sizes: readonly number[]) {
    const bytes = sizes.reduce((sum, size) => sum + aligned(size), ALIGNMENT);
    const module = compiled.get(code) ?? new Module(Buffer.from(code, "base64"));
    compiled.set(code, module);
    const pages = Math.ceil(bytes / PAGE_BYTES);
    const memory = new Memory({ initial: pages, maximum: pages });
    this.run = new Instance(module, { env: { memory } }).exports as Functions;
    this.#buffer = memory.buffer;
  }

  /** All of these begin as zeros. */
  bytes(length: number): Uint8Array {
    return new Uint8Array(this.#buffer, this.#take(length), length);
  }

  signedBytes(length: number): Int8Array {
    return new Int8Array(this.#buffer, this.#take(length), length);
  }

  shorts(length: number): Uint16Array {
    return new Uint16Array(this.#buffer, this.#take(length * 2), length);
  }

  words(length: number): Uint32Array {
    return new Uint32Array(this.#buffer, this.#take(length * 4), length);
  }

  integers(length: number): Int32Array {
    return new Int32Array(this.#buffer, this.#take(length * 4), length);
  }

  floats(length: number): Float32Array {
    return new Float32Array(this.#buffer, this.#take(length * 4), length);
  }

  doubles(length: number): Float64Array {
    return new Float64Array(this.#buffer, this.#take(length * 8), length);
  }

  #take(bytes: number): number {
    const at = this.#used;
    this.#used += aligned(bytes);
    return at;
  }
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
