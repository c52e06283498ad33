/** Writing an index of texts: documents are gathered in memory and written as segments, small ones are merged. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type NewDocument, SegmentBuilder } from "../../../ranking/terms/builder.ts";
import type { VectorModel } from "../../ports.ts";
import { buryDocuments, buryOwners, mergeAll, mergeSmall, writeSegment } from "./segments.ts";
import { writeVectors } from "./vector_blocks.ts";

/** About 15 MB in memory. */
const SEGMENT_POSTINGS = 1_000_000;

export class TextWriter {
  readonly #database: DatabaseSync;
  readonly #prepare: (sql: string) => StatementSync;
  /** Documents that are not written yet, and whose they are. */
  #builder = new SegmentBuilder();
  readonly #building = new Set<number>();
  #model: VectorModel | undefined;

  /** Every call is made inside a transaction of the caller. */
  constructor(database: DatabaseSync, prepare: (sql: string) => StatementSync) {
    this.#database = database;
    this.#prepare = prepare;
  }

  /** What makes the vectors of the documents; undefined: nothing does. Not to be changed with documents in memory. */
  setModel(model: VectorModel | undefined): void {
    if (model?.name !== this.#model?.name || model?.dims !== this.#model?.dims) this.flush();
    this.#model = model;
  }

  /** `names` gives a term's text by its number. */
  add(document: NewDocument, names: readonly string[]): void {
    this.#builder.add(document, names);
    this.#building.add(document.no);
    if (this.#builder.postings > SEGMENT_POSTINGS) this.flush();
  }

  /** Marks documents as gone; those still in memory are written first. */
  bury(no: number, fromSlot: number, toSlot: number): void {
    if (this.#building.has(no)) this.flush();
    buryDocuments(this.#prepare, no, fromSlot, toSlot);
  }

  /** The same for all documents of these owners. */
  buryOwners(owners: ReadonlySet<number>): void {
    if ([...owners].some((no) => this.#building.has(no))) this.flush();
    buryOwners(this.#prepare, owners);
  }

  flush(): void {
    const { documents } = this.#builder;
    if (documents === 0) return;
    const segment = writeSegment(this.#prepare, this.#builder);
    if (this.#model) {
      const vectors = this.#builder.vectors(this.#model.dims);
      writeVectors(this.#prepare, segment, this.#model, { first: 0, documents, ...vectors });
    }
    this.drop();
  }

  /** What is in memory, and small segments into larger ones. */
  settle(): void {
    this.flush();
    mergeSmall(this.#database, this.#prepare);
  }

  /** Everything into one segment, so that nothing of what is gone stays. */
  purge(): void {
    this.flush();
    mergeAll(this.#database, this.#prepare);
  }

  /** Forgets what is in memory. */
  drop(): void {
    this.#builder = new SegmentBuilder();
    this.#building.clear();
  }
}
