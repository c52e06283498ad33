/** Summaries as text: one line per conversation, and one line for all earlier ones. */
import { shownPath } from "../conversations/activity/input.ts";
import type { ClosingStage } from "../conversations/activity/work.ts";
import { compareText, plural } from "../kernel/text.ts";
import { dayOf } from "../kernel/time.ts";
import { quoteForModel } from "../redact/quote.ts";
import { plainWords } from "../text/plain_words.ts";
import { isOutside, type Summary } from "./summary.ts";

const MAX_LINE_CHARS = 700;
const SHOWN_FILES = 5;
const SHOWN_EARLIER_FILES = 6;
const SHOWN_COMMITS = 3;
const SHOWN_POINTS = 3;
/** Two texts that begin alike up to here say the same. */
const COMPARED_CHARS = 60;
const MAX_REQUEST_CHARS = 200;
const MAX_POINT_CHARS = 160;

/** Labels of the last words of an agent. */
export const CLOSING_LABELS: Readonly<Record<ClosingStage, string>> = {
  final: "outcome",
  unfinished: "no final message, last words",
  earlier: "outcome before the latest request",
};

export function changedLines({ added, removed }: { added: number; removed: number }): string {
  return added + removed === 0 ? "" : ` +${added} -${removed}`;
}

/** `address` identifies the conversation uniquely. */
export function summaryLine(summary: Summary, address: string, root: string): string {
  const parts = [`${dayOf(summary.updated)} ${quoteForModel(summary.title, 120) || "untitled"} (${address})`];
  const [first, ...later] = summary.asked;
  const latest = later.at(-1);
  if (first && !sameWords(first.text, summary.title))
    parts.push(`asked: ${quoteForModel(first.text, MAX_REQUEST_CHARS)}`);
  if (latest) parts.push(`last asked: ${quoteForModel(latest.text, MAX_REQUEST_CHARS)}`);
  parts.push(...doneParts(summary, root));
  const found = (kind: string): string[] =>
    summary.findings.filter((each) => each.kind === kind).map(({ text }) => text);
  const decided = summary.engine === "model" ? found("decision") : summary.decided.map(({ text }) => text);
  const open = summary.engine === "model" ? found("open") : summary.open.map(({ text }) => text);
  if (summary.engine === "model")
    parts.push(...pointsOf("done", found("done")), ...pointsOf("problem", found("problem")));
  parts.push(...pointsOf("decided", decided), ...pointsOf("open", open.slice(0, SHOWN_POINTS)));
  if (summary.engine !== "model" && summary.outcome) {
    const { stage = "final", text } = summary.outcome;
    parts.push(`${CLOSING_LABELS[stage]}: ${quoteForModel(text, MAX_REQUEST_CHARS)}`);
  }
  return quoteForModel(parts.join("; "), MAX_LINE_CHARS);
}

/** The path in the project, also where the conversation was held in a copy of it in another folder. */
function pathIn(path: string, { project }: Summary, root: string): string {
  return shownPath(path, isOutside(path, root) ? project : root);
}

function doneParts(summary: Summary, root: string): string[] {
  const { files, file_count, commits, commit_count, tests } = summary;
  const parts: string[] = [];
  if (file_count > 0) {
    const shown = files.slice(0, SHOWN_FILES).map((file) => `${pathIn(file.path, summary, root)}${changedLines(file)}`);
    const more = file_count - shown.length;
    parts.push(`edited ${shown.join(", ")}${more > 0 ? ` and ${plural(more, "more file", "more files")}` : ""}`);
  }
  if (commit_count > 0) {
    const shown = commits.slice(-SHOWN_COMMITS);
    const more = commit_count - shown.length;
    parts.push(`committed ${shown.join(", ")}${more > 0 ? ` and ${more} before` : ""}`);
  }
  if (tests.failed_count > 0) parts.push(`tests failing: ${tests.failed.slice(0, 3).join(", ")}`);
  else if (tests.passed > 0) parts.push(`tests passed, ${tests.passed} of them named`);
  return parts;
}

function pointsOf(label: string, points: readonly string[]): string[] {
  if (points.length === 0) return [];
  const shown = points.slice(-SHOWN_POINTS).map((point) => quoteForModel(point, MAX_POINT_CHARS));
  return [`${label}: ${shown.join(" / ")}`];
}

function sameWords(a: string, b: string): boolean {
  return plainWords(a).slice(0, COMPARED_CHARS) === plainWords(b).slice(0, COMPARED_CHARS);
}

/** Undefined if there are no earlier conversations. */
export function earlierLine(earlier: readonly Summary[], root: string): string | undefined {
  if (earlier.length === 0) return undefined;
  const counts = new Map<string, number>();
  for (const summary of earlier) {
    for (const { path } of summary.files) {
      const inside = pathIn(path, summary, root);
      counts.set(inside, (counts.get(inside) ?? 0) + 1);
    }
  }
  const often = [...counts].sort(([a, m], [b, n]) => n - m || compareText(a, b)).slice(0, SHOWN_EARLIER_FILES);
  const commits = earlier.reduce((sum, { commit_count }) => sum + commit_count, 0);
  const since = dayOf(Math.min(...earlier.map(({ updated }) => updated)));
  const files = often.length === 0 ? "" : `; most edited: ${often.map(([path, n]) => `${path} (${n})`).join(", ")}`;
  return quoteForModel(
    `before: ${plural(earlier.length, "conversation")} since ${since}, ${plural(commits, "commit")}${files}`,
    MAX_LINE_CHARS,
  );
}
