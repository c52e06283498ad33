/**
 * The part of a digest that needs an analyser and a model: what is in the texts of a document. A pure function of them:
 * every sync, in any thread, gives the same.
 */
import { constants, zstdCompressSync } from "node:zlib";
import { MAX_WINDOWS, StaticEmbedder } from "../../embedding/static.ts";
import type { VectorModel } from "../../ranking/query.ts";
import { WEIGHT_UNIT } from "../../ranking/terms/postings.ts";
import { Analyser } from "../../text/analyser.ts";
import { uninterrupted } from "../../threads/uninterrupted.ts";
import { estimateTokens } from "../../tokens/estimate.ts";
import { CodeBuffer } from "../../vectors/quantise.ts";
import { aboutOf, CHUNK_COUNTS, type DocumentTexts, embedded, type TextDigest } from "./texts.ts";

/** The checksum detects flipped bits in a stored text. */
const WITH_CHECKSUM = { [constants.ZSTD_c_checksumFlag]: 1 };

/** Headings say more about a chunk's subject than most of its words. */
const TEXT_WEIGHT = WEIGHT_UNIT;
const HEADING_WEIGHT = 2 * WEIGHT_UNIT;
const TITLE_WEIGHT = 2 * WEIGHT_UNIT;
const NAME_WEIGHT = WEIGHT_UNIT;

export class TextDigester {
  readonly #analyser: Analyser;
  readonly #embedder: StaticEmbedder | undefined;
  readonly #codes: CodeBuffer | undefined;

  /** `model`: file of the static model; undefined: no vectors. `capacity`: how many terms the analyser remembers. */
  constructor(model: string | undefined, capacity?: number) {
    this.#analyser = new Analyser(capacity);
    if (model === undefined) return;
    this.#embedder = new StaticEmbedder(model);
    this.#codes = new CodeBuffer(this.#embedder.dims, MAX_WINDOWS, false);
  }

  get model(): VectorModel | undefined {
    return this.#embedder && { name: this.#embedder.name, dims: this.#embedder.dims };
  }

  /** The text of a term by its number in the last digest. The list may grow; existing entries stay. */
  get names(): readonly string[] {
    return this.#analyser.terms;
  }

  digest(texts: DocumentTexts): TextDigest {
    // The list of terms may only be reset between documents.
    this.#analyser.trim();
    this.#codes?.clear();
    const { text, sections, headings } = texts;
    const tokens = new Int32Array(sections.length / 2);
    for (let i = 0; i < tokens.length; i += 1) {
      tokens[i] = estimateTokens(text.slice(sections[i * 2], sections[i * 2 + 1]));
    }
    const chunks = new Int32Array(headings.length * CHUNK_COUNTS);
    const terms: Uint32Array[] = [];
    for (let chunk = 0; chunk < headings.length; chunk += 1) {
      const own = textOf(texts, chunk);
      const { length, terms: counted } = this.#analyse(texts, chunk, own);
      terms.push(counted);
      chunks[chunk * CHUNK_COUNTS] = length;
      chunks[chunk * CHUNK_COUNTS + 1] = counted.length;
      chunks[chunk * CHUNK_COUNTS + 2] = this.#embed(texts, chunk, own);
    }
    return {
      tokens: estimateTokens(text),
      text: uninterrupted(() => zstdCompressSync(text, { params: WITH_CHECKSUM })),
      sections: tokens,
      chunks,
      terms: joined(terms),
      vectors: this.#codes ? this.#codes.rows.slice(0, this.#codes.count * this.#codes.dims) : new Int8Array(),
    };
  }

  #analyse(texts: DocumentTexts, chunk: number, own: string): ReturnType<Analyser["finish"]> {
    const headings = texts.headings[chunk] as string;
    this.#analyser.add(texts.title, TITLE_WEIGHT);
    if (texts.name !== "") this.#analyser.add(texts.name, NAME_WEIGHT);
    if (headings !== "") this.#analyser.add(headings, HEADING_WEIGHT);
    this.#analyser.add(`${aboutOf(texts, chunk)}${own}`, TEXT_WEIGHT);
    return this.#analyser.finish();
  }

  /** Adds the chunk's vectors and returns the length of their rows. */
  #embed(texts: DocumentTexts, chunk: number, own: string): number {
    if (!this.#embedder || !this.#codes) return 0;
    const { title, headings } = texts;
    const text = embedded(title, headings[chunk] as string, aboutOf(texts, chunk), own);
    return this.#embedder.encode(text, MAX_WINDOWS, this.#codes) * this.#embedder.dims;
  }
}

function textOf({ text, chunks, others }: DocumentTexts, chunk: number): string {
  const start = chunks[chunk * 2] as number;
  return start < 0 ? (others.get(chunk) as string) : text.slice(start, start + (chunks[chunk * 2 + 1] as number));
}

function joined(parts: readonly Uint32Array[]): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
