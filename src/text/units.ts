/**
 * A text's UTF-16 units as an array of numbers. Reading them from there is several times faster than asking the string
 * for each, which matters to loops over every character that is synced.
 */
const FIRST = 1 << 12;

let units = new Uint16Array(FIRST);
let bytes = Buffer.from(units.buffer);

/** Valid until the next call, and only as far as the text is long. */
export function unitsOf(text: string): Uint16Array {
  if (text.length > units.length) {
    units = new Uint16Array(2 ** Math.ceil(Math.log2(text.length)));
    bytes = Buffer.from(units.buffer);
  }
  bytes.write(text, "utf16le");
  return units;
}

/** The text with these units. */
export function textOfUnits(units: Uint16Array<ArrayBuffer>): string {
  return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString("utf16le");
}
