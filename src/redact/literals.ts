/**
 * Finding any of some hundred literals in a text, in one fast reading.
 *
 * The text is copied as one byte a character and read two characters at a time: a table of 65,536 entries says whether
 * the pair belongs to a literal. Every literal is registered by two of its pairs, one for either alignment, the rarest
 * it has. A second table then asks for the byte beside the pair, and only what passes both is compared in full.
 * Tried and slower by two to ten times: one expression of all literals, an expression that stops at rare characters,
 * `indexOf` for each, and a loop over `charCodeAt`.
 */

/** Called for each occurrence, in order of place; returns up to where further ones are of no interest. */
type Visit = (literal: number, start: number) => number;

interface Entry {
  literal: number;
  /** How far the registered pair lies inside the literal. */
  offset: number;
  bytes: Uint8Array;
}

interface PairTable {
  /** For every pair of bytes the number of its bucket, 0 for none. */
  bucketOf: Uint16Array;
  buckets: Entry[][];
  /** By a hash of pair and byte: 1 where the byte may stand after the pair, 2 where it may stand before it. */
  beside: Uint8Array;
}

const CHUNK = 1 << 16;
/** What two chunks share, and the empty margin before the text; no literal may be longer. */
const MARGIN = 64;
const AFTER = 1;
const BEFORE = 2;
/** Letters by falling frequency; capitals, digits and most signs are rarer than any of them. */
const BY_FREQUENCY = " etaoinsrlcdpumhgfyb.wkv-_,";
const COMMON_PAIRS =
  "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ec ge ct ut";

const buffer = new Uint8Array(MARGIN + CHUNK + MARGIN);
const writer = Buffer.from(buffer.buffer);
const pairs = new Uint16Array(buffer.buffer);

/** A reader for these literals. All must be Latin text of 3 to 64 characters. Not to be re-entered from `visit`. */
export function literalScanner(literals: readonly string[]): (text: string, visit: Visit) => void {
  const { bucketOf, buckets, beside } = pairTable(literals);

  return (text, visit) => {
    let resume = 0;
    for (let from = 0; from < text.length; from += CHUNK - MARGIN) {
      const last = from + CHUNK >= text.length;
      const length = writer.write(last && from === 0 ? text : text.slice(from, from + CHUNK), MARGIN, "latin1");
      // What an earlier text left behind the end must not complete a literal.
      buffer[MARGIN + length] = 0;
      buffer[MARGIN + length + 1] = 0;
      const limit = last ? length : CHUNK - MARGIN;
      const count = (MARGIN + length + 1) >> 1;
      for (let at = MARGIN >> 1; at < count; at++) {
        const pair = pairs[at] ?? 0;
        const bucket = bucketOf[pair] ?? 0;
        if (bucket === 0) continue;
        const place = at * 2;
        const after = (beside[hash(pair, buffer[place + 2] ?? 0)] ?? 0) & AFTER;
        const before = (beside[hash(pair, buffer[place - 1] ?? 0)] ?? 0) & BEFORE;
        if (after + before === 0) continue;
        for (const { literal, offset, bytes } of buckets[bucket] ?? []) {
          const start = place - offset - MARGIN;
          // A literal that starts in the shared end is met again in the next chunk.
          if (start < 0 || start >= limit || from + start < resume || !stands(bytes, start + MARGIN)) continue;
          resume = Math.max(resume, visit(literal, from + start));
        }
      }
      if (last) return;
    }
  };
}

function pairTable(literals: readonly string[]): PairTable {
  const table: PairTable = { bucketOf: new Uint16Array(1 << 16), buckets: [[]], beside: new Uint8Array(1 << 16) };
  for (const [literal, text] of literals.entries()) {
    if (text.length < 3 || text.length > MARGIN) throw new RangeError(`not a literal to scan for: ${text}`);
    for (const parity of [0, 1])
      register(table, { literal, offset: rarestPair(text, parity), bytes: latin1Bytes(text) });
  }
  return table;
}

function register({ bucketOf, buckets, beside }: PairTable, entry: Entry): void {
  const { bytes, offset } = entry;
  const at = (index: number) => bytes[index] ?? 0;
  // In the machine's own byte order, as the text will be read.
  const [pair = 0] = new Uint16Array(bytes.slice(offset, offset + 2).buffer);
  if (bucketOf[pair] === 0) bucketOf[pair] = buckets.push([]) - 1;
  buckets[bucketOf[pair] ?? 0]?.push(entry);
  const isLast = offset + 2 === bytes.length;
  const slot = hash(pair, at(isLast ? offset - 1 : offset + 2));
  beside[slot] = (beside[slot] ?? 0) | (isLast ? BEFORE : AFTER);
}

function hash(pair: number, byte: number): number {
  return (pair + byte * 2533) & 0xffff;
}

function stands(bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < bytes.length; at++) if (buffer[start + at] !== bytes[at]) return false;
  return true;
}

function latin1Bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "latin1"));
}

function rarestPair(literal: string, parity: number): number {
  let best = parity;
  for (let at = parity; at + 1 < literal.length; at += 2) if (rarity(literal, at) > rarity(literal, best)) best = at;
  return best;
}

function rarity(literal: string, at: number): number {
  const pair = literal.slice(at, at + 2);
  if (COMMON_PAIRS.includes(pair)) return 0;
  const [first = 40, second = 40] = [...pair]
    .map((character) => BY_FREQUENCY.indexOf(character))
    .map((place) => (place === -1 ? 40 : place));
  return first + second;
}
