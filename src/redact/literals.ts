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
/** Called for each long word (letters, digits, `_`, `-`) with a place inside it. */
type VisitWord = (inside: number) => void;

interface Entry {
  literal: number;
  /** How far the registered pair lies inside the literal. */
  offset: number;
  bytes: Uint8Array;
}

interface PairTable {
  /** For every pair of bytes the number of its bucket, 0 for none. */
  bucketOf: Uint16Array;
  /** For every pair of bytes whether it belongs to a literal and whether it can stand in a word: small, so that it stays cached. */
  marks: Uint8Array;
  buckets: Entry[][];
  /** By a hash of pair and byte: 1 where the byte may stand after the pair, 2 where it may stand before it. */
  beside: Uint8Array;
}

const CHUNK = 1 << 16;
/** What two chunks share, and the empty margin before the text; no literal may be longer. */
const MARGIN = 64;
/** Every word of at least twice this length is met. */
const STRIDE = 20;
/** Words shorter than this are not reported. */
const MIN_WORD = 40;
/** How far from its start a token with a prefix has its first `_` or `-`. */
const LONGEST_NAME = 12;
const DASH = 45;
const UNDERSCORE = 95;
const KNOWN = 1;
const IN_WORD = 2;
const AFTER = 1;
const BEFORE = 2;
/** Letters by falling frequency; capitals, digits and most signs are rarer than any of them. */
const BY_FREQUENCY = " etaoinsrlcdpumhgfyb.wkv-_,";
/** The commonest pairs of transcripts and code, by falling frequency. */
const COMMON_PAIRS =
  '  |er|re|in|es|":|en|on|e |st|nt|te|at|ti|se|,"|or|de|, |to|t | t|",|co|th|it|n |an|s |al|ta|he| s|:"|' +
  "me|io| a|ar|ro|ng|ec|ns|ge|pe| c|ut|: |il|ed|le|d |et|ri|r |tr|nd|ou|ce|nc| r|ur|ll|ol|ch|ma| f|ra|ss|" +
  'ac| i|ex| e|as|ea|ct|pa|si|la|is|li|ve|e"|ts|us|om|= |un|ag| p|id|rs|pu|ca|gi|lo|"t|so|s/|rr|ke|ry|ad|' +
  'fi|d"|oo|pr|l |am| 1|ha|im|po|od|na|s"|ir|mp|tu|rn|ty|pl|if|ne|"c|ul| o|/s|ok|su|yp|cl|ck|_t|o |sh| n|' +
  ' d|go| w|t_|y |f |Re|--|ef|ai|ls|em|ot| b| m|g |di|sp|"s|fo|rt|mm|- |op| "|t"|t.|ep|ni|el|ic|s.|h |oc|' +
  "lu|ab|um| =|/g|vi| -|rc|au|ue|ru|. |da|tp|yn|fa|mo|no| l|ow|ud|ap|ev|sa|Co| u|e-|lt|xt|_i|do|sy|ba|Us|" +
  'np|l_|pt|e_| :|"e|ho|rg|/p|va|cr|mi|:=|n"|sk|tc|ov|rk|fe|ki|ly|t/|xp|Pr|n-|hi|ie|up|t-|a |be';
const PAIR_RANK = new Map(COMMON_PAIRS.split("|").map((pair, rank) => [pair, rank]));
/** Pairs beyond the common ones are rarer than any of them. */
const UNCOMMON = 1000;

const buffer = new Uint8Array(MARGIN + CHUNK + MARGIN);
const writer = Buffer.from(buffer.buffer);
const pairs = new Uint16Array(buffer.buffer);
const inWord = new Uint8Array(256);
for (let code = 0; code < 128; code++) inWord[code] = /[A-Za-z0-9_-]/.test(String.fromCharCode(code)) ? 1 : 0;
/** A reader for these literals. All must be Latin text of 3 to 64 characters. Not to be re-entered from `visit`. */
export function literalScanner(
  literals: readonly string[],
): (text: string, visit: Visit, visitWord: VisitWord) => void {
  const { bucketOf, marks, buckets, beside } = pairTable(literals);

  return (text, visit, visitWord) => {
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
        if (((marks[pair] ?? 0) & KNOWN) === 0) {
          // Three more at once: most pairs belong to no literal.
          const next =
            (marks[pairs[at + 1] ?? 0] ?? 0) | (marks[pairs[at + 2] ?? 0] ?? 0) | (marks[pairs[at + 3] ?? 0] ?? 0);
          if ((next & KNOWN) === 0) at += 3;
          continue;
        }
        const place = at * 2;
        const after = (beside[hash(pair, buffer[place + 2] ?? 0)] ?? 0) & AFTER;
        const before = (beside[hash(pair, buffer[place - 1] ?? 0)] ?? 0) & BEFORE;
        if (after + before === 0) continue;
        for (const { literal, offset, bytes } of buckets[bucketOf[pair] ?? 0] ?? []) {
          const start = place - offset - MARGIN;
          // A literal that starts in the shared end is met again in the next chunk.
          if (start < 0 || start >= limit || from + start < resume || !stands(bytes, start + MARGIN)) continue;
          resume = Math.max(resume, visit(literal, from + start));
        }
      }
      if (length >= MIN_WORD) longWords(marks, length, from, last, visitWord);
      if (last) return;
    }
  };
}

