/** Shrinks a JSON document while it streams: truncates long strings, and replaces the values of named keys by null. */

const MAX_STRING_BYTES = 4 << 20;
const MAX_OUTPUT_BYTES = 24 << 20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const KEY_LENGTH = 64;

export class JsonShrinker {
  readonly #dropKeys: ReadonlySet<string>;
  #out: Buffer[] = [];
  #outBytes = 0;
  #page = Buffer.allocUnsafe(1 << 16);
  #fill = 0;

  #inString = false;
  #escape = 0;
  #stringBytes = 0;
  #cutting = false;
  #recent = "";
  /** Depth inside a value that is being dropped, or -1. */
  #dropDepth = -1;
  overflowed = false;

  constructor(dropKeys: ReadonlySet<string>) {
    this.#dropKeys = dropKeys;
  }

  write(bytes: Buffer): void {
    // No JSON has this byte, but the holes of sparse files consist of it.
    if (!this.overflowed && bytes.includes(0)) this.#overflow();
    if (this.overflowed) return;
    for (let i = 0; i < bytes.length; i += 1) this.#byte(bytes[i] as number);
  }

  finish(): string {
    if (this.overflowed) return "";
    this.#flush();
    return Buffer.concat(this.#out, this.#outBytes).toString("utf8");
  }

  #byte(byte: number): void {
    if (this.#inString) this.#stringByte(byte);
    else this.#structuralByte(byte);
  }

  #stringByte(byte: number): void {
    if (this.#escape > 0) {
      // Keep the four digits of \uXXXX with the escape, so that a cut never splits it.
      this.#escape = this.#escape === 1 && byte === 0x75 ? 5 : this.#escape - 1;
      this.#emitInString(byte);
      return;
    }
    if (byte === QUOTE) {
      this.#inString = false;
      if (this.#cutting) this.#emitText(" …[cut]");
      this.#cutting = false;
      this.#emit(byte);
      return;
    }
    if (this.#stringBytes >= MAX_STRING_BYTES && byte < 0x80) this.#cutting = true;
    if (byte === BACKSLASH) this.#escape = 1;
    this.#emitInString(byte);
  }

  #emitInString(byte: number): void {
    this.#stringBytes += 1;
    if (this.#cutting) return;
    if (this.#stringBytes <= KEY_LENGTH) this.#recent += String.fromCharCode(byte);
    this.#emit(byte);
  }

  #structuralByte(byte: number): void {
    if (byte === QUOTE) {
      this.#inString = true;
      this.#stringBytes = 0;
      this.#recent = "";
      this.#emit(byte);
      return;
    }
    if (this.#dropDepth >= 0 && this.#dropByte(byte)) return;
    this.#emit(byte);
    if (byte === COLON && this.#dropKeys.has(this.#recent)) {
      this.#emitText("null");
      this.#dropDepth = 0;
    }
  }

  /** Returns true while the byte belongs to the dropped value. */
  #dropByte(byte: number): boolean {
    const opens = byte === 0x7b || byte === 0x5b;
    const closes = byte === 0x7d || byte === 0x5d;
    if (this.#dropDepth === 0 && (closes || byte === COMMA)) {
      this.#dropDepth = -1;
      return false;
    }
    if (opens) this.#dropDepth += 1;
    if (closes) this.#dropDepth -= 1;
    return true;
  }

  #overflow(): void {
    this.overflowed = true;
    this.#out = [];
    this.#outBytes = 0;
  }

  #emitText(text: string): void {
    for (const byte of Buffer.from(text)) this.#emit(byte);
  }

  #emit(byte: number): void {
    if (this.#dropDepth >= 0 || this.overflowed) return;
    this.#page[this.#fill] = byte;
    this.#fill += 1;
    if (this.#fill === this.#page.length) this.#flush();
  }

  #flush(): void {
    if (this.#fill === 0) return;
    this.#outBytes += this.#fill;
    if (this.#outBytes > MAX_OUTPUT_BYTES) this.#overflow();
    else {
      this.#out.push(Buffer.from(this.#page.subarray(0, this.#fill)));
    }
    this.#fill = 0;
  }
}
