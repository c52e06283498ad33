/**
 * Vectors in the database, in the blocks and groups that ranking reads. A block has one model, and names the documents
 * it covers: vectors made after the segment can be added in any number of steps. Vectors of several models may be stored
 * for the same documents.
 */
import { crc32 } from "../../../loops/crc32.ts";
import type { VectorModel } from "../../../ranking/query.ts";
import { DamagedBlock } from "../../../ranking/terms/damage.ts";
import { checkVectorBlock, vectorsPerGroup } from "../../../ranking/vector_blocks.ts";
import { codeWords, signCode } from "../../../vectors/quantise.ts";
import type { Prepare } from "../connection.ts";

const MAX_BLOCK_WINDOWS = 1024;
/** No model has longer vectors: a larger number is damage. */
const MAX_DIMS = 1 << 16;
const ONE_BLOCK = "WHERE segment = ? AND model = ? AND dims = ? AND first = ?";

export interface VectorRun {
  /** The first document it covers, and the number of documents. */
  first: number;
  documents: number;
  /** The document of each window, ascending. */
  owners: Uint32Array;
  rows: Int8Array;
}

export function writeVectors(prepare: Prepare, segment: number, model: VectorModel, run: VectorRun): void {
  const end = run.first + run.documents;
  let first = run.first;
  for (let from = 0; from < run.owners.length || first < end; ) {
    const to = blockEnd(run.owners, from);
    const last = to === run.owners.length ? end : (run.owners[to] as number);
    const owners = run.owners.slice(from, to);
    const rows = run.rows.slice(from * model.dims, to * model.dims);
    insertBlock(prepare, segment, model, { first, documents: last - first, owners, rows });
    first = last;
    from = to;
  }
}

/** A document's windows stay together. */
function blockEnd(owners: Uint32Array, from: number): number {
  let to = Math.min(owners.length, from + MAX_BLOCK_WINDOWS);
  while (to < owners.length && owners[to] === owners[to - 1]) to += 1;
  return to;
}

function insertBlock(prepare: Prepare, segment: number, model: VectorModel, run: VectorRun): void {
  const words = codeWords(model.dims);
  const codes = new Uint32Array(run.owners.length * words);
  for (let i = 0; i < run.owners.length; i += 1) {
    signCode(run.rows.subarray(i * model.dims, (i + 1) * model.dims), codes, i * words);
  }
  const base = Number(prepare("SELECT coalesce(max(id), 0) + 1 n FROM vector_rows").get()?.n ?? 1);
  prepare(
    "INSERT INTO vector_blocks (segment, first, documents, model, dims, owners, codes, base, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  ).run(
    segment,
    run.first,
    run.documents,
    model.name,
    model.dims,
    bytesOf(run.owners),
    bytesOf(codes),
    base,
    checksumOf(run.owners, codes, run.rows),
  );
  const insert = prepare("INSERT INTO vector_rows (id, vectors) VALUES (?, ?)");
  const step = vectorsPerGroup(model.dims) * model.dims;
  for (let at = 0, id = base; at < run.rows.length; at += step, id += 1) {
    insert.run(id, bytesOf(run.rows.subarray(at, at + step)));
  }
}

function checksumOf(owners: Uint32Array, codes: Uint32Array, rows: Int8Array): number {
  return crc32(bytesOf(rows), crc32(bytesOf(codes), crc32(bytesOf(owners))));
}

/** Reads every vector of a segment and compares the checksums. */
export function checkVectors(prepare: Prepare, { id, documents }: { id: number; documents: number }): void {
  const stored = prepare(`SELECT codes, checksum FROM vector_blocks ${ONE_BLOCK}`);
  for (const run of readRuns(prepare, id)) {
    const row = stored.get(id, run.model.name, run.model.dims, run.first);
    const codes = wordsOf(row?.codes);
    checkVectorBlock(run.owners, codes, documents, run.model.dims);
    if (checksumOf(run.owners, codes, run.rows) !== Number(row?.checksum)) {
      throw new DamagedBlock("the checksum of vectors does not match");
    }
  }
}

function groupsOf(count: number, dims: number): number {
  return Math.ceil(count / vectorsPerGroup(dims));
}

/** Removes blocks, with their vectors: all of a segment, or all but those of some models. */
export function deleteVectors(
  prepare: Prepare,
  which: { segment: number } | { except: (model: VectorModel) => boolean },
): void {
  const columns = "SELECT segment, model, dims, first, length(owners) / 4 n, base FROM vector_blocks";
  const rows =
    "segment" in which
      ? prepare(`${columns} WHERE segment = ?`).all(which.segment)
      : prepare(columns)
          .all()
          .filter(({ model, dims }) => !which.except({ name: String(model), dims: Number(dims) }));
  const deleteRows = prepare("DELETE FROM vector_rows WHERE id >= ? AND id < ?");
  const deleteBlock = prepare(`DELETE FROM vector_blocks ${ONE_BLOCK}`);
  for (const row of rows) {
    const base = Number(row.base);
    deleteRows.run(base, base + groupsOf(Number(row.n), Number(row.dims)));
    deleteBlock.run(Number(row.segment), String(row.model), Number(row.dims), Number(row.first));
  }
}

