/** What the index keeps of a chunk of documentation. A pure function of the document, so that a new sync gives the same. */
import type { Chunk, ParsedDocument } from "../documents/model.ts";
import { StaticEmbedder } from "../embedding/static.ts";
import { Analyser } from "../kernel/analyser.ts";
import { CodeBuffer } from "../kernel/quantise.ts";
import type { ChunkDigest, ChunkDigester } from "../store/documents.ts";
import type { VectorModel } from "../store/ports.ts";
import { WEIGHT_UNIT } from "../store/terms/postings.ts";

/** Windows of one chunk that are embedded: about a thousand words. */
const MOST_WINDOWS = 8;

/** What a chunk stands under says more of what it is about than most of its words. */
const TEXT = WEIGHT_UNIT;
const HEADING = 2 * WEIGHT_UNIT;
const TITLE = 2 * WEIGHT_UNIT;
const NAME = WEIGHT_UNIT;

export class DocumentDigester implements ChunkDigester {
  readonly #analyser: Analyser;
  readonly #embedder: StaticEmbedder | undefined;
  readonly #codes: CodeBuffer | undefined;

  /** `model`: the file of the static model, where vectors are wanted; `capacity`: how much the analyser remembers. */
  constructor(model: string | undefined, capacity?: number) {
    this.#analyser = new Analyser(capacity);
    if (model === undefined) return;
    this.#embedder = new StaticEmbedder(model);
    this.#codes = new CodeBuffer(this.#embedder.dims);
  }

  get model(): VectorModel | undefined {
    return this.#embedder && { name: this.#embedder.name, dims: this.#embedder.dims };
  }

  get names(): readonly string[] {
    return this.#analyser.terms;
  }

  digest(path: string, document: ParsedDocument, chunks: readonly Chunk[]): ChunkDigest[] {
    this.#analyser.trim();
    const name = fileName(path);
    return chunks.map((chunk, i) => {
      const headings = headingsOf(document, chunk);
      // The description speaks for the whole: it is found by its beginning.
      const about = i === 0 && document.description ? `${document.description}\n` : "";
      this.#analyser.add(document.title, TITLE);
      if (name !== "") this.#analyser.add(name, NAME);
      if (headings !== "") this.#analyser.add(headings, HEADING);
      this.#analyser.add(`${about}${chunk.text}`, TEXT);
      const context = headings === "" ? document.title : headings;
      return { ...this.#analyser.finish(), vectors: this.#vectors(`${context}\n${about}${chunk.text}`) };
    });
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