/** Meets the long words of a chunk: looks at every twentieth character, and closer only where it must. */
function longWords(marks: Uint8Array, length: number, from: number, last: boolean, visit: VisitWord): void {
  const limit = MARGIN + length;
  const stop = limit - STRIDE / 2;
  let at = MARGIN + STRIDE;
  while (at < stop) {
    if (!isDeepInWord(marks, at)) {
      at += STRIDE;
      continue;
    }
    let start = at;
    while (start > MARGIN && isInWord(start - 1)) start--;
    let end = at + 1;
    while (end < limit && isInWord(end)) end++;
    // A word at the edge between two chunks is cut here; the visitor sees it whole.
    const cut = (start === MARGIN && from > 0) || (end === limit && !last);
    if (cut || (end - start >= MIN_WORD && mayBeToken(start, end))) visit(from + at - MARGIN);
    // Even, as pairs are read.
    at = (end + STRIDE) & ~1;
  }
}

/** Whether five pairs around this even place are in a word: one decision for all, because a processor guesses each wrongly. */
function isDeepInWord(marks: Uint8Array, at: number): boolean {
  const pair = at >> 1;
  const near = (marks[pairs[pair] ?? 0] ?? 0) & (marks[pairs[pair - 2] ?? 0] ?? 0) & (marks[pairs[pair + 2] ?? 0] ?? 0);
  return (near & (marks[pairs[pair - 4] ?? 0] ?? 0) & (marks[pairs[pair + 4] ?? 0] ?? 0) & IN_WORD) !== 0;
}

function isInWord(at: number): boolean {
  return inWord[buffer[at] ?? 0] === 1;
}

/** Whether a word has what a token with a prefix has: a `_` or `-` early on, capitals and digits. */
function mayBeToken(start: number, end: number): boolean {
  let separated = false;
  for (let at = start + 1; at <= start + LONGEST_NAME && !separated; at++)
    separated = buffer[at] === DASH || buffer[at] === UNDERSCORE;
  if (!separated) return false;
  let capitals = 0;
  let digits = 0;
  for (let at = start; at < end; at++) {
    const code = buffer[at] ?? 0;
    if (code >= 48 && code <= 57) digits++;
    else if (code >= 65 && code <= 90) capitals++;
  }
  return capitals > 1 && digits > 1;
}

function pairTable(literals: readonly string[]): PairTable {
  const table: PairTable = {
    bucketOf: new Uint16Array(1 << 16),
    marks: wordMarks(),
    buckets: [[]],
    beside: new Uint8Array(1 << 16),
  };
  for (const [literal, text] of literals.entries()) {
    if (text.length < 3 || text.length > MARGIN) throw new RangeError(`not a literal to scan for: ${text}`);
    for (const parity of [0, 1])
      register(table, { literal, offset: rarestPair(text, parity), bytes: latin1Bytes(text) });
  }
  return table;
}

function wordMarks(): Uint8Array {
  return new Uint8Array(1 << 16).map((_, pair) => (inWord[pair & 255] === 1 && inWord[pair >> 8] === 1 ? IN_WORD : 0));
}

function register({ bucketOf, marks, buckets, beside }: PairTable, entry: Entry): void {
  const { bytes, offset } = entry;
  const at = (index: number) => bytes[index] ?? 0;
  // In the machine's own byte order, as the text will be read.
  const [pair = 0] = new Uint16Array(bytes.slice(offset, offset + 2).buffer);
  if (bucketOf[pair] === 0) bucketOf[pair] = buckets.push([]) - 1;
  marks[pair] = (marks[pair] ?? 0) | KNOWN;
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
  const rank = PAIR_RANK.get(pair);
  if (rank !== undefined) return rank;
  const [first = 40, second = 40] = [...pair]
    .map((character) => BY_FREQUENCY.indexOf(character))
    .map((place) => (place === -1 ? 40 : place));
  return UNCOMMON + first + second;
}
