/**
 * Decides whether a text is about a topic from its beginning: the path and the first lines, which state a file's
 * purpose. Whole files would match everything. Cosine similarity and the topic's own words count together.
 *
 * The threshold was measured on twelve topics against the files of dex itself: precision 0.72, recall 0.41
 * (docs/internals/quality/decisions.md has the other thresholds).
 */
import { hasModel, modelPath } from "../../embedding/locate.ts";
import type { StaticEmbedder } from "../../embedding/static.ts";
import { Analyser, SMALL_CAPACITY } from "../../text/terms/analyser.ts";

/** The part of a text that is compared with a topic. */
export const MAX_TOPIC_TEXT_CHARS = 300;
const WORDS_WEIGHT = 0.2;
const THRESHOLD = 0.4;

export class Topics {
  readonly #analyser = new Analyser(SMALL_CAPACITY);
  readonly #topics = new Map<string, { words: readonly string[]; vector: Float32Array | undefined }>();
  #embedder: StaticEmbedder | undefined;

  /** Without the embedding model, a text must contain all words of the topic. */
  static async open(): Promise<Topics> {
    const topics = new Topics();
    if (!hasModel()) return topics;
    const { StaticEmbedder } = await import("../../embedding/static.ts");
    topics.#embedder = new StaticEmbedder(modelPath());
    return topics;
  }

  isAbout(text: string, topic: string): boolean {
    const { words, vector } = this.#known(topic);
    const beginning = text.slice(0, MAX_TOPIC_TEXT_CHARS);
    const there = new Set(this.#analyser.words(beginning));
    const share = words.length === 0 ? 0 : words.filter((word) => there.has(word)).length / words.length;
    if (share === 1) return true;
    const own = vector && this.#embedder?.embed(beginning);
    return own !== undefined && dot(own, vector) + WORDS_WEIGHT * share >= THRESHOLD;
  }

  close(): void {
    this.#embedder?.close();
    this.#embedder = undefined;
  }

  #known(topic: string): { words: readonly string[]; vector: Float32Array | undefined } {
    let known = this.#topics.get(topic);
    if (!known) {
      known = { words: [...new Set(this.#analyser.words(topic))], vector: this.#embedder?.embed(topic) };
      this.#topics.set(topic, known);
    }
    return known;
  }
}

function dot(a: Float32Array, b: Float32Array | undefined): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b?.[i] ?? 0);
  return sum;
}
