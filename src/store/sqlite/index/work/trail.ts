/** Work of conversations on the files and commits of a repository, read from the index. */
import type { SQLOutputValue } from "node:sqlite";
import type { FileUse } from "../../../ports.ts";
import type { TrailConversation, TrailReader } from "../../../trails.ts";
import type { Prepare } from "../../connection.ts";

const COLUMNS = "no, source, id, title, project, created, updated, messages, archive, archive_bytes, parent_kind";

export function trailReader(prepare: Prepare): TrailReader {
  return {
    conversationsIn: (roots, limit, updatedSince = 0) => {
      const found = new Map<number, TrailConversation>();
      const statement = prepare(
        `SELECT ${COLUMNS} FROM conversations WHERE updated >= ?3 AND parent_kind IS NOT 'abandoned'
         AND (project = ?1 OR substr(project, 1, length(?1) + 1) = ?1 || '/') ORDER BY updated DESC, id LIMIT ?2`,
      );
      for (const root of roots) {
        for (const row of statement.all(root, limit, updatedSince)) found.set(Number(row.no), trailRow(row));
      }
      return [...found.values()].sort((a, b) => b.updated - a.updated || (a.id < b.id ? -1 : 1)).slice(0, limit);
    },
    conversation: (no) => {
      const row = prepare(`SELECT ${COLUMNS} FROM conversations WHERE no = ? AND project IS NOT NULL`).get(no);
      return row && trailRow(row);
    },
    commitsMade: () =>
      prepare("SELECT no, first, sha, subject FROM commits ORDER BY no, first, sha")
        .all()
        .map((row) => ({
          no: Number(row.no),
          first: Number(row.first),
          sha: String(row.sha),
          subject: String(row.subject),
        })),
    touching: (paths) => {
      const statement = prepare("SELECT no, path, how, first FROM files WHERE path = ? ORDER BY no, first, how");
      return paths.flatMap((path) =>
        statement.all(path).map((row) => ({
          no: Number(row.no),
          path: String(row.path),
          how: String(row.how) as FileUse,
          first: Number(row.first),
        })),
      );
    },
    ownersPlace: () => undefined,
  };
}

function trailRow(row: Record<string, SQLOutputValue>): TrailConversation {
  return {
    no: Number(row.no),
    source: String(row.source),
    id: String(row.id),
    title: row.parent_kind === "abandoned" ? `${String(row.title)} (abandoned)` : String(row.title),
    project: String(row.project),
    created: Number(row.created),
    updated: Number(row.updated),
    messages: Number(row.messages),
    archive: String(row.archive),
    archive_bytes: Number(row.archive_bytes),
    subagent: row.parent_kind === "subagent",
    abandoned: row.parent_kind === "abandoned",
  };
}
