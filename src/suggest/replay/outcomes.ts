/**
 * Whether an item was of use, by what the work did afterwards. No opinion is needed: each kind has an outcome that the
 * commit or the session shows.
 *
 * | type | of use if the later work |
 * |---|---|
 * | conversation | edited a tenth of the files that it edited (one at least); if it edited none, opened files it read |
 * | change | edited a third of the files of that commit (another one at least), or the same lines |
 * | decision | edited another file of the decision, a line with one of its symbols, or says what the decision says |
 * | doc, related_code | edited or opened that file |
 */
import type { Decision } from "../../decisions/decision.ts";
import { Analyser, SMALL_CAPACITY } from "../../text/terms/analyser.ts";
import { isRelatedWork } from "../base_rates.ts";
import type { Candidate, ProjectView } from "../evidence.ts";
import { editedBy, readBy } from "../past_work.ts";
import { MIN_MET_OF_COMMIT } from "../providers/changes.ts";
import type { Diff, Diffs } from "./diffs.ts";

export interface LaterWork {
  /** From the root of the repository. */
  edited: ReadonlySet<string>;
  opened: ReadonlySet<string>;
  /** The file that the question was about: that the work edited it proves nothing. */
  about: ReadonlySet<string>;
  /** The description of the work, if the question did not contain it. */
  message: string;
  diff: Diff | undefined;
}

/** Lines at most this far apart count as the same place. */
const NEAR_LINES = 3;
/** The share of a decision's words that a message must repeat, and their least number. */
const MIN_SHARED = 0.3;
const MIN_SHARED_WORDS = 2;
const MAX_RENAMES_LOOKED_AT = 50;

export function isUseful(candidate: Candidate, view: ProjectView, later: LaterWork, diffs: Diffs): boolean {
  const [kind = "", ...rest] = candidate.entityId.split(":");
  const name = rest.join(":");
  if (kind === "file") return namesOf(view, name).some((path) => later.edited.has(path) || later.opened.has(path));
  if (kind === "conversation") return usefulConversation(name, view, later);
  if (kind === "commit") return usefulChange(name, view, later, diffs);
  const decision = view.decisions().find(({ id }) => id === name);
  return decision !== undefined && usefulDecision(decision, later);
}

/** The file's names in the past: past work used the name of its time. */
function namesOf({ history }: ProjectView, path: string): string[] {
  return [
    path,
    ...history.commitsOf(path, MAX_RENAMES_LOOKED_AT).flatMap((each) => [each.path, each.old ?? each.path]),
  ];
}

function usefulConversation(name: string, view: ProjectView, later: LaterWork): boolean {
  const id = name.slice(name.indexOf(":") + 1);
  const row = view.index.byPrefix(id, undefined, 2).find((each) => each.id === id);
  if (!row) return false;
  const edited = editedBy(view, row);
  if (edited.length > 0) return isRelatedWork(edited, later.edited, later.about);
  return isRelatedWork(readBy(view, row), later.opened, later.about);
}

function usefulChange(sha: string, view: ProjectView, later: LaterWork, diffs: Diffs): boolean {
  const [commit] = view.history.byPrefix(sha, 1);
  if (!commit) return false;
  const paths = view.history.filesOf(commit.no).map(({ path }) => path);
  if (isRelatedWork(paths, later.edited, later.about, MIN_MET_OF_COMMIT)) return true;
  const [about] = later.about;
  if (about === undefined || !later.diff) return false;
  const now = later.diff.ranges.get(about)?.before ?? [];
  const then = diffs.of(sha)?.ranges.get(about)?.after ?? [];
  return now.some(([first, last]) => then.some(([a, b]) => first <= b + NEAR_LINES && a <= last + NEAR_LINES));
}

function usefulDecision(decision: Decision, later: LaterWork): boolean {
  if (isRelatedWork(decision.files, later.edited, later.about)) return true;
  const lines = later.diff?.text ?? "";
  if (decision.symbols.some((symbol) => hasWord(lines, symbol))) return true;
  const analyser = new Analyser(SMALL_CAPACITY);
  const said = new Set(analyser.words(later.message));
  const words = [...new Set(analyser.words(decision.text))];
  const shared = words.filter((word) => said.has(word)).length;
  return shared >= MIN_SHARED_WORDS && shared >= MIN_SHARED * words.length;
}

function hasWord(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`).test(text);
}
