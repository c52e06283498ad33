/** Everything an index and an archive hold, in a form that two runs can be compared by. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { listArchive, readDirectory, readMessages } from "../../src/store/archive.ts";
import { isDead, loadSegments } from "../../src/store/sqlite/segments.ts";
import { readBlock } from "../../src/store/terms/blocks.ts";
import { readPostings } from "../../src/store/terms/postings.ts";

export interface Dump {
  archive: Record<string, unknown>;
  conversations: unknown[];
  messages: unknown[];
  files: unknown[];
  commits: unknown[];
  words: unknown[];
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
      words: wordsOf(database, named),
    };
  } finally {
    database.close();
  }
}

/** Every term of every message with its weight, whatever segments they lie in. */
function wordsOf(database: DatabaseSync, named: (no: unknown) => string): unknown[] {
  const found: string[] = [];
  const segments = loadSegments((sql) => database.prepare(sql));
  for (const segment of segments) {
    const blocks = database.prepare("SELECT data FROM term_blocks WHERE segment = ? ORDER BY first").all(segment.id);
    for (const { data } of blocks) {
      if (!(data instanceof Uint8Array)) continue;
      for (const entry of readBlock(data)) {
        readPostings(data, entry.start, entry.end, (document, weight) => {
          if (isDead(segment, document)) return;
          const at = `${named(segment.places[document * 2])}#${segment.places[document * 2 + 1]}`;
          found.push(`${at} ${entry.term} ${weight} ${segment.roles[document]} ${segment.lengths[document]}`);
        });
      }
    }
  }
  return found.sort();
}
