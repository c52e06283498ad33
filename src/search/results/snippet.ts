/**
 * The part of a text that shows why it was found: a window around the densest cluster of the query's words.
 *
 * A word counts if it, or a part of it (`getUserById`), begins with a term or with the term's stem. So matches that the
 * index found by stemming and splitting are shown too. One pass over the text, at any length.
 */
import { patternFor } from "../../text/patterns.ts";
import { cjkPairs } from "../../text/terms/forms.ts";
import { cutOut } from "./cut_out.ts";

interface Term {
  folded: string;
  stem: string;
  /** From a script without spaces: it may match anywhere in a run. */
  spaceless: boolean;
}

interface Hit {
  start: number;
  end: number;
  term: number;
}

const SPACELESS = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc`;

/** Created on first use: V8 takes a millisecond to compile these character classes, and few hooks need them. */
let patterns: { run: RegExp; spacelessStart: RegExp } | undefined;

function patternsOfRuns(): { run: RegExp; spacelessStart: RegExp } {
  patterns ??= {
    run: new RegExp(`[${SPACELESS}]+|[[\\p{L}\\p{N}\\p{M}]--[${SPACELESS}]]+`, "gv"),
    spacelessStart: new RegExp(`^[${SPACELESS}]`, "v"),
  };
  return patterns;
}

/** Where a piece of an identifier begins: `aB`, and `HTTPServer` before the S. */
const PIECE_START = patternFor(String.raw`(?<=[\p{Ll}\p{N}])\p{Lu}|(?<=\p{Lu})\p{Lu}(?=\p{Ll})`, "g");
/** ASCII, plus the punctuation, arrows, lines, symbols and halves of emoji that occur in otherwise ASCII texts. */
const PLAIN = String.raw`\0-\x7f\xa0-\xa9\xab-\xb1\xb6-\xb8\u2010-\u2027\u2030-\u205e\u2190-\u23ff\u2500-\u2775\u2794-\u2bff\ufffd\ud83c-\ud83e\udc00-\udfff`;
const EMOJI_DIGIT = String.raw`\ud83c[\udd00-\udd0c]|\ud83e[\udff0-\udff9]`;
/**
 * Variation selectors: they select a form of the symbol before them; after a letter or digit, they belong to the word.
 */
const FORMS = String.raw`\ufe00-\ufe0f`;
const NOT_PLAIN = new RegExp(`[^${PLAIN}${FORMS}]|${EMOJI_DIGIT}|[${FORMS}](?=[A-Za-z0-9])|(?<=[A-Za-z0-9])[${FORMS}]`);
const PLAIN_RUN = /[A-Za-z0-9]+/g;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** The kind of each ASCII character: 0 outside words. */
const PLAIN_KINDS = new Uint8Array(128).fill(DIGIT, 48, 58).fill(UPPER, 65, 91).fill(LOWER, 97, 123);

function kindOf(code: number): number {
  return code < 128 ? (PLAIN_KINDS[code] as number) : 0;
}

/** Turns a capital letter into a small one; digits already have this bit. */
const LOWER_BIT = 0x20;
const ASCII_ONLY = /^[\x20-\x7e]*$/;
/** Longer words are hashes or encoded data; only their beginning is compared. */
const MAX_WORD_CHARS = 100;

export function makeSnippet(text: string, terms: readonly string[], length = 300): string {
  const whole = text.length <= MAX_EXACT_CHARS;
  const near = whole ? text : narrow(text, terms, length);
  const flat = flattened(near).trim();
  if (flat.length <= length) return flat;
  const hits = findHits(flat, prepare(terms));
  if (hits.length === 0) return cutOut(flat, 0, length, 0, 0);
  const { from, to } = densest(hits, length);
  const first = hits[from]?.start ?? 0;
  const last = hits[to]?.end ?? first;
  // Shows a little more text after the words than before: the text after a match explains it more often.
  const spare = Math.max(0, length - (last - first));
  const start = Math.max(0, Math.min(first - Math.floor(spare * 0.4), flat.length - length));
  return cutOut(flat, start, length, first, last);
}

/** The same around a known place, where the typed text is. */
export function snippetAround(text: string, from: number, to: number, length = 300): string {
  const before = flattened(text.slice(Math.max(0, from - 4 * length), from)).trimStart();
  const inside = flattened(text.slice(from, to));
  const whole = before + inside + flattened(text.slice(to, to + 4 * length)).trimEnd();
  if (whole.length <= length) return whole;
  const spare = Math.max(0, length - inside.length);
  const start = Math.max(0, Math.min(before.length - Math.floor(spare * 0.4), whole.length - length));
  return cutOut(whole, start, length, before.length, before.length + inside.length);
}

/** Replaces every run of white space by one space, skipping single spaces. */
function flattened(text: string): string {
  return text.replace(/[^\S ]\s*| \s+/g, " ");
}

/** Longer texts are first narrowed by an approximate search. */
const MAX_EXACT_CHARS = 3072;
const MAX_PLACES = 5000;

const NO_WORD = patternFor(String.raw`[^\p{L}\p{N}]`, "g");

/** The range with most of the words, by a fast approximate search. */
function narrow(text: string, terms: readonly string[], length: number): string {
  const stems = prepare(terms).map(({ stem }) => stem.replace(NO_WORD(stem), ""));
  const words = [...new Set(stems)].filter((stem) => stem !== "");
  if (words.length === 0) return text.slice(0, MAX_EXACT_CHARS);
  const places: Hit[] = [];
  for (const match of text.matchAll(new RegExp(words.join("|"), "gi"))) {
    const start = match.index;
    places.push({ start, end: start + match[0].length, term: words.indexOf(match[0].toLowerCase()) });
    if (places.length >= MAX_PLACES) break;
  }
  if (places.length === 0) return text;
  const { from, to } = densest(places, length);
  const start = Math.max(0, (places[from]?.start ?? 0) - MAX_EXACT_CHARS / 4);
  return text.slice(start, (places[to]?.end ?? start) + MAX_EXACT_CHARS / 4);
}

/** The ranges of matched words in a line, in order and without overlap. */
export function matchesIn(line: string, terms: readonly string[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (const { start, end } of findHits(line, prepare(terms)).sort((a, b) => a.start - b.start)) {
    const last = found.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else found.push({ start, end });
  }
  return found;
}

/** Cached, because all snippets of an answer have the same terms. */
let last: { terms: string; prepared: Term[] } | undefined;

function prepare(terms: readonly string[]): readonly Term[] {
  const key = terms.join("\n");
  if (last?.terms !== key) last = { terms: key, prepared: prepared(terms) };
  return last.prepared;
}

function prepared(terms: readonly string[]): Term[] {
  const prepared = new Map<string, Term>();
  for (const word of terms.flatMap(
    (term) => term.match(NOT_PLAIN.test(term) ? patternsOfRuns().run : PLAIN_RUN) ?? [],
  )) {
    if (NOT_PLAIN.test(word) && patternsOfRuns().spacelessStart.test(word)) {
      for (const folded of [word, ...cjkPairs(word)]) prepared.set(folded, { folded, stem: folded, spaceless: true });
    } else {
      const folded = fold(word);
      prepared.set(folded, { folded, stem: stemOf(folded), spaceless: false });
    }
  }
  return [...prepared.values()];
}

/** The word in lower case, without accents, and with full-width letters replaced. */
function fold(word: string): string {
  if (ASCII_ONLY.test(word)) return word.toLowerCase();
  return word
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}

const SUFFIX = /(?:ational|ations?|ings?|ers?|ies|ied|ily|ed|es|ly|ment|ments|s|e|y)$/;

/** The word without its ending, when four letters or more remain; else the word. */
function stemOf(word: string): string {
  const stem = word.replace(SUFFIX, "");
  return stem.length >= 4 ? stem : word;
}

function findHits(text: string, terms: readonly Term[]): Hit[] {
  if (!NOT_PLAIN.test(text)) return findPlainHits(text, terms);
  const hits: Hit[] = [];
  const initials = new Set(terms.map(({ folded }) => folded[0] ?? ""));
  const spaceless = terms.some((term) => term.spaceless);
  const patternsOf = patternsOfRuns();
  for (const { 0: run, index } of text.matchAll(patternsOf.run)) {
    if (run.charCodeAt(0) > 0x7f && patternsOf.spacelessStart.test(run)) {
      if (spaceless) addInside(hits, run, index, terms);
      continue;
    }
    const word = run.length > MAX_WORD_CHARS ? run.slice(0, MAX_WORD_CHARS) : run;
    addAt(hits, word, 0, index, terms, initials);
    if (word.length < 3 || word === word.toLowerCase()) continue;
    for (const piece of word.matchAll(PIECE_START(word))) addAt(hits, word, piece.index, index, terms, initials);
  }
  return hits;
}

/**
 * The same for ASCII letters, as in most texts: one loop over the characters, which does not extract a word unless some
 * term begins like it.
 */
function findPlainHits(text: string, terms: readonly Term[]): Hit[] {
  const hits: Hit[] = [];
  const initials = new Uint8Array(128);
  for (const { folded } of terms) if (folded.charCodeAt(0) < 128) initials[folded.charCodeAt(0)] = 1;
  const add = (from: number, to: number): void => {
    const folded = text.slice(from, to).toLowerCase();
    for (let i = 0; i < terms.length; i += 1) {
      const { spaceless, folded: term, stem } = terms[i] as Term;
      if (spaceless || !(folded.startsWith(term) || folded.startsWith(stem))) continue;
      hits.push({ start: from, end: to, term: i });
    }
  };
  for (let at = 0; at < text.length; at += 1) {
    let kind = kindOf(text.charCodeAt(at));
    if (kind === 0) continue;
    const start = at;
    let hasUpper = false;
    while (kind !== 0) {
      hasUpper ||= kind === UPPER;
      at += 1;
      kind = at < text.length ? kindOf(text.charCodeAt(at)) : 0;
    }
    const end = Math.min(at, start + MAX_WORD_CHARS);
    if (initials[text.charCodeAt(start) | LOWER_BIT] === 1) add(start, end);
    if (!hasUpper || end - start < 3) continue;
    for (let piece = start + 1; piece < end; piece += 1) {
      if (kindOf(text.charCodeAt(piece)) !== UPPER || initials[text.charCodeAt(piece) | LOWER_BIT] === 0) continue;
      const isAfterUpper = kindOf(text.charCodeAt(piece - 1)) === UPPER;
      const isBeforeLower = piece + 1 < end && kindOf(text.charCodeAt(piece + 1)) === LOWER;
      if (!isAfterUpper || isBeforeLower) add(piece, end);
    }
  }
  return hits;
}

/** Adds hits for the terms that the word starts with, read from offset `from`. */
function addAt(
  hits: Hit[],
  word: string,
  from: number,
  at: number,
  terms: readonly Term[],
  initials: Set<string>,
): void {
  const folded = fold(from === 0 ? word : word.slice(from));
  if (!initials.has(folded[0] ?? "")) return;
  for (const [i, term] of terms.entries()) {
    if (term.spaceless || !(folded.startsWith(term.folded) || folded.startsWith(term.stem))) continue;
    hits.push({ start: at + from, end: at + word.length, term: i });
  }
}

function addInside(hits: Hit[], run: string, at: number, terms: readonly Term[]): void {
  const found: Hit[] = [];
  for (const [i, { folded, spaceless }] of terms.entries()) {
    if (!spaceless) continue;
    for (let place = run.indexOf(folded); place >= 0; place = run.indexOf(folded, place + 1)) {
      found.push({ start: at + place, end: at + place + folded.length, term: i });
    }
  }
  found.sort((a, b) => a.start - b.start);
  for (const hit of found) hits.push(hit);
}

/**
 * The best run of hits within `length` characters: different terms count most, rare ones more than common ones, and
 * repeats a little. The earliest one wins a tie.
 */
function densest(hits: readonly Hit[], length: number): { from: number; to: number } {
  const total = new Map<number, number>();
  for (const { term } of hits) total.set(term, (total.get(term) ?? 0) + 1);
  const weight = (term: number): number => 1 / (1 + Math.log(total.get(term) ?? 1) / 4);
  const inside = new Map<number, number>();
  let score = 0;
  let best = { from: 0, to: 0, score: -1 };
  let from = 0;
  for (let to = 0; to < hits.length; to += 1) {
    const hit = hits[to];
    if (!hit) break;
    const times = inside.get(hit.term) ?? 0;
    inside.set(hit.term, times + 1);
    score += times === 0 ? weight(hit.term) : REPEAT_WEIGHT;
    for (let oldest = hits[from]; oldest && from < to && hit.end - oldest.start > length; oldest = hits[from]) {
      const left = (inside.get(oldest.term) ?? 1) - 1;
      inside.set(oldest.term, left);
      score -= left === 0 ? weight(oldest.term) : REPEAT_WEIGHT;
      from += 1;
    }
    if (score > best.score + 1e-9) best = { from, to, score };
  }
  return best;
}

const REPEAT_WEIGHT = 0.02;
