/** Writes an index of texts: collects documents in memory, writes them as segments and merges small segments. */
import type { DatabaseSync } from "node:sqlite";
import type { VectorModel } from "../../../ranking/query.ts";
import { type NewDocument, SegmentBuilder } from "../../../ranking/terms/builder.ts";
import type { Prepare } from "../connection.ts";
import { mergeAll, mergeFrom, mergeSmall } from "./merging.ts";
import { deleteDocuments, deleteOwners, nextId, writeSegment } from "./segments.ts";
import { writeVectors } from "./vector_blocks.ts";

/** Postings collected before they are written: about 15 MB in memory. */
const MAX_PENDING_POSTINGS = 1_000_000;
/** Documents that are merged again after a long run: about two seconds. */
const MAX_JOINED_DOCUMENTS = 1 << 17;
/** Segments of about the same size that a search during a long run may find. */
const MAX_UNJOINED_SEGMENTS = 24;

export class TextWriter {
  readonly #database: DatabaseSync;
  readonly #prepare: Prepare;
  /** Documents that are not written yet, and their owners. */
  readonly #builder = new SegmentBuilder();
  readonly #building = new Set<number>();
  #model: VectorModel | undefined;
  /** The first segment of this run, and the documents it has written. */
  #firstSegment: number | undefined;
  #written = 0;

  /** Every call is made inside a transaction of the caller. */
  constructor(database: DatabaseSync, prepare: Prepare) {
    this.#database = database;
    this.#prepare = prepare;
  }

  /** The model that makes the documents' vectors; undefined: they have none. Documents in memory are written first. */
  setModel(model: VectorModel | undefined): void {
    if (model?.name !== this.#model?.name || model?.dims !== this.#model?.dims) this.flush();
    this.#model = model;
  }

  /** `names` gives a term's text by its number. */
  add(document: NewDocument, names: readonly string[]): void {
    this.#builder.add(document, names);
    this.#building.add(document.no);
    if (this.#builder.postings > MAX_PENDING_POSTINGS) this.flush();
  }

  /** Marks documents as deleted; those still in memory are written first. */
  deleteTexts(no: number, fromSlot: number, toSlot: number): void {
    if (this.#building.has(no)) this.flush();
    deleteDocuments(this.#prepare, no, fromSlot, toSlot);
  }

  /** The same for all documents of these owners. */
  deleteOwners(owners: ReadonlySet<number>): void {
    if ([...owners].some((no) => this.#building.has(no))) this.flush();
    deleteOwners(this.#prepare, owners);
  }

  flush(): void {
    const { documents } = this.#builder;
    if (documents === 0) return;
    this.#firstSegment ??= nextId(this.#prepare);
    this.#written += documents;
    const segment = writeSegment(this.#prepare, this.#builder);
    if (this.#model) {
      const vectors = this.#builder.vectors(this.#model.dims);
      writeVectors(this.#prepare, segment, this.#model, { first: 0, documents, ...vectors });
    }
    this.drop();
  }

  /** Writes the documents in memory, and merges small segments into larger ones. */
  settle(): void {
    this.flush();
    mergeSmall(this.#database, this.#prepare);
  }

  /** The same for a run that ends with `join`, which merges its segments in any case. */
  settleForNow(): void {
    this.flush();
    mergeSmall(this.#database, this.#prepare, MAX_UNJOINED_SEGMENTS);
  }

  get hasWritten(): boolean {
    return this.#firstSegment !== undefined;
  }

  /**
   * Merges the segments that this run wrote in several steps, because a search reads a block of each segment for each
   * word. Where small segments were merged into older ones, it also merges about as many older documents.
   */
  join(progress?: (share: number) => void): void {
    if (this.#firstSegment === undefined) return;
    const most = Math.min(MAX_JOINED_DOCUMENTS, 2 * this.#written);
    mergeFrom(this.#database, this.#prepare, this.#firstSegment, most, progress);
    mergeSmall(this.#database, this.#prepare);
    this.#firstSegment = undefined;
    this.#written = 0;
  }

  /** Merges everything into one segment to erase the deleted documents. */
  purge(): void {
    this.flush();
    mergeAll(this.#database, this.#prepare);
  }

  /** Drops the documents in memory. */
  drop(): void {
    this.#builder.clear();
    this.#building.clear();
  }
}
