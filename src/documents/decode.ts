/** Decodes bytes to text: detects the encoding and binary files, and counts broken sequences. */

export interface Decoded {
  /** With `\n` line ends, without a byte order mark. */
  text: string;
  /** Broken sequences that were replaced by U+FFFD. */
  replaced: number;
}

/** Bytes examined to tell text from binary. */
const PROBE_BYTES = 16 * 1024;
/** Text has almost no control characters other than white space, escape and form feed. */
const MAX_CONTROL_SHARE = 0.02;

/** Undefined: not text. */
export function decodeText(bytes: Uint8Array): Decoded | undefined {
  const encoding = wideEncoding(bytes);
  if (encoding) return decoded(new TextDecoder(encoding).decode(bytes), 0);
  if (isBinary(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  const broken = count(text, "\uFFFD");
  // The source itself may contain replacement characters, as three bytes each.
  return decoded(text, broken === 0 ? 0 : broken - countReplacements(bytes));
}

function decoded(text: string, replaced: number): Decoded {
  let clean = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (clean.includes("\r")) clean = clean.replace(/\r\n?/g, "\n");
  if (clean.includes("\0")) clean = clean.replaceAll("\0", "\uFFFD");
  return { text: clean, replaced };
}

function wideEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function isBinary(bytes: Uint8Array): boolean {
  const probe = bytes.subarray(0, PROBE_BYTES);
  if (probe.includes(0)) return true;
  let control = 0;
  // An index loop: an iterator takes longer than the rest of decoding.
  for (let i = 0; i < probe.length; i += 1) {
    const byte = probe[i] as number;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c && byte !== 0x1b) control += 1;
  }
  return control > probe.length * MAX_CONTROL_SHARE;
}

function countReplacements(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wanted = Buffer.from("\uFFFD");
  let found = 0;
  for (let at = buffer.indexOf(wanted); at >= 0; at = buffer.indexOf(wanted, at + wanted.length)) found += 1;
  return found;
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}
