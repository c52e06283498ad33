/**
 * Tables for `literals.ts`: the pairs of bytes by which several hundred literals are recognised.
 *
 * A literal is recognised by four consecutive bytes, read as two pairs; one byte may be unknown at the start or end of the
 * literal. It has two such windows, because it may start at an even or odd offset. The windows are spread over seven
 * groups, and one number per pair gives the groups in which it is a first or a second pair. Two pairs can only belong to a
 * literal if they share a group, which rejects 97 of 100 offsets in ordinary text. The choice of windows and groups keeps
 * that share high, based on how common the pairs are.
 */

/** One literal at one alignment, recognised by the pairs `first` and `second`. */
interface Window {
  readonly literal: number;
  /** Offset of the first pair in the literal; -1 if the byte before the literal is part of the pair. */
  readonly offset: number;
  readonly first: Pair;
  readonly second: Pair;
  /** Rough frequency of both pairs in ordinary text. */
  readonly frequency: number;
}

/** Two bytes; -1 for one that may be any. */
type Pair = readonly [number, number];

interface Group {
  readonly bit: number;
  readonly firsts: Set<number>;
  readonly seconds: Set<number>;
  firstFrequency: number;
  secondFrequency: number;
}

export interface PairTables {
  /** For every pair: bits 0 to 6, the groups it is a first pair of; bit 7, whether it can stand in a word; bits 8 to 14, the groups it is a second pair of. */
  readonly marks: Uint16Array;
  readonly byFirst: WindowList;
  /** The windows whose first pair is not wholly known, by their second one. */
  readonly bySecond: WindowList;
}

/** Windows by one of their pairs, as the loop in wasm/literals.ts reads them. */
interface WindowList {
  /** For every pair the number of its list, 0 for none; list n is from `ends[n - 1]` up to `ends[n]`. */
  readonly listOf: Uint16Array;
  readonly ends: Uint16Array;
  /** Four numbers of each window: the other pair, which of its bits are known, the literal, and the offset. */
  readonly windows: Uint16Array;
}

/** The bit of `marks` for pairs of letters, digits, `_` and `-`. */
const IN_WORD = 1 << 7;
const GROUPS = 7;
const MIN_LITERAL_CHARS = 3;
/** Characters by falling frequency in transcripts and code; those that are missing are rarer. */
const BY_FREQUENCY = ' etsaronicldu-pmgh/.f0b12":vy,4k6w385()97`x=CTS_RAPEI';
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
/** Pairs beyond the common ones are rarer than this. */
const MAX_UNCOMMON = 0.0008;

/** All literals must be Latin text of 3 to `longest` characters. */
export function pairTables(literals: readonly string[], longest: number): PairTables {
  const windows = literals.flatMap((text, literal) => {
    if (text.length < MIN_LITERAL_CHARS || text.length > longest)
      throw new RangeError(`not a literal to scan for: ${text}`);
    return [rarestWindow(literal, text, 0), rarestWindow(literal, text, 1)];
  });
  const marks = new Uint16Array(1 << 16).map((_, pair) => (inWord(pair & 255) && inWord(pair >> 8) ? IN_WORD : 0));
  const groups = Array.from({ length: GROUPS }, (_, index) => newGroup(1 << index));
  // The commonest first, while the groups are still empty.
  for (const window of windows.toSorted((one, other) => other.frequency - one.frequency)) {
    const bit = join(groups, window);
    mark(marks, window.first, bit);
    mark(marks, window.second, bit << 8);
  }
  return {
    marks,
    byFirst: windowList(
      windows.filter(({ first }) => isKnown(first)),
      ({ first, second }) => [first, second],
    ),
    bySecond: windowList(
      windows.filter(({ first }) => !isKnown(first)),
      ({ first, second }) => [second, first],
    ),
  };
}

