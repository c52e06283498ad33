/** How well a passage matches a question, as a few figures between 0 and 1 that can be explained one by one. */
import { Analyser, SMALL_CAPACITY } from "../../text/analyser.ts";
import type { ReadPassage } from "../passage.ts";
import { unitsOf } from "../quoting/blocks.ts";
import { significantTerms, termsOf } from "../terms.ts";
import { type Asked, covered, type WordModel } from "./asked.ts";

export interface Match {
  /** The search score relative to the best one. */
  score: number;
  /** The share of the question that one sentence, item, row or code block covers by itself, */
  own: number;
  /** and with the headings above it. */
  unit: number;
  /** The share that the whole passage covers, where a word of similar meaning counts in part. */
  meaning: number;
  /** Half of the share that one unit covers with its heading, half of the neighbouring words that are close in it. */
  closeness: number;
  /** The share of the section's heading that is in the question. */
  heading: number;
  /** Cosine of the question and the nearest unit. */
  cosine: number;
}

/** Neighbouring words of the question may be this many words apart in a text. */
const MAX_DISTANCE_WORDS = 5;
/** Cosines of two words below which they have nothing in common, and above which they mean the same. */
const MIN_WORD_COSINE = 0.3;
const MAX_WORD_COSINE = 0.8;
/** Units and words of a passage that are compared, at most. */
const MAX_UNITS = 300;
const MAX_WORDS = 2000;

const analyser = new Analyser(SMALL_CAPACITY);

export function matchOf(asked: Asked, passage: ReadPassage, best: number): Match {
  const { title, section = "", text, score = 0 } = passage;
  const name = section.split(" > ").at(-1) ?? "";
  const above = termsOf(`${title}\n${section}`);
  const ownHeading = significantTerms(name === "" ? title : name);
  const heading = new Set(ownHeading);
  const units = unitsOf(text)
    .slice(0, MAX_UNITS)
    .map((unit) => ({ text: unit.text, terms: termsOf(unit.text) }));
  const vector = asked.model?.embed(asked.query);
  const most = (figure: (unit: { text: string; terms: Set<string> }) => number): number =>
    units.reduce((largest, unit) => Math.max(largest, figure(unit)), 0);
  return {
    score: best > 0 ? Math.max(0, score) / best : 0,
    own: most(({ terms }) => covered(asked, terms)),
    unit: most(({ terms }) => covered(asked, new Set([...terms, ...above]))),
    meaning: meaningOf(asked, `${title}\n${section}\n${text}`),
    closeness: most(
      (unit) => (closePairs(asked, `${name}. ${unit.text}`) + covered(asked, new Set([...unit.terms, ...heading]))) / 2,
    ),
    heading:
      ownHeading.length === 0
        ? 0
        : ownHeading.filter((term) => asked.terms.some((each) => each.term === term)).length / ownHeading.length,
    cosine: vector ? most(({ text }) => dot(vector, asked.model?.embed(text))) : 0,
  };
}

/** The share of neighbouring words of the question that are close to each other in a text. */
function closePairs({ terms }: Asked, text: string): number {
  const places = placesOf(text, new Set(terms.map(({ term }) => term)));
  let all = 0;
  let close = 0;
  for (let i = 0; i + 1 < terms.length; i += 1) {
    const [first, second] = [terms[i], terms[i + 1]];
    if (!first || !second) continue;
    const weight = Math.min(first.weight, second.weight);
    all += weight;
    if (areClose(places.get(first.term), places.get(second.term))) close += weight;
  }
  return all === 0 ? 1 : close / all;
}

function placesOf(text: string, wanted: ReadonlySet<string>): Map<string, number[]> {
  analyser.trim();
  const places = new Map<string, number[]>();
  for (const [at, term] of analyser.words(text).entries()) {
    if (!wanted.has(term)) continue;
    const known = places.get(term);
    if (known) known.push(at);
    else places.set(term, [at]);
  }
  return places;
}

/** Both lists ascend. */
function areClose(first: readonly number[] = [], second: readonly number[] = []): boolean {
  let at = 0;
  for (const place of first) {
    while (at < second.length && (second[at] as number) < place - MAX_DISTANCE_WORDS) at += 1;
    if (at < second.length && (second[at] as number) <= place + MAX_DISTANCE_WORDS) return true;
  }
  return false;
}

function meaningOf(asked: Asked, text: string): number {
  const held = termsOf(text);
  const { terms, total, model } = asked;
  if (total === 0) return 0;
  const missing = terms.filter(({ term }) => !held.has(term));
  let sum = terms.reduce((all, { term, weight }) => all + (held.has(term) ? weight : 0), 0);
  if (model && missing.length > 0) {
    const words = [...new Set(text.toLowerCase().match(/[a-z]{3,40}/g) ?? [])].slice(0, MAX_WORDS);
    const vectors = words.map((word) => wordVector(model, word));
    for (const { word, weight } of missing) sum += weight * nearest(wordVector(model, word), vectors);
  }
  return sum / total;
}

function nearest(vector: Float32Array | undefined, vectors: readonly (Float32Array | undefined)[]): number {
  if (!vector) return 0;
  const best = vectors.reduce((most, each) => Math.max(most, dot(vector, each)), 0);
  return Math.max(0, Math.min(1, (best - MIN_WORD_COSINE) / (MAX_WORD_COSINE - MIN_WORD_COSINE)));
}

const MAX_CACHED_WORDS = 20_000;
const wordVectors = new WeakMap<WordModel, Map<string, Float32Array | undefined>>();

function wordVector(model: WordModel, word: string): Float32Array | undefined {
  let known = wordVectors.get(model);
  if (!known || known.size > MAX_CACHED_WORDS) {
    known = new Map();
    wordVectors.set(model, known);
  }
  if (!known.has(word)) known.set(word, model.embed(word));
  return known.get(word);
}

function dot(a: Float32Array, b: Float32Array | undefined): number {
  if (!b) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
