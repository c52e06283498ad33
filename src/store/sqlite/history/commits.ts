/** The commits of a repository and the files that they changed, for reading. */
import type { SQLOutputValue } from "node:sqlite";
import type { CommitInfo, FileChange, FileChurn, FileCommit, LineCounts, Touch } from "../../history_records.ts";
import { Connection } from "../connection.ts";
import { numberOrNull, textOrNull } from "../values.ts";

type SqlRow = Record<string, unknown>;

const COMMIT =
  "c.no, c.sha, c.parents, c.authored, c.time, c.author, c.email, c.subject, c.body, c.file_count, c.boundary";
/** All names that the file has had: those that map to the same current name. */
const NAMES = "SELECT no FROM paths WHERE now = (SELECT now FROM paths WHERE path = ?)";

export class SqliteCommits extends Connection {
  getValue(key: string): string | undefined {
    const row = this.prepare("SELECT value FROM meta WHERE key = ?").get(key);
    return row ? String(row.value) : undefined;
  }

  commitCount(): number {
    return Number(this.prepare("SELECT count(*) n FROM commits").get()?.n ?? 0);
  }

  byPrefix(prefix: string, limit: number): CommitInfo[] {
    return this.prepare(`SELECT ${COMMIT} FROM commits c WHERE c.sha >= ? AND c.sha < ? ORDER BY c.sha LIMIT ?`)
      .all(prefix, `${prefix}g`, limit)
      .map(commitInfo);
  }

  recent(limit: number): CommitInfo[] {
    return this.prepare(`SELECT ${COMMIT} FROM commits c ORDER BY c.time DESC, c.sha LIMIT ?`)
      .all(limit)
      .map(commitInfo);
  }

  *newer(no: number): Generator<CommitInfo> {
    for (const row of this.database
      .prepare(`SELECT ${COMMIT} FROM commits c WHERE c.no > ? ORDER BY c.no`)
      .iterate(no)) {
      yield commitInfo(row);
    }
  }

  commitsOf(path: string, limit: number): FileCommit[] {
    return this.prepare(
      `SELECT ${COMMIT}, p.path, o.path old, ch.added, ch.deleted
       FROM changes ch JOIN commits c ON c.no = ch.commit_no JOIN paths p ON p.no = ch.path
       LEFT JOIN paths o ON o.no = ch.old
       WHERE ch.path IN (${NAMES}) ORDER BY c.time DESC, c.sha, p.path LIMIT ?`,
    )
      .all(path, limit)
      .map((row) => ({
        ...commitInfo(row),
        path: String(row.path),
        old: textOrNull(row.old),
        added: numberOrNull(row.added),
        deleted: numberOrNull(row.deleted),
      }));
  }

  commitsBelow(folder: string, limit: number): (CommitInfo & Pick<FileCommit, "added" | "deleted">)[] {
    // "0" is the character after "/".
    return this.prepare(
      `SELECT ${COMMIT}, sum(ch.added) added, sum(ch.deleted) deleted
       FROM paths p JOIN changes ch ON ch.path = p.no JOIN commits c ON c.no = ch.commit_no
       WHERE p.path > ? AND p.path < ? GROUP BY c.no ORDER BY c.time DESC, c.sha LIMIT ?`,
    )
      .all(`${folder}/`, `${folder}0`, limit)
      .map((row) => ({ ...commitInfo(row), added: numberOrNull(row.added), deleted: numberOrNull(row.deleted) }));
  }

  countOf(path: string): number {
    return Number(this.prepare(`SELECT count(*) n FROM changes WHERE path IN (${NAMES})`).get(path)?.n ?? 0);
  }

  hasPath(path: string): boolean {
    return this.prepare("SELECT 1 FROM paths WHERE path = ?").get(path) !== undefined;
  }

  firstCommit(): string | undefined {
    const row = this.prepare("SELECT sha FROM commits WHERE parents = 0 ORDER BY time, sha LIMIT 1").get();
    return row && String(row.sha);
  }

  boundaryTime(): number | undefined {
    const row = this.prepare("SELECT max(time) time FROM commits WHERE boundary = 1").get();
    return row?.time === null || row === undefined ? undefined : Number(row.time);
  }

  lastTouch(path: string): { time: number; sha: string } | undefined {
    const row = this.prepare(
      `SELECT c.time, c.sha FROM changes ch JOIN commits c ON c.no = ch.commit_no
       WHERE ch.path IN (${NAMES}) ORDER BY c.time DESC, c.sha LIMIT 1`,
    ).get(path);
    return row ? { time: Number(row.time), sha: String(row.sha) } : undefined;
  }

  churn(): Map<string, FileChurn> {
    const rows = this.prepare(
      `SELECT n.path, count(*) commits, coalesce(sum(ch.added), 0) added, coalesce(sum(ch.deleted), 0) deleted,
         max(c.time) last
       FROM changes ch JOIN commits c ON c.no = ch.commit_no JOIN paths p ON p.no = ch.path JOIN paths n ON n.no = p.now
       GROUP BY p.now`,
    ).all();
    return new Map(
      rows.map(({ path, commits, added, deleted, last }) => [
        String(path),
        { commits: Number(commits), added: Number(added), deleted: Number(deleted), last: Number(last) },
      ]),
    );
  }

