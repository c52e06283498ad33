/** The part of a document that the index stores. A pure function of its text: every sync, in any thread, gives the same. */
import { constants, zstdCompressSync } from "node:zlib";
import type { Chunk, ParsedDocument } from "../../documents/model.ts";
import { MAX_WINDOWS, StaticEmbedder } from "../../embedding/static.ts";
import type { VectorModel } from "../../ranking/query.ts";
import { WEIGHT_UNIT } from "../../ranking/terms/postings.ts";
import type { ChunkDigest, DigestedChunk, DigestedDocument, SectionRow } from "../../store/documents.ts";
import { Analyser } from "../../text/analyser.ts";
import { uninterrupted } from "../../threads/uninterrupted.ts";
import { estimateTokens } from "../../tokens/estimate.ts";
import { CodeBuffer } from "../../vectors/quantise.ts";

/** The checksum detects flipped bits in a stored text. */
const WITH_CHECKSUM = { [constants.ZSTD_c_checksumFlag]: 1 };

/** Headings say more about a chunk's subject than most of its words. */
const TEXT_WEIGHT = WEIGHT_UNIT;
const HEADING_WEIGHT = 2 * WEIGHT_UNIT;
const TITLE_WEIGHT = 2 * WEIGHT_UNIT;
const NAME_WEIGHT = WEIGHT_UNIT;

export class DocumentDigester {
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

  digest(path: string, document: ParsedDocument, chunks: readonly Chunk[]): DigestedDocument {
    // The list of terms may only be reset between documents.
    this.#analyser.trim();
    const { title, description, format, text } = document;
    const starts = lineStarts(text);
    return {
      title,
      description,
      format,
      tokens: estimateTokens(text),
      text: uninterrupted(() => zstdCompressSync(text, { params: WITH_CHECKSUM })),
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
      const position = { section, first_line, last_line, start, length: text.length, text: start < 0 ? text : null };
      return { ...position, digest: this.#chunk(name, document, chunk, aboutOf(document, i)) };
    });
  }

  #chunk(name: string, document: ParsedDocument, chunk: Chunk, about: string): ChunkDigest {
    const headings = headingsOf(document.title, document.sections[chunk.section]?.path);
    this.#analyser.add(document.title, TITLE_WEIGHT);
    if (name !== "") this.#analyser.add(name, NAME_WEIGHT);
    if (headings !== "") this.#analyser.add(headings, HEADING_WEIGHT);
    this.#analyser.add(`${about}${chunk.text}`, TEXT_WEIGHT);
    const vectors = this.#vectors(embedded(document.title, headings, about, chunk.text));
    return { ...this.#analyser.finish(), ...(vectors ? { vectors } : {}) };
  }

  #vectors(text: string): Int8Array | undefined {
    if (!this.#embedder || !this.#codes) return undefined;
    this.#codes.clear();
    const windows = this.#embedder.encode(text, MAX_WINDOWS, this.#codes);
    return windows === 0 ? undefined : this.#codes.rows.slice(0, windows * this.#embedder.dims);
  }
}

/** The text of an indexed chunk that models embed: the same as when it was indexed. */
export function embeddedText(
  document: { title: string; description: string | null },
  headings: readonly string[] | undefined,
  chunk: number,
  text: string,
): string {
  const { title } = document;
  return embedded(title, headingsOf(title, headings), aboutOf(document, chunk), text);
}

function embedded(title: string, headings: string, about: string, text: string): string {
  return `${headings === "" ? title : headings}\n${about}${text}`;
}

/** The description is searchable through the first chunk. */
function aboutOf({ description }: { description?: string | null | undefined }, chunk: number): string {
  return chunk === 0 && description ? `${description}\n` : "";
}

/** The headings down to the chunk's own, without a first one that only repeats the title. */
function headingsOf(title: string, path: readonly string[] = []): string {
  return (path[0] === title ? path.slice(1) : path).join("\n");
}

/** `guides/streaming-responses.md` gives streaming-responses; names with a number or hash give nothing. */
function fileName(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return /\d{4}|^(index|readme)$/i.test(name) ? "" : name;
}

/** Offset of each line. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * Offset of the chunk in the text; -1 when the text does not contain it verbatim. Pieces of one long line follow each
 * other, so the search continues after the previous piece.
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
