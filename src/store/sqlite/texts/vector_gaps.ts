/** Vectors that are made after their texts were indexed: which are missing, and how they are added. */
import type { VectorModel } from "../../../ranking/query.ts";
import { TITLE_SLOT } from "../../../ranking/segment.ts";
import type { VectorCoverage, VectorGap } from "../../vector_gaps.ts";
import type { Prepare } from "../connection.ts";
import { firstGap, wordsOf, writeVectors } from "./vector_blocks.ts";

export function readCoverage(prepare: Prepare): VectorCoverage {
  const rows = prepare(
    "SELECT model, dims, sum(documents) n FROM vector_blocks GROUP BY model, dims ORDER BY n DESC, model",
  ).all();
  return {
    all: Number(prepare("SELECT coalesce(sum(documents), 0) n FROM segments").get()?.n ?? 0),
    models: rows.map((row) => ({
      model: { name: String(row.model), dims: Number(row.dims) },
      covered: Number(row.n),
    })),
  };
}

export function findGap(prepare: Prepare, model: VectorModel, maxTexts: number): VectorGap | undefined {
  for (const row of prepare("SELECT id, documents FROM segments ORDER BY id").all()) {
    const segment = { id: Number(row.id), documents: Number(row.documents) };
    const gap = firstGap(prepare, segment, model, maxTexts);
    if (!gap) continue;
    const places = wordsOf(prepare("SELECT places FROM segments WHERE id = ?").get(segment.id)?.places);
    const found: VectorGap["places"] = [];
    for (let document = gap.first; document < gap.end; document += 1) {
      const slot = places[document * 2 + 1] as number;
      found.push({ no: places[document * 2] as number, index: slot === TITLE_SLOT ? null : slot });
    }
    return { segment: segment.id, first: gap.first, places: found };
  }
  return undefined;
}

/** False, and nothing is written, if the gap no longer exists. */
export function writeGap(
  prepare: Prepare,
  model: VectorModel,
  gap: VectorGap,
  vectors: readonly (Int8Array | undefined)[],
): boolean {
  const now = findGap(prepare, model, gap.places.length);
  if (!now || JSON.stringify(now) !== JSON.stringify(gap)) return false;
  const owners: number[] = [];
  for (const [i, rows] of vectors.entries()) {
    for (let window = 0; window < (rows?.length ?? 0) / model.dims; window += 1) owners.push(gap.first + i);
  }
  const rows = new Int8Array(owners.length * model.dims);
  let at = 0;
  for (const each of vectors) {
    if (!each) continue;
    rows.set(each, at);
    at += each.length;
  }
  const run = { first: gap.first, documents: gap.places.length, owners: Uint32Array.from(owners), rows };
  writeVectors(prepare, gap.segment, model, run);
  return true;
}
