/** What the index keeps of a document. A pure function of its text, so that a new sync, in any thread, gives the same. */
import { constants, zstdCompressSync } from "node:zlib";
import type { Chunk, ParsedDocument } from "../documents/model.ts";
import { StaticEmbedder } from "../embedding/static.ts";
import { WEIGHT_UNIT } from "../ranking/terms/postings.ts";
import type { ChunkDigest, DigestedChunk, DigestedDocument, SectionRow } from "../store/documents.ts";
import type { VectorModel } from "../store/ports.ts";
import { Analyser } from "../text/analyser.ts";
import { estimateTokens } from "../tokens/estimate.ts";
import { CodeBuffer } from "../vectors/quantise.ts";

/** A flipped bit in a kept text is noticed, not read. */
const WITH_CHECKSUM = { [constants.ZSTD_c_checksumFlag]: 1 };

/** Windows of one chunk that are embedded: about a thousand words. */
const MOST_WINDOWS = 8;

/** What a chunk stands under says more of what it is about than most of its words. */
const TEXT = WEIGHT_UNIT;
const HEADING = 2 * WEIGHT_UNIT;
const TITLE = 2 * WEIGHT_UNIT;
const NAME = WEIGHT_UNIT;

export class DocumentDigester {
  readonly #analyser: Analyser;
  readonly #embedder: StaticEmbedder | undefined;
  readonly #codes: CodeBuffer | undefined;

  /** `model`: the file of the static model, where vectors are wanted; `capacity`: how much the analyser remembers. */
  constructor(model: string | undefined, capacity?: number) {
    this.#analyser = new Analyser(capacity);
    if (model === undefined) return;
    this.#embedder = new StaticEmbedder(model);
    this.#codes = new CodeBuffer(this.#embedder.dims, MOST_WINDOWS, false);
  }

  get model(): VectorModel | undefined {
    return this.#embedder && { name: this.#embedder.name, dims: this.#embedder.dims };
  }

  digest(path: string, document: ParsedDocument, chunks: readonly Chunk[]): DigestedDocument {
    // A new document may begin a new list of terms.
    this.#analyser.trim();
    const { title, description, format, text } = document;
    const starts = lineStarts(text);
    return {
      title,
      description,
      format,
      tokens: estimateTokens(text),
      text: zstdCompressSync(text, { params: WITH_CHECKSUM }),
      sections: document.sections.map(({ text: _, ...section }): SectionRow => {
        const own = text.slice(starts[section.first_line - 1], starts[section.last_line] ?? text.length);
        return { ...section, tokens: estimateTokens(own) };
      }),
      chunks: this.#chunks(path, document, chunks, starts),
      names: this.#analyser.terms,
    };
  }

  #chunks(
    path: string,
    document: ParsedDocument,
    chunks: readonly Chunk[],
    starts: readonly number[],
  ): DigestedChunk[] {
    const name = fileName(path);
    let from = 0;
    return chunks.map((chunk, i) => {
      const start = startOf(chunk, document.text, starts, from);
      from = start < 0 ? from : start + chunk.text.length;
      const { section, first_line, last_line, text } = chunk;
      const place = { section, first_line, last_line, start, length: text.length, text: start < 0 ? text : null };
      // The description speaks for the whole: it is found by its beginning.
      const about = i === 0 && document.description ? `${document.description}\n` : "";
      return { ...place, digest: this.#chunk(name, document, chunk, about) };
    });
  }

  #chunk(name: string, document: ParsedDocument, chunk: Chunk, about: string): ChunkDigest {
    const headings = headingsOf(document, chunk);
    this.#analyser.add(document.title, TITLE);
    if (name !== "") this.#analyser.add(name, NAME);
    if (headings !== "") this.#analyser.add(headings, HEADING);
    this.#analyser.add(`${about}${chunk.text}`, TEXT);
    const context = headings === "" ? document.title : headings;
    const vectors = this.#vectors(`${context}\n${about}${chunk.text}`);
    return { ...this.#analyser.finish(), ...(vectors ? { vectors } : {}) };
  }

  #vectors(text: string): Int8Array | undefined {
    if (!this.#embedder || !this.#codes) return undefined;
    this.#codes.clear();
    const windows = this.#embedder.encode(text, MOST_WINDOWS, this.#codes);
    return windows === 0 ? undefined : this.#codes.rows.slice(0, windows * this.#embedder.dims);
  }
}

/** The headings down to the chunk's own, without a first one that only repeats the title. */
function headingsOf({ title, sections }: ParsedDocument, { section }: Chunk): string {
  const path = sections[section]?.path ?? [];
  return (path[0] === title ? path.slice(1) : path).join("\n");
}

/** `guides/streaming-responses.md` gives streaming-responses; a number or a hash says nothing. */
function fileName(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return /\d{4}|^(index|readme)$/i.test(name) ? "" : name;
}

/** Where each line begins. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * Where the chunk stands in its lines, -1 when it does not as it is. Pieces of one long line follow each other: the
 * search goes on behind the piece before.
 */
function startOf(
  { first_line, last_line, text: own }: Chunk,
  text: string,
  starts: readonly number[],
  from: number,
): number {
  const first = starts[first_line - 1] ?? text.length;
  const end = starts[last_line] ?? text.length;
  for (const begin of [Math.max(first, from), first]) {
    const start = text.slice(begin, end).indexOf(own);
    if (start >= 0) return begin + start;
  }
  return -1;
}
