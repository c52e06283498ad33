/** Collects archived lines as bytes: each is encoded once, for its hash, the other thread and the archive. */

/** Most blocks fit. A buffer that a huge line enlarged is not kept. */
const CAPACITY = 128 << 10;
/** A character takes at most this many bytes; the exact number is counted only where the difference is large. */
const MAX_BYTES_PER_CHARACTER = 3;
const NEWLINE = 0x0a;
const encoder = new TextEncoder();

export class LineBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #used = 0;
  /** How many characters the lines have. */
  characters = 0;

  /** Adds a line and returns its bytes, without the newline: valid until the next line. */
  add(line: string): Buffer {
    const most = line.length * MAX_BYTES_PER_CHARACTER;
    this.#reserve(1 + (most <= CAPACITY ? most : Buffer.byteLength(line)));
    const start = this.#used;
    const end = start + encoder.encodeInto(line, this.#bytes.subarray(start)).written;
    this.#bytes[end] = NEWLINE;
    this.#used = end + 1;
    this.characters += line.length + 1;
    return this.#bytes.subarray(start, end);
  }

  /** All lines, in memory of their own; the buffer is empty then. */
  take(): Uint8Array<ArrayBuffer> {
    const lines = new Uint8Array(this.#used);
    lines.set(this.#bytes.subarray(0, this.#used));
    if (this.#bytes.length > CAPACITY * 2) this.#bytes = Buffer.alloc(0);
    this.#used = 0;
    this.characters = 0;
    return lines;
  }

  #reserve(more: number): void {
    const needed = this.#used + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, CAPACITY * 2));
    larger.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = larger;
  }
}
