/** The content of an index and an archive, in a form that two runs can be compared by. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { isDead } from "../../src/ranking/segment.ts";
import { readBlock } from "../../src/ranking/terms/blocks.ts";
import { readPostings } from "../../src/ranking/terms/postings.ts";
import { listArchive, readDirectory, readMessages } from "../../src/store/archive/archive.ts";
import { loadSegments } from "../../src/store/sqlite/texts/segments.ts";
import { readRuns } from "../../src/store/sqlite/texts/vector_blocks.ts";

export interface Dump {
  archive: Record<string, unknown>;
  conversations: unknown[];
  messages: unknown[];
  files: unknown[];
  commits: unknown[];
  shell_calls: unknown[];
  shell_results: unknown[];
  words: unknown[];
  vectors: unknown[];
}

const SLOTS = 2 ** 24;

export function dumpHome(dexHome: string): Dump {
  const folder = join(dexHome, "archive", "conversations");
  const archive: Record<string, unknown> = {};
  for (const path of listArchive(folder)) {
    const found = readDirectory(folder, path);
    archive[path] = found && {
      meta: found.meta,
      whole: found.length === readFileSync(join(folder, path)).length,
      messages: [...readMessages(folder, path, found.blocks)],
    };
  }
  const database = new DatabaseSync(join(dexHome, "index.db"));
  try {
    // A conversation's number depends on the order of reading; its name does not.
    const names = new Map(
      database
        .prepare("SELECT no, source || ':' || id name FROM conversations")
        .all()
        .map((row) => [Number(row.no), String(row.name)]),
    );
    const named = (no: unknown): string => names.get(Number(no)) ?? `orphan ${no}`;
    const rows = (sql: string): Record<string, unknown>[] => database.prepare(sql).all();
    const sorted = (list: unknown[]): unknown[] => list.map((row) => JSON.stringify(row)).sort();
    return {
      archive,
      conversations: sorted(
        rows(
          "SELECT source, id, title, project, branch, model, created, updated, messages, tokens, tokens_stripped, tokens_user, parent, parent_kind FROM conversations",
        ),
      ),
      messages: sorted(
        rows("SELECT * FROM messages").map(({ id, ...row }) => ({
          at: `${named(Math.floor(Number(id) / SLOTS))}#${Number(id) % SLOTS}`,
          ...row,
        })),
      ),
      files: sorted(rows("SELECT * FROM files").map(({ no, ...row }) => ({ in: named(no), ...row }))),
      commits: sorted(rows("SELECT * FROM commits").map(({ no, ...row }) => ({ in: named(no), ...row }))),
      shell_calls: sorted(rows("SELECT * FROM shell_calls").map(({ no, ...row }) => ({ in: named(no), ...row }))),
      shell_results: sorted(rows("SELECT * FROM shell_results").map(({ no, ...row }) => ({ in: named(no), ...row }))),
      words: wordsOf(database, named),
      vectors: vectorsOf(database, named),
    };
  } finally {
    database.close();
  }
}

/** Every vector of every message, and which messages are recorded as embedded. */
function vectorsOf(database: DatabaseSync, named: (no: unknown) => string): unknown[] {
  const found: string[] = [];
  const prepare = (sql: string): StatementSync => database.prepare(sql);
  for (const segment of loadSegments(prepare)) {
    const at = (document: number): string =>
      `${named(segment.places[document * 2])}#${segment.places[document * 2 + 1]}`;
    for (const run of readRuns(prepare, segment.id)) {
      const { name, dims } = run.model;
      for (let document = run.first; document < run.first + run.documents; document += 1) {
        if (!isDead(segment, document)) found.push(`${at(document)} ${name}`);
      }
      for (const [i, document] of run.owners.entries()) {
        const row = Buffer.from(run.rows.subarray(i * dims, (i + 1) * dims)).toString("base64");
        if (!isDead(segment, document)) found.push(`${at(document)} ${row}`);
      }
    }
  }
  return found.sort();
}

/** Every term of every message with its weight, whatever segments they are in. */
function wordsOf(database: DatabaseSync, named: (no: unknown) => string): unknown[] {
  const found: string[] = [];
  const segments = loadSegments((sql) => database.prepare(sql));
  for (const segment of segments) {
    const blocks = database.prepare("SELECT data FROM term_blocks WHERE segment = ? ORDER BY first").all(segment.id);
    for (const { data } of blocks) {
      if (!(data instanceof Uint8Array)) continue;
      for (const entry of readBlock(data)) {
        readPostings(data, entry.start, entry.end, segment.documents, (document, weight) => {
          if (isDead(segment, document)) return;
          const at = `${named(segment.places[document * 2])}#${segment.places[document * 2 + 1]}`;
          found.push(`${at} ${entry.term} ${weight} ${segment.roles[document]} ${segment.lengths[document]}`);
        });
      }
    }
  }
  return found.sort();
}