/** Runs of documents that blocks of this model cover, by segment. */
function covered(prepare: Prepare, segment: number, model: VectorModel): { first: number; end: number }[] {
  return prepare(
    "SELECT first, documents FROM vector_blocks WHERE segment = ? AND model = ? AND dims = ? ORDER BY first",
  )
    .all(segment, model.name, model.dims)
    .map((row) => ({ first: Number(row.first), end: Number(row.first) + Number(row.documents) }));
}

/** The first documents of a segment, at most `maxTexts`, that are not covered; undefined if all are. */
export function firstGap(
  prepare: Prepare,
  segment: { id: number; documents: number },
  model: VectorModel,
  maxTexts: number,
): { first: number; end: number } | undefined {
  let first = 0;
  for (const run of covered(prepare, segment.id, model)) {
    if (run.first > first) return { first, end: Math.min(run.first, first + maxTexts) };
    first = run.end;
  }
  return first < segment.documents ? { first, end: Math.min(segment.documents, first + maxTexts) } : undefined;
}

interface StoredRun extends VectorRun {
  model: VectorModel;
}

/** The vectors of a segment, block by block. */
export function* readRuns(prepare: Prepare, segment: number): Generator<StoredRun> {
  const blocks = prepare(
    "SELECT first, documents, model, dims, owners, base FROM vector_blocks WHERE segment = ? ORDER BY model, dims, first",
  ).all(segment);
  for (const row of blocks) {
    const model = { name: String(row.model), dims: Number(row.dims) };
    const owners = wordsOf(row.owners);
    if (!(model.dims > 0 && model.dims <= MAX_DIMS)) throw new DamagedBlock("vectors have no sensible length");
    const rows = new Int8Array(owners.length * model.dims);
    const base = Number(row.base);
    const groups = prepare("SELECT vectors FROM vector_rows WHERE id >= ? AND id < ? ORDER BY id").all(
      base,
      base + groupsOf(owners.length, model.dims),
    );
    let at = 0;
    for (const { vectors } of groups) {
      const group = smallNumbersOf(vectors);
      if (at + group.length > rows.length) throw new DamagedBlock("there are more vectors than windows");
      rows.set(group, at);
      at += group.length;
    }
    yield { first: Number(row.first), documents: Number(row.documents), model, owners, rows };
  }
}

/** Copies the vectors of merged segments; `renumbered` has the new number of each document, -1 if it is deleted. */
export function moveVectors(
  prepare: Prepare,
  from: readonly { id: number; renumbered: Int32Array }[],
  target: number,
): void {
  // By model: the runs of one model follow each other across segments.
  const pending = new Map<string, StoredRun>();
  for (const { id, renumbered } of from) {
    for (const run of readRuns(prepare, id)) {
      const moved = moveRun(run, renumbered);
      if (moved.documents === 0) continue;
      const key = JSON.stringify(moved.model);
      const before = pending.get(key);
      const joins =
        before && before.first + before.documents === moved.first && before.owners.length < MAX_BLOCK_WINDOWS;
      if (before && !joins) writeVectors(prepare, target, before.model, before);
      pending.set(key, joins ? join(before, moved) : moved);
    }
    deleteVectors(prepare, { segment: id });
  }
  for (const run of pending.values()) writeVectors(prepare, target, run.model, run);
}

function moveRun(run: StoredRun, renumbered: Int32Array): StoredRun {
  const kept: number[] = [];
  for (let i = 0; i < run.owners.length; i += 1) if ((renumbered[run.owners[i] as number] as number) >= 0) kept.push(i);
  const covered = renumbered.subarray(run.first, run.first + run.documents).filter((number) => number >= 0);
  const { dims } = run.model;
  const rows = new Int8Array(kept.length * dims);
  for (const [at, i] of kept.entries()) rows.set(run.rows.subarray(i * dims, (i + 1) * dims), at * dims);
  return {
    model: run.model,
    first: covered[0] ?? 0,
    documents: covered.length,
    owners: Uint32Array.from(kept, (i) => renumbered[run.owners[i] as number] as number),
    rows,
  };
}

function join(a: StoredRun, b: StoredRun): StoredRun {
  const owners = new Uint32Array(a.owners.length + b.owners.length);
  owners.set(a.owners);
  owners.set(b.owners, a.owners.length);
  const rows = new Int8Array(a.rows.length + b.rows.length);
  rows.set(a.rows);
  rows.set(b.rows, a.rows.length);
  return { model: a.model, first: a.first, documents: a.documents + b.documents, owners, rows };
}

function bytesOf(array: Uint32Array | Int8Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** The bytes of a column as small numbers. SQLite gives each value in memory of its own. */
export function smallNumbersOf(value: unknown): Int8Array {
  return value instanceof Uint8Array
    ? new Int8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Int8Array();
}

/** Copies the bytes only if they do not begin at a multiple of four. */
export function wordsOf(value: unknown): Uint32Array {
  const bytes = value instanceof Uint8Array ? value : new Uint8Array();
  if (bytes.byteLength % 4 !== 0) throw new DamagedBlock("a table of numbers ends inside one");
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(buffer, byteOffset, bytes.byteLength / 4);
}