function windowList(windows: readonly Window[], pairsOf: (window: Window) => [key: Pair, other: Pair]): WindowList {
  const lists = new Map<number, Window[]>();
  for (const window of windows) {
    const key = numberOf(pairsOf(window)[0]);
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [window]);
    else list.push(window);
  }
  const ordered = [...lists.values()].flat();
  const listOf = new Uint16Array(1 << 16);
  const ends = [0];
  for (const [key, list] of lists) listOf[key] = ends.push((ends.at(-1) ?? 0) + list.length) - 1;
  const numbers = ordered.flatMap((window) => {
    const [one, other] = pairsOf(window)[1];
    const known = numberOf([one < 0 ? 0 : 255, other < 0 ? 0 : 255]);
    return [numberOf([Math.max(one, 0), Math.max(other, 0)]), known, window.literal, window.offset];
  });
  return { listOf, ends: Uint16Array.from(ends), windows: Uint16Array.from(numbers) };
}

function isKnown([one, other]: Pair): boolean {
  return one >= 0 && other >= 0;
}

/** Letters, digits, `_` and `-`. */
export function inWord(code: number): boolean {
  if (code >= 97) return code <= 122;
  if (code >= 65) return code <= 90 || code === 95;
  return (code >= 48 && code <= 57) || code === 45;
}

function rarestWindow(literal: number, text: string, parity: number): Window {
  const at = (index: number) => (index >= 0 && index < text.length ? text.charCodeAt(index) : -1);
  let best: Window | undefined;
  for (let offset = -parity; offset + 2 < text.length; offset += 2) {
    const first: Pair = [at(offset), at(offset + 1)];
    const second: Pair = [at(offset + 2), at(offset + 3)];
    const frequency = pairFrequency(first) * pairFrequency(second);
    if (best === undefined || frequency < best.frequency) best = { literal, offset, first, second, frequency };
  }
  if (best === undefined) throw new RangeError("not a literal to scan for");
  return best;
}

function newGroup(bit: number): Group {
  return { bit, firsts: new Set(), seconds: new Set(), firstFrequency: 0, secondFrequency: 0 };
}

/** Adds the pairs to the group where they add the fewest false positives; returns its bit. */
function join(groups: readonly Group[], { first, second }: Window): number {
  const [firstKey, secondKey] = [keyOf(first), keyOf(second)];
  const [firstFrequency, secondFrequency] = [pairFrequency(first), pairFrequency(second)];
  let best: Group | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const group of groups) {
    const firsts = group.firstFrequency + (group.firsts.has(firstKey) ? 0 : firstFrequency);
    const seconds = group.secondFrequency + (group.seconds.has(secondKey) ? 0 : secondFrequency);
    const more = firsts * seconds - group.firstFrequency * group.secondFrequency;
    if (more >= least) continue;
    least = more;
    best = group;
  }
  if (best === undefined) throw new RangeError("no group");
  if (!best.firsts.has(firstKey)) best.firstFrequency += firstFrequency;
  if (!best.seconds.has(secondKey)) best.secondFrequency += secondFrequency;
  best.firsts.add(firstKey);
  best.seconds.add(secondKey);
  return best.bit;
}

function mark(marks: Uint16Array, pair: Pair, bits: number): void {
  const choices = isKnown(pair) ? 1 : 256;
  for (let any = 0; any < choices; any++) {
    const number = numberOf(pair[0] === -1 ? [any, pair[1]] : pair[1] === -1 ? [pair[0], any] : pair);
    marks[number] = (marks[number] ?? 0) | bits;
  }
}

/** The pair as WebAssembly reads it. */
function numberOf([one, other]: Pair): number {
  return one | (other << 8);
}

function keyOf([one, other]: Pair): number {
  return (one + 1) * 257 + other + 1;
}

/** A rough share of the pairs of ordinary text. */
function pairFrequency([one, other]: Pair): number {
  if (one === -1) return byteFrequency(other);
  if (other === -1) return byteFrequency(one);
  const rank = PAIR_RANK.get(String.fromCharCode(one, other));
  if (rank !== undefined) return 0.02 / (1 + rank / 10);
  return Math.min(byteFrequency(one) * byteFrequency(other), MAX_UNCOMMON);
}

function byteFrequency(byte: number): number {
  const place = BY_FREQUENCY.indexOf(String.fromCharCode(byte));
  return place === -1 ? 0.002 : 0.1 / (1 + place / 4);
}
