/** The sizes of the blocks of an index, and of those that questions read. */
import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync } from "node:zlib";
import type { Dex } from "../../src/dex.ts";
import { parseQuery } from "../../src/search/query/query.ts";
import { staticVectorOf } from "../../src/search/query/vector.ts";
import { median } from "../lib/measure.ts";

/** Bytes of a row that PostgreSQL adds: its head, the key and the entry of its index. */
const ROW_BYTES = 80;
const WORDS_PER_QUESTION = 8;
const MAX_QUESTIONS = 60;
/** Documents whose rows and word orders are packed together. */
const DOCUMENTS_PER_DETAIL = 32;

export interface StoredBytes extends Record<string, number> {
  frames: number;
}

export function bytesOf(index: string, dex: Dex): StoredBytes {
  const database = new DatabaseSync(index, { readOnly: true });
  const sum = (sql: string): number => Number(database.prepare(sql).get()?.n ?? 0);
  try {
    const blocks = sum("SELECT (SELECT count(*) FROM term_blocks) + (SELECT count(*) FROM vector_rows) n");
    const details = detailBytes(database);
    return {
      frames: sum("SELECT sum(archive_bytes) n FROM conversations"),
      terms: sum("SELECT sum(length(data)) n FROM term_blocks"),
      "places and lengths": sum("SELECT sum(length(places) + length(roles) + length(lengths)) n FROM segments"),
      "codes of vectors": sum("SELECT sum(length(owners) + length(codes)) n FROM vector_blocks"),
      vectors: sum("SELECT sum(length(vectors)) n FROM vector_rows"),
      "rows and word orders": details.bytes,
      "heads of rows": (blocks + details.rows + 2 * dex.store.totals().conversations) * ROW_BYTES,
    };
  } finally {
    database.close();
  }
}

function detailBytes(database: DatabaseSync): { bytes: number; rows: number } {
  let bytes = 0;
  let rows = 0;
  let part: unknown[] = [];
  const pack = (): void => {
    if (part.length === 0) return;
    bytes += zstdCompressSync(JSON.stringify(part)).length;
    rows += 1;
    part = [];
  };
  const found = database
    .prepare(
      "SELECT m.role, m.time, m.tokens, m.hash, m.head, o.codes FROM messages m LEFT JOIN word_orders o USING (id)",
    )
    .iterate();
  for (const { codes, ...row } of found) {
    part.push([Object.values(row), codes instanceof Uint8Array ? Buffer.from(codes).toString("base64") : null]);
    if (part.length === DOCUMENTS_PER_DETAIL) pack();
  }
  pack();
  return { bytes, rows };
}

/** Questions are the beginnings of titles: eight words that somebody typed. */
export function questionsOf(dex: Dex): { bytesPerQuestion: number; msPerQuestion: number; count: number } {
  const titles = dex.store
    .list({}, 10_000, 0)
    .map(({ title }) => title.split(/\s+/).slice(0, WORDS_PER_QUESTION).join(" "));
  const questions = [...new Set(titles)]
    .filter((title) => title.split(" ").length === WORDS_PER_QUESTION)
    .slice(0, MAX_QUESTIONS);
  const { source } = dex.store.texts;
  const segments = source.segments();
  const sizes: number[] = [];
  const times: number[] = [];
  for (const question of questions) {
    const query = parseQuery(question, {}, true);
    if (!query) continue;
    const terms = [...new Set([...query.terms, ...(query.whole ?? [])])];
    const blocks = terms.flatMap((term) => segments.map(({ id }) => source.termBlock(id, term)?.length ?? 0));
    sizes.push(blocks.reduce((sum, size) => sum + size, 0));
    const vector = staticVectorOf(query, dex.settings, "hybrid");
    const start = process.cpuUsage();
    dex.store.searchTexts({ ...query, ...(vector ? { vector } : {}) }, {}, 10, 0);
    times.push(process.cpuUsage(start).user / 1000);
  }
  return { bytesPerQuestion: median(sizes), msPerQuestion: median(times), count: sizes.length };
}
