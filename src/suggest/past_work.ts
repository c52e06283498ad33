/** One line about what a past conversation did here: the files it edited together, its commits, and how it ended. */
import type { Repository } from "../history/repository.ts";
import { lastName } from "../kernel/files/paths.ts";
import { filesUsed } from "../project/changes.ts";
import { quoteLine } from "../redact/quote.ts";
import type { HistoryReader } from "../store/history.ts";
import type { CommitRow, ConversationReader, ConversationRow, FileRow } from "../store/ports.ts";

const MAX_FILES = 3;
const MAX_OUTCOME_CHARS = 140;
const MAX_SUBJECT_CHARS = 60;
/** Messages at the end that may contain the outcome. */
const MAX_TAIL_MESSAGES = 12;

export interface PastWork {
  repository: Repository;
  history: HistoryReader;
  index: ConversationReader;
  /** The files of a conversation, cached because several providers ask for the same ones. */
  filesIn(no: number): readonly FileRow[];
}

type FilesOfWork = Pick<PastWork, "repository" | "filesIn">;
type Whose = Pick<ConversationRow, "no" | "project">;

/** Files of this project that the conversation edited, in the order of the first use. */
export function editedBy({ repository, filesIn }: FilesOfWork, row: Whose): readonly string[] {
  return filesUsed(repository, filesIn(row.no), row.project ?? repository.root, "edited");
}

export function readBy({ repository, filesIn }: FilesOfWork, row: Whose): readonly string[] {
  return filesUsed(repository, filesIn(row.no), row.project ?? repository.root, "read");
}

/** `about`: the files of the current work; they are named first. */
export function workInWords(sources: PastWork, row: ConversationRow, about: readonly string[]): string {
  const edited = editedBy(sources, row);
  const ordered = [...edited.filter((path) => about.includes(path)), ...edited.filter((path) => !about.includes(path))];
  const more = ordered.length > MAX_FILES ? ` and ${ordered.length - MAX_FILES} more` : "";
  const parts = [
    ordered.length === 0 ? "edited nothing here" : `edited ${ordered.slice(0, MAX_FILES).join(", ")}${more}`,
    committed(sources, row),
    outcome(sources, row),
  ];
  return parts.filter((part) => part !== "").join("; ");
}

/** The same for a conversation of another project. */
export function elsewhereInWords(sources: Pick<PastWork, "index">, row: ConversationRow): string {
  const where = row.project === null ? "in no project" : `in another project, ${lastName(row.project)}`;
  return [where, outcome(sources, row)].filter((part) => part !== "").join("; ");
}

/** The last of its commits that the history still has: a rebase or reset may have removed the others. */
function keptCommit({ index, history }: PastWork, { no }: ConversationRow): CommitRow | undefined {
  return index.commits(no).findLast(({ sha }) => history.byPrefix(sha, 1).length > 0);
}

function committed(sources: PastWork, row: ConversationRow): string {
  const last = keptCommit(sources, row);
  return last ? `committed ${last.sha.slice(0, 8)} "${quoteLine(last.subject, MAX_SUBJECT_CHARS)}"` : "";
}

/**
 * The agent's last text, if it states an outcome. Heads of tool calls begin with a bracket, and a colon at the end
 * announces a call.
 */
function outcome({ index }: Pick<PastWork, "index">, { no, messages }: ConversationRow): string {
  const last = index
    .messages(no, Math.max(0, messages - MAX_TAIL_MESSAGES), messages)
    .findLast(({ role, head }) => role === "assistant" && head !== "" && !head.startsWith("[") && !head.endsWith(":"));
  return last ? `ended with "${quoteLine(last.head, MAX_OUTCOME_CHARS)}"` : "";
}
