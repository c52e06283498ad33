/** Writes a repository's history: everything written until `commit` is one transaction. The caller holds the lock. */
import { parseJson } from "../../../kernel/json.ts";
import { CACHED_DECISIONS, type HistoryWriter, stampKey, TERMS_OF_LIST } from "../../history.ts";
import {
  type CommitRecord,
  type FoundDecision,
  type LineCounts,
  MAX_COCHANGE_FILES,
  type SeenOutcome,
} from "../../history_records.ts";
import { wipeDeleted } from "../connection.ts";
import { openRebuildable } from "../rebuildable.ts";
import { OUTCOME_REVISION } from "./reader.ts";
import { HISTORY } from "./schema.ts";
import { SqliteWorkWriter } from "./work_writer.ts";

export function openHistoryWriter(path: string): SqliteHistoryWriter {
  return new SqliteHistoryWriter(openRebuildable(HISTORY, path, "write").database);
}

const TABLES = [
  "meta",
  "commits",
  "paths",
  "changes",
  "decisions",
  "outcomes",
  "neighbours",
  "line_counts",
  "edits",
  "runs",
  "undone",
  "replacements",
  "sessions",
  "marks",
];

export class SqliteHistoryWriter extends SqliteWorkWriter implements HistoryWriter {
  readonly #paths = new Map<string, number>();

