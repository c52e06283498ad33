/** The segments and blocks of an index of texts in SQLite, in the form that ranking needs. */
import type { SegmentSource } from "../../../ranking/ports.ts";
import type { VectorModel } from "../../../ranking/query.ts";
import type { Segment } from "../../../ranking/segment.ts";
import type { VectorBlock } from "../../../ranking/vector_blocks.ts";
import type { Prepare } from "../connection.ts";
import { loadSegments } from "./segments.ts";
import { smallNumbersOf, wordsOf } from "./vector_blocks.ts";

export class SqliteSegmentSource implements SegmentSource {
  readonly #prepare: Prepare;

  constructor(prepare: Prepare) {
    this.#prepare = prepare;
  }

  version(): number {
    return Number(this.#prepare("PRAGMA data_version").get()?.data_version);
  }

  segments(): Segment[] {
    return loadSegments(this.#prepare);
  }

  termBlock(segment: number, term: string): Uint8Array | undefined {
    const row = this.#prepare(
      "SELECT data FROM term_blocks WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1",
    ).get(segment, term);
    return row?.data instanceof Uint8Array ? row.data : undefined;
  }

  /** The block before the first that begins with the character may end in terms that do so, too. */
  *termBlocks(segment: number, initial: string): Generator<Uint8Array> {
    const rows = this.#prepare(
      "SELECT data FROM term_blocks WHERE segment = ?1 AND first < ?2 AND first >= coalesce((SELECT max(first) FROM " +
        "term_blocks WHERE segment = ?1 AND first <= ?3), '') ORDER BY first",
    ).all(segment, `${initial}\u{10ffff}`, initial);
    for (const { data } of rows) if (data instanceof Uint8Array) yield data;
  }

  vectorCount({ name, dims }: VectorModel): number {
    const row = this.#prepare(
      "SELECT coalesce(sum(length(owners)), 0) / 4 n FROM vector_blocks WHERE model = ? AND dims = ?",
    ).get(name, dims);
    return Number(row?.n ?? 0);
  }

  *vectorBlocks(segment: number, { name, dims }: VectorModel): Generator<VectorBlock> {
    const rows = this.#prepare(
      "SELECT owners, codes, base FROM vector_blocks WHERE segment = ? AND model = ? AND dims = ? ORDER BY first",
    ).iterate(segment, name, dims);
    for (const row of rows) yield { owners: wordsOf(row.owners), codes: wordsOf(row.codes), base: Number(row.base) };
  }

  vectorGroup(group: number): Int8Array {
    return smallNumbersOf(this.#prepare("SELECT vectors FROM vector_rows WHERE id = ?").get(group)?.vectors);
  }

  /** One statement for all: a hook asks for hundreds, and each call of its own takes longer than reading the page. */
  *vectorGroups(groups: readonly number[]): Generator<readonly [number, Int8Array]> {
    const rows = this.#prepare("SELECT id, vectors FROM vector_rows WHERE id IN (SELECT value FROM json_each(?))").all(
      JSON.stringify(groups),
    );
    for (const { id, vectors } of rows) yield [Number(id), smallNumbersOf(vectors)];
  }
}
