/** Summarizes the work in a period, by project and conversation. */
import { shownPath } from "../../conversations/activity/input.ts";
import { agentName } from "../../integrations/registry.ts";
import { compareText, plural } from "../../kernel/text.ts";
import { dayOf } from "../../kernel/time.ts";
import { isOutside } from "../../memory/summary.ts";
import { CLOSING_LABELS } from "../../memory/summary_lines.ts";
import { clipPath } from "../../text/clip.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import type { BatchResult, Facts, Finding, Workflow } from "../workflow.ts";
import { factsOf } from "./facts.ts";
import { bullets, conversationOf, inline, references } from "./markdown.ts";

const MAX_SHOWN_FILES = 8;
const MAX_SHOWN_COMMITS = 10;
const MAX_SHOWN_FINDINGS = 20;

/** `when`: the period in words, as "from 8 to 15 November 2026"; empty for all time. */
export function summarize(when: string, maxTokens: number): Workflow {
  return {
    name: "summarize",
    title: when === "" ? "Summary" : `Summary ${when}`,
    task: [
      "Summarize each conversation for the person who took part in it and will read the summary weeks later: the request",
      "and its result, decisions and their reasons, problems and their solutions, and open points. Two to six findings for a conversation, each a plain sentence that names files, commands and numbers. A",
      "finding belongs to one conversation.",
    ].join("\n"),
    kinds: {
      done: "something made, changed or found out",
      decision: "a choice, with its reason",
      problem: "something that went wrong, and how it was solved if it was",
      open: "unfinished work, or something to check again",
    },
    // Only the first part of a split conversation reports its facts.
    extract: (passage, load) =>
      passage.first === 0 && (passage.chars?.from ?? 0) === 0 ? { facts: [factsOf(passage, load)] } : {},
    report: (results) => reportOf(results, when, maxTokens),
  };
}

/** Tokens reserved for the title of the report and the line that says how it was made. */
const FRAME_TOKENS = 80;

function reportOf(results: readonly BatchResult[], when: string, maxTokens: number): string {
  const facts = results.flatMap((result) => result.facts);
  if (facts.length === 0) return `No conversations${when === "" ? "" : ` ${when}`}.`;
  const found = Map.groupBy(
    results.flatMap(({ findings }) => findings),
    ({ refs }) => conversationOf(refs[0] ?? ""),
  );
  const latestFirst = facts.toSorted((a, b) => compareText(b.date, a.date) || compareText(a.address, b.address));
  const whole = latestFirst.map((each) => conversationLines(each, found.get(each.address) ?? []).join("\n"));
  const brief = latestFirst.map((each) => briefLine(each));
  // As far as they fit: the latest conversations in full, earlier ones in a line each, and the earliest only counted.
  const room = Math.floor(maxTokens / BUDGET_MARGIN) - FRAME_TOKENS;
  const write = (full: number, named: number): string => layOut(latestFirst, whole, brief, full, full + named);
  const fits = (full: number, named: number): boolean => estimateTokens(write(full, named)) <= room;
  const full = largest(facts.length, (count) => fits(count, 0));
  const rest = facts.length - full;
  if (rest === 0) return write(full, 0);
  const named = largest(rest, (count) => fits(Math.floor(full / 2), count));
  const wholeCount = largest(full, (count) => fits(count, named));
  return write(wholeCount, named);
}

/** The largest count up to `max` that holds; `holds` must be monotonic. */
function largest(max: number, holds: (count: number) => boolean): number {
  let low = 0;
  let high = max;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Conversations by project: the first `full` in full, those up to `named` in a line each. */
function layOut(
  facts: readonly Facts[],
  whole: readonly string[],
  brief: readonly string[],
  full: number,
  named: number,
): string {
  const projects = Map.groupBy(facts, ({ project }) => project);
  const commits = facts.reduce((sum, each) => sum + each.commits.length, 0);
  const lines = [
    `${plural(facts.length, "conversation")} in ${plural(projects.size, "project")}, ${plural(commits, "commit")}.`,
  ];
  const place = new Map(facts.map((each, i) => [each, i]));
  const bySize = [...projects].sort(([a, left], [b, right]) => right.length - left.length || compareText(a, b));
  for (const [project, inside] of bySize) {
    const shown = inside.filter((each) => (place.get(each) ?? 0) < named);
    if (shown.length === 0) continue;
    lines.push("", `## ${project === "" ? "Without a project" : inline(project)}`);
    for (const each of shown) {
      const at = place.get(each) ?? 0;
      lines.push(...(at < full ? ["", whole[at] ?? ""] : [brief[at] ?? ""]));
    }
    const left = inside.length - shown.length;
    if (left > 0) lines.push(`- … and ${plural(left, "earlier conversation")}`);
  }
  const unnamed = facts.length - named;
  if (unnamed > 0) lines.push("", `${plural(unnamed, "conversation")} left out to fit; --max-tokens raises the limit.`);
  return lines.join("\n");
}

function briefLine({ title, date, address }: Facts): string {
  return `- ${dayOf(Date.parse(date))} ${inline(title, 100) || "Untitled"} (\`${address}\`)`;
}

function conversationLines(facts: Facts, findings: readonly Finding[]): string[] {
  const { prompt, unanswered, outcome, files, commits, failing, fixed, passing } = facts;
  const lines = [
    `### ${inline(facts.title, 150) || "Untitled"}`,
    `${dayOf(Date.parse(facts.date))}, ${agentName(facts.source)}, ${plural(facts.messages, "message")}, \`${facts.address}\``,
    "",
  ];
  if (prompt) lines.push(`- Asked: ${inline(prompt.text)} (\`${prompt.ref}\`)`);
  const full = findings.map(({ kind, text, refs }) => `${label(kind)}: ${inline(text, 1000)} (${references(refs)})`);
  lines.push(...bullets(full, MAX_SHOWN_FINDINGS, "findings"));
  if (full.length === 0) {
    if (unanswered) lines.push(`- Last asked: ${inline(unanswered.text)} (\`${unanswered.ref}\`)`);
    if (outcome)
      lines.push(`- ${label(CLOSING_LABELS[outcome.stage])}: ${inline(outcome.text, 500)} (\`${outcome.ref}\`)`);
  }
  if (files.length > 0) {
    // Files outside the project are mostly temporary.
    const ordered = files.toSorted((a, b) => Number(isOutside(a, facts.project)) - Number(isOutside(b, facts.project)));
    const shown = ordered.map((path) => clipPath(shownPath(path, facts.project), 80));
    lines.push(`- Files: ${shortList(shown, MAX_SHOWN_FILES)}`);
  }
  if (commits.length > 0) lines.push(`- Commits: ${shortList(commits, MAX_SHOWN_COMMITS)}`);
  for (const { text, ref } of failing) lines.push(`- Last run failed: '${inline(text)}' (\`${ref}\`)`);
  for (const { text, ref } of fixed) lines.push(`- Failed, then passed: '${inline(text)}' (\`${ref}\`)`);
  if (passing > 0) lines.push(`- ${plural(passing, "other command")} passed`);
  return lines;
}

function label(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}

function shortList(items: readonly string[], max: number): string {
  const more = items.length - max;
  return `${items
    .slice(0, max)
    .map((item) => inline(item))
    .join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
