/** Checks that an index of texts is undamaged: every block is decoded and every checksum compared. */
import type { DatabaseSync } from "node:sqlite";
import { isDead, type Segment } from "../../../ranking/segment.ts";
import { readBlock } from "../../../ranking/terms/blocks.ts";
import { DamagedBlock } from "../../../ranking/terms/damage.ts";
import { readPostings } from "../../../ranking/terms/postings.ts";
import type { Prepare } from "../connection.ts";
import { loadSegments, segmentChecksum } from "./segments.ts";
import { checkVectors } from "./vector_blocks.ts";

/** Reads every block of every segment, and compares all checksums. Throws at the first that is damaged. */
export function checkSegments(database: DatabaseSync, prepare: Prepare): void {
  const blocks = database.prepare("SELECT first, data FROM term_blocks WHERE segment = ? ORDER BY first");
  const sums = prepare("SELECT checksum FROM segments WHERE id = ?");
  for (const segment of loadSegments(prepare)) {
    if (Number(sums.get(segment.id)?.checksum) !== segmentChecksum(segment)) {
      throw new DamagedBlock("the checksum of a segment does not match");
    }
    if (goneIn(segment) !== segment.gone)
      throw new DamagedBlock("a segment's marks of deleted documents do not add up");
    for (const row of blocks.iterate(segment.id)) {
      const data = row.data instanceof Uint8Array ? row.data : new Uint8Array();
      const entries = readBlock(data);
      if (entries[0]?.term !== row.first) throw new DamagedBlock("it begins with another term");
      for (const { start, end } of entries) readPostings(data, start, end, segment.documents, () => {});
    }
    checkVectors(prepare, segment);
  }
}

function goneIn({ dead, documents }: Segment): number {
  let gone = 0;
  for (let document = 0; document < documents; document += 1) if (isDead({ dead }, document)) gone += 1;
  return gone;
}
