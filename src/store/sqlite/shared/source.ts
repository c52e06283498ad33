/** The segments of a team's index, as far as they are cached; the source notes the parts that it does not have. */
import type { SegmentSource } from "../../../ranking/ports.ts";
import { markDeleted, type Segment, TITLE_SLOT } from "../../../ranking/segment.ts";
import { addMiss, type Misses } from "../../shared/misses.ts";
import type { Prepare } from "../connection.ts";
import { loadSegments } from "../texts/segments.ts";
import { SqliteSegmentSource } from "../texts/source.ts";
import { smallNumbersOf } from "../texts/vector_blocks.ts";
import type { FetchedParts } from "./fetched.ts";

/** A question fetches a few megabytes of blocks. Above this limit, dex reads them back from the cache. */
const MAX_FRESH_BYTES = 64 << 20;

/** A hook searches these in about ten milliseconds. */
const MAX_QUICK_DOCUMENTS = 15_000;

export class CachedSource extends SqliteSegmentSource implements SegmentSource {
  readonly #prepare: Prepare;
  readonly #misses: () => Misses;
  readonly #hidden: () => ReadonlySet<number>;
  readonly #version: () => number;
  readonly #fetched: FetchedParts;
  readonly #wholeOnly: boolean;
  #whole: { version: number; segments: ReadonlySet<number> } | undefined;
  #missed = 0;
  /**
   * Parts fetched for the current question, kept so that dex need not read them back: blocks by segment and term
   * (undefined if the segment has none), and groups of vectors.
   */
  readonly #freshTerms = new Map<number, Map<string, Uint8Array | undefined>>();
  readonly #freshGroups = new Map<number, Uint8Array>();
  #freshBytes = 0;

  /** `hidden`: conversations that are left out completely, even from counts of words. */
  constructor(
    prepare: Prepare,
    state: { misses: () => Misses; hidden: () => ReadonlySet<number>; version: () => number; wholeOnly: boolean },
    fetched: FetchedParts,
  ) {
    super(prepare);
    this.#prepare = prepare;
    this.#misses = state.misses;
    this.#hidden = state.hidden;
    this.#version = state.version;
    this.#wholeOnly = state.wholeOnly;
    this.#fetched = fetched;
  }

  override version(): number {
    return this.#version();
  }

  override segments(): Segment[] {
    const hidden = this.#hidden();
    const latest = this.#latestTitles();
    return (this.#wholeOnly ? this.#quickSegments() : loadSegments(this.#prepare)).map((segment) => {
      if (hidden.size === 0 && latest.size === 0) return segment;
      const isGone = (no: number, slot: number): boolean =>
        hidden.has(no) || (slot === TITLE_SLOT && (latest.get(no) ?? segment.id) !== segment.id);
      const marks = markDeleted(segment, isGone);
      return marks.gone === segment.gone ? segment : { ...segment, ...marks };
    });
  }

  /** The segments that a hook has time for: completely cached ones, the latest first, up to a number of documents. */
  #quickSegments(): Segment[] {
    const rows = this.#prepare(
      "SELECT s.id, s.documents FROM segments s JOIN held_segments h ON h.segment = s.id ORDER BY s.id DESC",
    ).all();
    let documents = 0;
    const quick: number[] = [];
    for (const row of rows) {
      if (documents + Number(row.documents) > MAX_QUICK_DOCUMENTS) continue;
      documents += Number(row.documents);
      quick.push(Number(row.id));
    }
    return loadSegments(this.#prepare, quick);
  }

  /** Segments that are cached completely: all terms and vectors. */
  #wholeSegments(): ReadonlySet<number> {
    const version = this.#version();
    if (this.#whole?.version !== version) {
      const rows = this.#prepare("SELECT segment FROM held_segments").all();
      this.#whole = { version, segments: new Set(rows.map((row) => Number(row.segment))) };
    }
    return this.#whole.segments;
  }

  /** Conversations with several titles, and the segment of the latest: only that one counts. */
  #latestTitles(): Map<number, number> {
    const rows = this.#prepare(
      "SELECT no, segment, max(titled) FROM shared_entries WHERE titled IS NOT NULL GROUP BY no HAVING count(*) > 1",
    ).all();
    return new Map(rows.map((row) => [Number(row.no), Number(row.segment)]));
  }

  keepTerm(segment: number, term: string, block: Uint8Array | undefined): void {
    this.#makeRoom(block?.length ?? 0);
    const terms = this.#freshTerms.get(segment) ?? new Map<string, Uint8Array | undefined>();
    this.#freshTerms.set(segment, terms.set(term, block));
  }

  keepGroup(group: number, vectors: Uint8Array): void {
    this.#makeRoom(vectors.length);
    this.#freshGroups.set(group, vectors);
  }

  #makeRoom(bytes: number): void {
    if (this.#freshBytes + bytes > MAX_FRESH_BYTES) this.releaseFetched();
    this.#freshBytes += bytes;
  }

  /** Call it after a question: dex then reads the parts from the cache. */
  releaseFetched(): void {
    this.#freshTerms.clear();
    this.#freshGroups.clear();
    this.#freshBytes = 0;
  }

  override termBlock(segment: number, term: string): Uint8Array | undefined {
    const fresh = this.#freshTerms.get(segment);
    if (fresh?.has(term)) return fresh.get(term);
    if (this.#misses().terms.get(segment)?.has(term)) {
      this.#missed += 1;
      return undefined;
    }
    if (this.#wholeSegments().has(segment)) return super.termBlock(segment, term);
    const row = this.#prepare(
      "SELECT h.first, b.data FROM held_terms h LEFT JOIN term_blocks b ON b.segment = h.segment AND b.first = h.first WHERE h.segment = ? AND h.term = ?",
    ).get(segment, term);
    if (!row) {
      addMiss(this.#misses().terms, segment, term);
      this.#missed += 1;
    } else if (row.first === null) this.#fetched.touch("absent", segment, term);
    else this.#fetched.touch("term", segment, String(row.first));
    return row?.data instanceof Uint8Array ? row.data : undefined;
  }

  /** Neighbouring terms are not fetched: they are only used to correct spelling. */
  override *termBlocks(): Generator<Uint8Array> {}

  missed(): number {
    return this.#missed;
  }

  override vectorGroup(group: number): Int8Array {
    const fresh = this.#freshGroups.get(group);
    if (fresh) return smallNumbersOf(fresh);
    if (this.#misses().groups.has(group)) {
      this.#missed += 1;
      return smallNumbersOf(undefined);
    }
    const row = this.#prepare("SELECT vectors FROM vector_rows WHERE id = ?").get(group);
    if (!row) {
      this.#misses().groups.add(group);
      this.#missed += 1;
    } else this.#fetched.touch("group", group, "");
    return smallNumbersOf(row?.vectors);
  }

  /** Records each missing group. */
  override *vectorGroups(groups: readonly number[]): Generator<readonly [number, Int8Array]> {
    const missing = new Set(groups);
    for (const found of super.vectorGroups(groups.filter((group) => !this.#freshGroups.has(group)))) {
      missing.delete(found[0]);
      this.#fetched.touch("group", found[0], "");
      yield found;
    }
    for (const group of missing) yield [group, this.vectorGroup(group)];
  }
}
