/**
 * A text's UTF-16 units as an array of numbers. Reading them from there is several times faster than asking the string
 * for each, which matters to loops over every character that is synced.
 */
const FIRST = 1 << 12;

let units = new Uint16Array(FIRST);
let bytes = Buffer.from(units.buffer);

/** Valid until the next call, and only as far as the text is long. */
export function unitsOf(text: string): Uint16Array {
  reserve(text.length);
  bytes.write(text, "utf16le");
  return units;
}

/** The same for a text of this length that is given in pieces: joining them would copy it once more. */
export function unitsOfPieces(pieces: readonly string[], length: number): Uint16Array {
  reserve(length);
  let at = 0;
  for (const piece of pieces) at += bytes.write(piece, at, "utf16le");
  return units;
}

function reserve(length: number): void {
  if (length <= units.length) return;
  units = new Uint16Array(2 ** Math.ceil(Math.log2(length)));
  bytes = Buffer.from(units.buffer);
}

/** The text with these units. */
export function textOfUnits(units: Uint16Array<ArrayBuffer>): string {
  return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString("utf16le");
}