  setValue(key: string, value: string): void {
    this.write("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(key, value);
  }

  addCommit(commit: CommitRecord): void {
    const { changes, lastInsertRowid: no } = this.write(
      `INSERT OR IGNORE INTO commits (sha, parents, authored, time, author, email, subject, body, file_count, boundary)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      commit.sha,
      commit.parents,
      commit.authored,
      commit.time,
      commit.author,
      commit.email,
      commit.subject,
      commit.body,
      commit.file_count,
      commit.boundary ? 1 : 0,
    );
    if (Number(changes) === 0) return;
    const insert = this.write(
      "INSERT OR REPLACE INTO changes (path, commit_no, old, added, deleted) VALUES (?, ?, ?, ?, ?)",
    );
    for (const { path, old, added, deleted } of commit.files) {
      insert.run(this.#pathNo(path), no, old === undefined ? null : this.#pathNo(old), added ?? null, deleted ?? null);
    }
  }

  removeCommits(shas: readonly string[]): void {
    const find = this.prepare("SELECT no FROM commits WHERE sha = ?");
    for (const sha of shas) {
      const no = find.get(sha)?.no;
      if (typeof no !== "number") continue;
      this.write("DELETE FROM changes WHERE commit_no = ?").run(no);
      this.write("DELETE FROM commits WHERE no = ?").run(no);
      this.removeDecisions(sha);
    }
    this.execute(
      `DELETE FROM paths WHERE NOT EXISTS (SELECT 1 FROM changes WHERE changes.path = paths.no)
       AND no NOT IN (SELECT old FROM changes WHERE old IS NOT NULL)`,
    );
    this.#paths.clear();
  }

  /**
   * A name maps to the one it was renamed to, unless a later commit touched the old name: then it is a separate file
   * again. The latest rename counts.
   */
  followRenames(): void {
    const renames = this.prepare(
      `SELECT ch.old, ch.path, c.time FROM changes ch JOIN commits c ON c.no = ch.commit_no
       WHERE ch.old IS NOT NULL ORDER BY c.time DESC, c.sha, ch.path`,
    ).all();
    const last = this.prepare(
      "SELECT max(c.time) t FROM changes ch JOIN commits c ON c.no = ch.commit_no WHERE ch.path = ?",
    );
    const now = new Map<number, number>();
    for (const row of renames) {
      const old = Number(row.old);
      const path = Number(row.path);
      if (now.has(old) || Number(last.get(old)?.t ?? 0) > Number(row.time)) continue;
      const target = now.get(path) ?? path;
      if (target !== old) now.set(old, target);
    }
    this.execute("UPDATE paths SET now = no WHERE now <> no");
    const set = this.write("UPDATE paths SET now = ? WHERE no = ?");
    for (const [no, target] of now) set.run(target, no);
    this.#countTouches();
  }

  #countTouches(): void {
    const counted = this.prepare(
      `SELECT p.now, count(*) n FROM changes ch JOIN commits c ON c.no = ch.commit_no JOIN paths p ON p.no = ch.path
       WHERE c.parents = 1 AND c.file_count <= ? GROUP BY p.now`,
    ).all(MAX_COCHANGE_FILES);
    this.execute("UPDATE paths SET touches = 0 WHERE touches <> 0");
    const set = this.write("UPDATE paths SET touches = ? WHERE now = ?");
    for (const { now, n } of counted) set.run(n ?? 0, now ?? 0);
  }

  clear(): void {
    const revision = this.outcomeRevision();
    // Answers of a model cost money, and do not come from git.
    for (const table of TABLES) {
      this.execute(`DELETE FROM ${table} ${table === "decisions" ? "WHERE owner NOT LIKE 'model:%'" : ""}`);
    }
    this.setValue(OUTCOME_REVISION, String(revision + 1));
    this.#paths.clear();
  }

  addDecisions(decisions: readonly FoundDecision[]): void {
    const insert = this.write(
      `INSERT OR REPLACE INTO decisions
       (id, origin, owner, place, text, because, alternatives, files, symbols, score, time, status)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    if (decisions.length > 0) this.#decisionsChanged();
    for (const each of decisions) {
      insert.run(
        each.id,
        each.origin,
        each.owner,
        each.place,
        each.text,
        each.because,
        JSON.stringify(each.alternatives),
        JSON.stringify(each.files),
        JSON.stringify(each.symbols),
        each.score,
        each.time,
        each.status,
      );
    }
  }

  removeDecisions(owner: string): void {
    const { changes } = this.write("DELETE FROM decisions WHERE owner = ?").run(owner);
    if (changes > 0) this.#decisionsChanged();
  }

  addOutcomes(outcomes: readonly SeenOutcome[]): void {
    if (outcomes.length === 0) return;
    this.#outcomesChanged();
    const insert = this.write(
      `INSERT INTO outcomes (owner, place, runner, file, name, status, message, total, time, folder, scope)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const { owner, place, runner, file, name, status, message, total, time, folder, scope } of outcomes) {
      insert.run(owner, place, runner, file, name, status, message, total, time, folder ?? null, scope ?? null);
    }
  }

  removeOutcomes(owner: string): void {
    const { changes } = this.write("DELETE FROM outcomes WHERE owner = ?").run(owner);
    if (Number(changes) > 0) this.#outcomesChanged();
  }

  setNeighbours(lists: readonly (readonly [path: string, list: string])[]): void {
    this.execute("DELETE FROM neighbours");
    const insert = this.write("INSERT INTO neighbours (path, list) VALUES (?, ?)");
    for (const [path, list] of lists) insert.run(path, list);
  }

  setLineCounts(counts: readonly LineCounts[]): void {
    const insert = this.write("INSERT OR REPLACE INTO line_counts (path, blob, last, commits) VALUES (?, ?, ?, ?)");
    for (const { path, blob, last, commits } of counts) insert.run(path, blob, last, JSON.stringify(commits));
  }

  forget(owner: string): number {
    let gone = 0;
    for (const table of ["decisions", "outcomes"]) {
      gone += Number(this.write(`DELETE FROM ${table} WHERE owner IN (?1, 'model:' || ?1)`).run(owner).changes);
    }
    this.removeWork(owner);
    this.removeEdits(owner);
    this.write("DELETE FROM marks WHERE owner IN (?1, 'model:' || ?1)").run(owner);
    // The lists of copies contain folders of conversations. The next command finds the copies again.
    this.write("DELETE FROM meta WHERE key IN ('copies', 'copies_stamp')").run();
    if (gone > 0) {
      this.#outcomesChanged();
      this.#decisionsChanged();
    }
    return gone;
  }

  forgetKept(quotes: (text: string) => boolean): void {
    for (const { key, value } of this.prepare("SELECT key, value FROM meta").all()) {
      if (String(key).endsWith(TERMS_OF_LIST)) continue;
      const kept = parseJson(String(value));
      if (!Array.isArray(kept)) continue;
      const left = kept.filter((item) => !quotes(JSON.stringify(item)));
      if (left.length === kept.length) continue;
      this.setValue(String(key), JSON.stringify(left));
      this.write("DELETE FROM meta WHERE key IN (?, ?)").run(`${key}${TERMS_OF_LIST}`, stampKey(String(key)));
    }
  }

  /** Rewrites the file to erase everything that was removed from the disk. */
  purge(): void {
    this.commit();
    wipeDeleted(this.database);
  }

  commit(): void {
    if (this.transaction.open) this.transaction.commit();
  }

  #decisionsChanged(): void {
    this.write("DELETE FROM meta WHERE key = ?").run(stampKey(CACHED_DECISIONS));
  }

  #outcomesChanged(): void {
    this.setValue(OUTCOME_REVISION, String(this.outcomeRevision() + 1));
  }

  #pathNo(path: string): number {
    const known = this.#paths.get(path);
    if (known !== undefined) return known;
    const row = this.prepare("SELECT no FROM paths WHERE path = ?").get(path);
    const no = row ? Number(row.no) : this.#newPath(path);
    if (this.#paths.size < 100_000) this.#paths.set(path, no);
    return no;
  }

  #newPath(path: string): number {
    const no = Number(this.write("INSERT INTO paths (path, now) VALUES (?, 0)").run(path).lastInsertRowid);
    this.write("UPDATE paths SET now = no WHERE no = ?").run(no);
    return no;
  }
}
