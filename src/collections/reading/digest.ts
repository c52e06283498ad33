/**
 * The part of a digest that needs an analyser and a model: the terms and vectors of a document's texts. A pure function
 * of them: every sync, in any thread, gives the same result.
 */
import { constants, zstdCompressSync } from "node:zlib";
import { chunksOf, measuredText } from "../../documents/chunks.ts";
import type { Chunk } from "../../documents/model.ts";
import { MAX_WINDOWS, StaticEmbedder } from "../../embedding/static.ts";
import type { VectorModel } from "../../ranking/query.ts";
import { WEIGHT_UNIT } from "../../ranking/terms/postings.ts";
import { Analyser } from "../../text/terms/analyser.ts";
import { uninterrupted } from "../../threads/uninterrupted.ts";
import { TokenRanges } from "../../tokens/ranges.ts";
import { CodeBuffer } from "../../vectors/quantise.ts";
import {
  aboutOf,
  CHUNK_NUMBERS,
  type DigestJob,
  type DocumentTexts,
  embedded,
  sectionsOf,
  type TextDigest,
  textsOf,
} from "./texts.ts";

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
  readonly #tokens = new TokenRanges();

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

  /** `given`: the chunks, where they are known. */
  digest(job: DigestJob, given?: readonly Chunk[]): TextDigest {
    // The list of terms may only be reset between documents.
    this.#analyser.trim();
    this.#codes?.clear();
    const measured = measuredText(job.text, this.#tokens);
    const parts = sectionsOf(job, measured.lines);
    const chunks = given ?? chunksOf({ text: job.text, format: job.format, sections: parts }, measured);
    const texts = textsOf(job, measured.lines, parts, chunks);
    const { text, sections, others } = texts;
    const tokens = new Int32Array(parts.length);
    for (let i = 0; i < tokens.length; i += 1) {
      tokens[i] = measured.tokens.count(sections[i * 2] as number, sections[i * 2 + 1] as number);
    }
    const numbers = new Int32Array(chunks.length * CHUNK_NUMBERS);
    const terms: Uint32Array[] = [];
    for (const [i, { section, first_line, last_line, text: own }] of chunks.entries()) {
      const { length, terms: counted } = this.#analyse(texts, i, own);
      terms.push(counted);
      const at = i * CHUNK_NUMBERS;
      numbers[at] = section;
      numbers[at + 1] = first_line;
      numbers[at + 2] = last_line;
      numbers[at + 3] = texts.starts[i] as number;
      numbers[at + 4] = own.length;
      numbers[at + 5] = length;
      numbers[at + 6] = counted.length;
      numbers[at + 7] = this.#embed(texts, i, own);
    }
    return {
      tokens: measured.tokens.count(0, text.length),
      text: uninterrupted(() => zstdCompressSync(text, { params: WITH_CHECKSUM })),
      sections: tokens,
      chunks: numbers,
      others,
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

function joined(parts: readonly Uint32Array[]): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
