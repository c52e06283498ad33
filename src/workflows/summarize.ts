/** What was done in a stretch of time, by project and conversation. */

import { compareText, plural } from "../kernel/text.ts";
import { dayOf } from "../kernel/time.ts";
import { clipPath } from "../text/clip.ts";
import { BUDGET_MARGIN, estimateTokens } from "../tokens/estimate.ts";
import { factsOf } from "./facts.ts";
import { bullets, conversationOf, inline, references } from "./markdown.ts";
import type { BatchResult, Facts, Finding, Workflow } from "./workflow.ts";

const SHOWN_FILES = 8;
const SHOWN_COMMITS = 10;
const SHOWN_FINDINGS = 20;

/** `when`: the stretch of time in words, as "from 8 to 15 November 2026"; empty for all time. */
export function summarize(when: string, maxTokens: number): Workflow {
  return {
    name: "summarize",
    title: when === "" ? "Summary" : `Summary ${when}`,
    task: [
      "Summarise what was done in each conversation, for the person who was in it and will read this in weeks to come:",
      "what was asked and what came of it, decisions and their reasons, problems and how they were solved, what is still",
      "open. Two to six findings for a conversation, each a plain sentence that names files, commands and numbers. A",
      "finding belongs to one conversation.",
    ].join("\n"),
    kinds: {
      done: "something made, changed or found out",
      decision: "a choice, with its reason",
      problem: "something that went wrong, and how it was solved if it was",
      open: "left undone, or to be looked at again",
    },
    // A conversation in parts is told once, whole, by its first part.
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
  // The latest are told whole, the ones before in a line each, the earliest are counted: as much of each as fits.
  const room = Math.floor(maxTokens / BUDGET_MARGIN) - FRAME_TOKENS;
  const write = (told: number, named: number): string => layOut(latestFirst, whole, brief, told, told + named);
  const fits = (told: number, named: number): boolean => estimateTokens(write(told, named)) <= room;
  const told = largest(facts.length, (count) => fits(count, 0));
  const rest = facts.length - told;
  if (rest === 0) return write(told, 0);
  const named = largest(rest, (count) => fits(Math.floor(told / 2), count));
  const wholeBeside = largest(told, (count) => fits(count, named));
  return write(wholeBeside, named);
}

/** The largest count up to `most` that holds, when every smaller one does. */
function largest(most: number, holds: (count: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first `told` whole, those up to `named` in a line each, by project. */
function layOut(
  facts: readonly Facts[],
  whole: readonly string[],
  brief: readonly string[],
  told: number,
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
      lines.push(...(at < told ? ["", whole[at] ?? ""] : [brief[at] ?? ""]));
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
  const { prompt, outcome, files, commits, failing, fixed, passing } = facts;
  const lines = [
    `### ${inline(facts.title, 150) || "Untitled"}`,
    `${dayOf(Date.parse(facts.date))}, ${facts.source}, ${plural(facts.messages, "message")}, \`${facts.address}\``,
    "",
  ];
  if (prompt) lines.push(`- Asked: ${inline(prompt.text)} (\`${prompt.ref}\`)`);
  const told = findings.map(({ kind, text, refs }) => `${label(kind)}: ${inline(text, 1000)} (${references(refs)})`);
  lines.push(...bullets(told, SHOWN_FINDINGS, "findings"));
  if (outcome && told.length === 0) lines.push(`- Outcome: ${inline(outcome.text, 500)} (\`${outcome.ref}\`)`);
  if (files.length > 0)
    lines.push(
      `- Files: ${shortList(
        files.map((path) => clipPath(path, 80)),
        SHOWN_FILES,
      )}`,
    );
  if (commits.length > 0) lines.push(`- Commits: ${shortList(commits, SHOWN_COMMITS)}`);
  for (const { text, ref } of failing) lines.push(`- Last run failed: '${inline(text)}' (\`${ref}\`)`);
  for (const { text, ref } of fixed) lines.push(`- Failed, then passed: '${inline(text)}' (\`${ref}\`)`);
  if (passing > 0) lines.push(`- ${plural(passing, "other command")} passed`);
  return lines;
}

function label(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}

function shortList(items: readonly string[], most: number): string {
  const more = items.length - most;
  return `${items
    .slice(0, most)
    .map((item) => inline(item))
    .join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
