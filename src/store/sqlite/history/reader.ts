/**
 * A repository's history in SQLite, for reading: its commits, and what dex found in them and in conversations. Statements
 * are prepared once and cached.
 */
import type { HistoryReader } from "../../history.ts";
import type {
  CommandRun,
  FoundDecision,
  ScanMark,
  SeenEdit,
  SeenOutcome,
  SessionRecord,
  UndoneEdit,
} from "../../history_records.ts";
import { openRebuildable } from "../rebuildable.ts";
import { numberOrNull, textOrNull } from "../values.ts";
import { SqliteCommits } from "./commits.ts";
import { HISTORY } from "./schema.ts";

/** Key of the number of changes of the outcomes. */
export const OUTCOME_REVISION = "outcome_revision";

/** An empty history if there is none yet. */
export function openHistory(path: string): SqliteHistory {
  return new SqliteHistory(openRebuildable(HISTORY, path, "read").database);
}

export class SqliteHistory extends SqliteCommits implements HistoryReader {
  decisions(): FoundDecision[] {
    return this.prepare("SELECT * FROM decisions ORDER BY time DESC, id, owner")
      .all()
      .map((row) => ({
        id: String(row.id),
        origin: String(row.origin) as FoundDecision["origin"],
        owner: String(row.owner),
        place: String(row.place),
        text: String(row.text),
        because: textOrNull(row.because),
        alternatives: listOf(row.alternatives),
        files: [...new Set(listOf(row.files).map((path) => this.nameToday(path)))],
        symbols: listOf(row.symbols),
        score: Number(row.score),
        time: Number(row.time),
        status: String(row.status) as FoundDecision["status"],
      }));
  }

  outcomes(): SeenOutcome[] {
    return this.prepare("SELECT * FROM outcomes ORDER BY time, no")
      .all()
      .map((row) => ({
        owner: String(row.owner),
        place: String(row.place),
        runner: String(row.runner),
        file: textOrNull(row.file),
        name: textOrNull(row.name),
        status: String(row.status) as SeenOutcome["status"],
        message: textOrNull(row.message),
        total: numberOrNull(row.total),
        time: Number(row.time),
        ...(row.folder === null ? {} : { folder: String(row.folder) }),
        ...(row.scope === null ? {} : { scope: String(row.scope) }),
      }));
  }

  edits(): SeenEdit[] {
    return this.prepare("SELECT owner, path, place, time FROM edits ORDER BY time, owner, path")
      .all()
      .map((row) => ({
        owner: String(row.owner),
        path: String(row.path),
        place: String(row.place),
        time: Number(row.time),
      }));
  }

  runsOf(command: string, limit: number): CommandRun[] {
    return this.prepare("SELECT * FROM runs WHERE command = ? ORDER BY time DESC, no DESC LIMIT ?")
      .all(command, limit)
      .map((row) => ({
        owner: String(row.owner),
        place: String(row.place),
        command: String(row.command),
        failed: Number(row.failed) === 1,
        edited: Number(row.edited) === 1,
        message: textOrNull(row.message),
        time: Number(row.time),
      }));
  }

  undoneOf(path: string, limit: number): UndoneEdit[] {
    return this.prepare("SELECT * FROM undone WHERE path = ? ORDER BY time DESC, no DESC LIMIT ?")
      .all(path, limit)
      .map((row) => ({
        owner: String(row.owner),
        place: String(row.place),
        kind: String(row.kind) as UndoneEdit["kind"],
        path: String(row.path),
        after: numberOrNull(row.after),
        text: String(row.text),
        time: Number(row.time),
      }));
  }

  neighboursOf(path: string): string | undefined {
    const row = this.prepare("SELECT list FROM neighbours WHERE path = ?").get(path);
    return row && String(row.list);
  }

  sessionOf(owner: string): SessionRecord | undefined {
    const row = this.prepare("SELECT * FROM sessions WHERE owner = ?").get(owner);
    return row && { owner, messages: Number(row.messages), did: String(row.did), open: String(row.open) };
  }

  outcomeRevision(): number {
    return Number(this.getValue(OUTCOME_REVISION) ?? 0);
  }

  marks(kind: string): Map<string, ScanMark> {
    const rows = this.prepare("SELECT owner, messages, bytes FROM marks WHERE kind = ?").all(kind);
    return new Map(
      rows.map((row) => [
        String(row.owner),
        { owner: String(row.owner), messages: Number(row.messages), bytes: Number(row.bytes) },
      ]),
    );
  }
}

/** Lists are stored as JSON that this program wrote. */
function listOf(value: unknown): string[] {
  return JSON.parse(String(value)) as string[];
}
