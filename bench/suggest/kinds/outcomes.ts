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
import { execFileSync } from "node:child_process";
import type { Decision } from "../../../src/decisions/decision.ts";
import type { Candidate, ProjectView } from "../../../src/suggest/evidence.ts";
import { editedBy, readBy } from "../../../src/suggest/past_work.ts";
import { MIN_MET_OF_COMMIT } from "../../../src/suggest/providers/changes.ts";
import { meets } from "../../../src/suggest/usual.ts";
import { Analyser, SMALL_CAPACITY } from "../../../src/text/analyser.ts";

export interface LaterWork {
  /** From the root of the repository. */
  edited: ReadonlySet<string>;
  opened: ReadonlySet<string>;
  /** The file that the question was about, if the work had to edit it: that proves nothing. */
  about: ReadonlySet<string>;
  /** The description of the work, if the question did not contain it. */
  message: string;
  diff: Diff | undefined;
}

export interface Diff {
  /** Changed lines, by file, as the ranges before and after the commit. */
  ranges: ReadonlyMap<string, { before: Range[]; after: Range[] }>;
  text: string;
}

type Range = readonly [first: number, last: number];

/** Lines that count as the same place. */
const NEAR_LINES = 3;
const MAX_DIFF_CHARS = 400_000;
/** The share of a decision's words that a message has to repeat, and their number. */
const MIN_SHARED = 0.3;
const MIN_SHARED_WORDS = 2;

export function isUseful(candidate: Candidate, view: ProjectView, later: LaterWork, folder: string): boolean {
  const [kind = "", ...rest] = candidate.entityId.split(":");
  const name = rest.join(":");
  if (kind === "file") return later.edited.has(name) || later.opened.has(name);
  if (kind === "conversation") return usefulConversation(name, view, later);
  if (kind === "commit") return usefulChange(name, view, later, folder);
  const decision = view.decisions().find(({ id }) => id === name);
  return decision !== undefined && usefulDecision(decision, later);
}

function usefulConversation(name: string, view: ProjectView, later: LaterWork): boolean {
  const id = name.slice(name.indexOf(":") + 1);
  const row = view.index.byPrefix(id, undefined, 2).find((each) => each.id === id);
  if (!row) return false;
  const edited = editedBy(view, row);
  if (edited.length > 0) return meets(edited, later.edited, later.about);
  return meets(readBy(view, row), later.opened, later.about);
}

function usefulChange(sha: string, view: ProjectView, later: LaterWork, folder: string): boolean {
  const [commit] = view.history.byPrefix(sha, 1);
  if (!commit) return false;
  const paths = view.history.filesOf(commit.no).map(({ path }) => path);
  if (meets(paths, later.edited, later.about, MIN_MET_OF_COMMIT)) return true;
  const [about] = later.about;
  if (about === undefined || !later.diff) return false;
  const now = later.diff.ranges.get(about)?.before ?? [];
  const then = diffOf(folder, sha).ranges.get(about)?.after ?? [];
  return now.some(([first, last]) => then.some(([a, b]) => first <= b + NEAR_LINES && a <= last + NEAR_LINES));
}

function usefulDecision(decision: Decision, later: LaterWork): boolean {
  if (meets(decision.files, later.edited, later.about)) return true;
  const lines = later.diff?.text ?? "";
  if (decision.symbols.some((symbol) => new RegExp(`(?<![\\w$])${escaped(symbol)}(?![\\w$])`).test(lines))) return true;
  const analyser = new Analyser(SMALL_CAPACITY);
  const said = new Set(analyser.words(later.message));
  const words = [...new Set(analyser.words(decision.text))];
  const shared = words.filter((word) => said.has(word)).length;
  return shared >= MIN_SHARED_WORDS && shared >= MIN_SHARED * words.length;
}

function escaped(text: string): string {
  return text.replace(/[$.*+?^(){}|[\]\\]/g, "\\$&");
}

const diffs = new Map<string, Diff>();

export function diffOf(folder: string, sha: string): Diff {
  const known = diffs.get(`${folder} ${sha}`);
  if (known) return known;
  const args = ["-C", folder, "diff-tree", "--root", "-p", "-U0", "--no-color", "--no-ext-diff", sha];
  const text = execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 }).slice(0, MAX_DIFF_CHARS);
  const ranges = new Map<string, { before: Range[]; after: Range[] }>();
  let file = "";
  const changed: string[] = [];
  for (const line of text.split("\n")) {
    const [, path] = /^diff --git a\/(.+) b\/.+$/.exec(line) ?? [];
    if (path !== undefined) file = path;
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      const entry = ranges.get(file) ?? { before: [], after: [] };
      entry.before.push(rangeOf(hunk[1], hunk[2]));
      entry.after.push(rangeOf(hunk[3], hunk[4]));
      ranges.set(file, entry);
    } else if (/^[+-](?![+-])/.test(line)) changed.push(line.slice(1));
  }
  const diff = { ranges, text: changed.join("\n") };
  diffs.set(`${folder} ${sha}`, diff);
  return diff;
}

function rangeOf(first: string | undefined, count: string | undefined): Range {
  const start = Number(first);
  return [start, start + Math.max(0, Number(count ?? 1) - 1)];
}
