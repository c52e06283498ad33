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
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;
const CONTROLS = new RegExp(CONTROL.source, "g");

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
  const probe = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, PROBE_BYTES)).toString("latin1");
  // Nearly all text has none of them, and an expression finds that out faster than a loop over the bytes.
  if (!CONTROL.test(probe)) return false;
  return probe.includes("\0") || (probe.match(CONTROLS)?.length ?? 0) > probe.length * MAX_CONTROL_SHARE;
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
