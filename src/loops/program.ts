import { instantiate, Layout, memoryFor } from "./platform.ts";

/**
 * The functions of a WebAssembly module with a memory of fixed size, so that its views stay valid. It is handed out piece
 * by piece.
 */
export class Program<Functions> {
  readonly run: Functions;
  readonly #buffer: ArrayBuffer;
  readonly #layout = new Layout();

  /** `code`: the module in base64; `sizes`: the bytes of each piece that will be taken. */
  constructor(code: string, sizes: readonly number[]) {
    const whole = new Layout();
    for (const size of sizes) whole.take(size);
    const memory = memoryFor(whole);
    this.run = instantiate(code, { env: { memory } });
    this.#buffer = memory.buffer;
  }

  /** All of these begin as zeros. */
  bytes(length: number): Uint8Array {
    return new Uint8Array(this.#buffer, this.#layout.take(length), length);
  }

  signedBytes(length: number): Int8Array {
    return new Int8Array(this.#buffer, this.#layout.take(length), length);
  }

  shorts(length: number): Uint16Array {
    return new Uint16Array(this.#buffer, this.#layout.take(length * 2), length);
  }

  words(length: number): Uint32Array {
    return new Uint32Array(this.#buffer, this.#layout.take(length * 4), length);
  }

  integers(length: number): Int32Array {
    return new Int32Array(this.#buffer, this.#layout.take(length * 4), length);
  }

  floats(length: number): Float32Array {
    return new Float32Array(this.#buffer, this.#layout.take(length * 4), length);
  }

  doubles(length: number): Float64Array {
    return new Float64Array(this.#buffer, this.#layout.take(length * 8), length);
  }
}