  filesOf(no: number): FileChange[] {
    return this.prepare(
      `SELECT p.path, o.path old, ch.added, ch.deleted FROM changes ch JOIN paths p ON p.no = ch.path
       LEFT JOIN paths o ON o.no = ch.old WHERE ch.commit_no = ? ORDER BY p.path`,
    )
      .all(no)
      .map((row) => ({
        path: String(row.path),
        ...(row.old === null ? {} : { old: String(row.old) }),
        ...(row.added === null ? {} : { added: Number(row.added), deleted: Number(row.deleted) }),
      }));
  }

  nameToday(path: string): string {
    const row = this.prepare("SELECT n.path FROM paths p JOIN paths n ON n.no = p.now WHERE p.path = ?").get(path);
    return row ? String(row.path) : path;
  }

  touches(path: string, maxFiles: number, limit: number): Touch[] {
    const rows = this.prepare(
      `SELECT c.no, c.time, n.path FROM
         (SELECT DISTINCT c.no, c.time, c.sha FROM changes ch JOIN commits c ON c.no = ch.commit_no
          WHERE ch.path IN (${NAMES}) AND c.parents = 1 AND c.file_count <= ? ORDER BY c.time DESC, c.sha LIMIT ?) c
       JOIN changes o ON o.commit_no = c.no JOIN paths p ON p.no = o.path JOIN paths n ON n.no = p.now
       ORDER BY c.time DESC, c.sha, n.path`,
    ).all(path, maxFiles, limit);
    return touchesIn(rows);
  }

  latestTouches(maxFiles: number, limit: number): Touch[] {
    const rows = this.prepare(
      `SELECT c.no, c.time, p.path FROM
         (SELECT no, time, sha, parents, file_count FROM commits ORDER BY time DESC, sha LIMIT ?) c
       JOIN changes ch ON ch.commit_no = c.no JOIN paths p ON p.no = ch.path
       WHERE c.parents = 1 AND c.file_count <= ? ORDER BY c.time DESC, c.sha, p.path`,
    ).all(limit, maxFiles);
    return touchesIn(rows);
  }

  touchCounts(paths: readonly string[]): Map<string, number> {
    const statement = this.prepare("SELECT touches FROM paths WHERE path = ?");
    return new Map(paths.map((path) => [path, Number(statement.get(path)?.touches ?? 0)]));
  }

  isBinary(path: string): boolean {
    const row = this.prepare(
      `SELECT ch.added FROM changes ch JOIN commits c ON c.no = ch.commit_no JOIN paths p ON p.no = ch.path
       WHERE p.path = ? ORDER BY c.time DESC, c.sha LIMIT 1`,
    ).get(path);
    return row !== undefined && row.added === null;
  }

  lineCounts(path: string): LineCounts | undefined {
    const row = this.prepare("SELECT blob, last, commits FROM line_counts WHERE path = ?").get(path);
    if (!row) return undefined;
    const commits = JSON.parse(String(row.commits)) as LineCounts["commits"];
    return { path, blob: String(row.blob), last: String(row.last), commits };
  }

  allPaths(): string[] {
    return this.prepare("SELECT path FROM paths")
      .all()
      .map((row) => String(row.path));
  }

  pathsLike(path: string, limit: number): string[] {
    return this.prepare(
      `SELECT path FROM paths WHERE path = ?1 OR substr(path, -length(?1) - 1) = '/' || ?1
       ORDER BY path = ?1 DESC, length(path), path LIMIT ?2`,
    )
      .all(path, limit)
      .map((row) => String(row.path));
  }

  reverts(): { sha: string; body: string }[] {
    return this.prepare("SELECT sha, body FROM commits WHERE instr(body, 'everts') > 0 ORDER BY time DESC, sha")
      .all()
      .map((row) => ({ sha: String(row.sha), body: String(row.body) }));
  }
}

/** Rows of commits and their files, a commit's rows one after the other. */
function touchesIn(rows: readonly Record<string, SQLOutputValue>[]): Touch[] {
  const found = new Map<number, { time: number; files: string[] }>();
  for (const row of rows) {
    const touch = found.get(Number(row.no)) ?? { time: Number(row.time), files: [] };
    touch.files.push(String(row.path));
    found.set(Number(row.no), touch);
  }
  return [...found.values()];
}

function commitInfo(row: SqlRow): CommitInfo {
  return {
    no: Number(row.no),
    sha: String(row.sha),
    parents: Number(row.parents),
    authored: Number(row.authored),
    time: Number(row.time),
    author: String(row.author),
    email: String(row.email),
    subject: String(row.subject),
    body: String(row.body),
    file_count: Number(row.file_count),
    boundary: Number(row.boundary) === 1,
  };
}
