/** Removes traces of forgotten conversations from the index, besides their own rows. */
import { concealedPath } from "../../../kernel/ids.ts";
import { asObject, parseJson } from "../../../kernel/json.ts";
import { isDead } from "../../../ranking/segment.ts";
import { readBlock } from "../../../ranking/terms/blocks.ts";
import { readPostings } from "../../../ranking/terms/postings.ts";
import { Analyser, SMALL_CAPACITY } from "../../../text/terms/analyser.ts";
import type { Prepare } from "../connection.ts";
import { loadSegments } from "../texts/segments.ts";

/**
 * Terms that only these conversations have, in their texts, titles, project paths and branches. Any other text of dex's
 * with one of them must have come from there: a logged query, a suggestion, a report.
 */
export function termsOnlyIn(prepare: Prepare, nos: ReadonlySet<number>): Set<string> {
  const inside = new Set<string>();
  const outside = new Set<string>();
  for (const segment of loadSegments(prepare)) {
    const rows = prepare("SELECT data FROM term_blocks WHERE segment = ? ORDER BY first").iterate(segment.id);
    for (const { data } of rows) {
      if (!(data instanceof Uint8Array)) continue;
      for (const { term, start, end } of readBlock(data)) {
        readPostings(data, start, end, segment.documents, (document) => {
          if (isDead(segment, document)) return;
          (nos.has(segment.places[document * 2] as number) ? inside : outside).add(term);
        });
      }
    }
  }
  const analyser = new Analyser(SMALL_CAPACITY);
  for (const row of prepare("SELECT no, project, branch FROM conversations").iterate()) {
    const into = nos.has(Number(row.no)) ? inside : outside;
    for (const term of analyser.words(`${row.project ?? ""} ${row.branch ?? ""}`)) into.add(term);
    analyser.trim();
  }
  for (const term of outside) inside.delete(term);
  return inside;
}

/**
 * A reader's notes may quote the conversation they are about. A container with only these conversations keeps its stamp
 * under a concealed path, so it is not read again before it changes. One that contains others as well keeps its state,
 * unless the state contains text.
 */
export function forgetContainers(prepare: Prepare, nos: ReadonlySet<number>): void {
  const origins = new Map<string, { source: string; path: string; shared: boolean }>();
  const find = prepare("SELECT source, origin FROM conversations WHERE no = ? AND origin IS NOT NULL");
  const others = prepare("SELECT no FROM conversations WHERE source = ? AND origin = ?");
  for (const no of nos) {
    const row = find.get(no);
    if (!row) continue;
    const source = String(row.source);
    const path = String(row.origin);
    const shared = others.all(source, path).some((other) => !nos.has(Number(other.no)));
    origins.set(`${source}\0${path}`, { source, path, shared });
  }
  for (const { source, path, shared } of origins.values()) {
    if (!shared) {
      prepare(
        "UPDATE OR REPLACE containers SET path = ?, state = NULL, malformed = 0 WHERE source = ? AND path = ?",
      ).run(concealedPath(path), source, path);
      continue;
    }
    const row = prepare("SELECT state FROM containers WHERE source = ? AND path = ?").get(source, path);
    const state = asObject(parseJson(String(row?.state ?? "null")));
    // States of databases contain ids, times and hashes; those of transcripts contain text.
    if (state.carry === undefined) continue;
    prepare("UPDATE containers SET state = NULL WHERE source = ? AND path = ?").run(source, path);
  }
}
