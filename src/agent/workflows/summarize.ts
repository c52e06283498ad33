/** What was done in a stretch of time, by project and conversation. */

import { compareText, plural } from "../../kernel/text.ts";
import { clipPath } from "../../text/clip.ts";
import { factsOf } from "./facts.ts";
import { bullets, conversationOf, inline, references } from "./markdown.ts";
import type { BatchResult, Facts, Finding, Workflow } from "./workflow.ts";

const SHOWN_FILES = 8;
const SHOWN_COMMITS = 10;
const SHOWN_FINDINGS = 20;

export function summarize(period: string): Workflow {
  return {
    name: "summarize",
    title: `Summary: ${period}`,
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
    report: (results) => reportOf(results),
  };
}

function reportOf(results: readonly BatchResult[]): string {
  const facts = results.flatMap((result) => result.facts);
  if (facts.length === 0) return "Nothing was done.";
  const found = Map.groupBy(
    results.flatMap(({ findings }) => findings),
    ({ refs }) => conversationOf(refs[0] ?? ""),
  );
  const projects = [...Map.groupBy(facts, ({ project }) => project)].sort(
    ([a, left], [b, right]) => right.length - left.length || compareText(a, b),
  );
  const commits = facts.reduce((sum, each) => sum + each.commits.length, 0);
  const lines = [
    `${plural(facts.length, "conversation")} in ${plural(projects.length, "project")}, ${plural(commits, "commit")}.`,
  ];
  for (const [project, inside] of projects) {
    lines.push("", `## ${project === "" ? "Without a project" : inline(project)}`);
    const latestFirst = inside.sort((a, b) => compareText(b.date, a.date) || compareText(a.address, b.address));
    for (const each of latestFirst) lines.push("", ...conversationLines(each, found.get(each.address) ?? []));
  }
  return lines.join("\n");
}

function conversationLines(facts: Facts, findings: readonly Finding[]): string[] {
  const { prompt, outcome, files, commits, failing, fixed, passing } = facts;
  const lines = [
    `### ${inline(facts.title, 150) || "Untitled"}`,
    `${facts.date.slice(0, 10)}, ${facts.source}, ${plural(facts.messages, "message")}, \`${facts.address}\``,
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
