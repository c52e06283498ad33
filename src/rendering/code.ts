/** Renders answers about code: one line per definition, with its file and line. */

import type * as z from "zod";
import { plural } from "../kernel/text.ts";
import { dayOf } from "../kernel/time.ts";
import type { code } from "../operations/code/code.ts";
import type { codeIndex } from "../operations/code/index.ts";
import { cleanLine, cleanText } from "../text/clean.ts";
import { paint, type Terminal } from "./terminal.ts";

type Answer = z.output<(typeof code)["output"]>;
type Row = Answer["results"][number];

function renderCode(output: Answer, terminal: Terminal): string {
  if (output.map !== undefined) return cleanText(output.map);
  const lines = output.symbols.map((symbol) => symbolLine(symbol, output.action === "symbol", terminal));
  const rows = output.results.map((row) => `  ${rowLine(row, output.action, terminal)}`);
  const mentions = (output.mentions ?? []).map((each) => mentionLine(each, terminal));
  const head = output.mentions ? [mentions.length > 0 ? "mentioned in:" : "mentioned nowhere"] : [];
  return [
    ...lines,
    ...rows,
    ...head,
    ...mentions,
    ...closing(output, terminal).map((line) => paint(terminal, "dim", line)),
  ].join("\n");
}

function symbolLine(symbol: Answer["symbols"][number], whole: boolean, terminal: Terminal): string {
  const place = paint(terminal, "cyan", `${symbol.file}:${symbol.line}`);
  const signature = symbol.kind === "file" ? "file" : cleanLine(symbol.signature);
  const doc = whole && symbol.doc ? `\n${indent(cleanText(symbol.doc))}` : "";
  return `${place}  ${signature}${doc}`;
}

function mentionLine(each: NonNullable<Answer["mentions"]>[number], terminal: Terminal): string {
  const ref = each.kind === "commit" ? each.ref.slice(0, 12) : each.ref;
  const about = `  ${each.kind}, ${dayOf(Date.parse(each.time))}${each.of === "file" ? ", of its file" : ""}`;
  return `  ${paint(terminal, "cyan", cleanText(ref))}  ${cleanLine(each.text)}${paint(terminal, "dim", about)}`;
}

function rowLine(row: Row, action: Answer["action"], terminal: Terminal): string {
  const outgoing = action === "callees" || action === "imports";
  const place = `${row.file}:${outgoing || row.at === undefined ? row.line : row.at}`;
  const name = row.kind === "file" ? "" : `  ${cleanLine(row.name)}`;
  const facts = [
    row.kind === "file" || action === "symbol" ? "" : row.kind,
    row.times === undefined ? "" : `${row.times}×`,
    row.resolution === "unique-name" ? "matched by name only" : "",
    row.via === undefined ? "" : `via ${cleanLine(row.via)}`,
    row.distance === undefined || action === "tests" ? "" : `distance ${row.distance}`,
    row.why?.join(", ") ?? "",
  ].filter((fact) => fact !== "");
  const rest = facts.length > 0 ? `  ${facts.join(", ")}` : "";
  return `${paint(terminal, "cyan", cleanText(place))}${name}${paint(terminal, "dim", rest)}`;
}

function closing(output: Answer, terminal: Terminal): string[] {
  const lines: string[] = [];
  const what = RESULT_NOUNS[output.action];
  if (output.results.length < output.total) {
    const limit = terminal.compact ? "tokens" : "--tokens";
    lines.push(`${output.results.length} of ${plural(output.total, ...what)}; raise ${limit} to see the rest`);
  } else if (output.action !== "symbol") {
    lines.push(output.total === 0 ? `no ${what[1]}` : plural(output.total, ...what));
  }
  lines.push(...mentionedLines(output));
  if (output.ambiguous > 0) {
    lines.push(
      `${plural(output.ambiguous, "call")} may refer to this symbol or to another of the same name; not counted`,
    );
  }
  if (output.external?.length) lines.push(`external: ${output.external.join(", ")}`);
  if (output.missing?.length) lines.push(`not found: ${output.missing.join(", ")}`);
  return lines;
}

/** dex may miss a call, so it offers the lines with the name rather than claim that nothing calls it. */
function mentionedLines({ mentioned, mentioned_total = 0 }: Answer): string[] {
  if (!mentioned) return [];
  if (mentioned.length === 0) return ["the name occurs nowhere else in the indexed code"];
  const more = mentioned_total > mentioned.length ? `, and ${mentioned_total - mentioned.length} more` : "";
  const places = mentioned.map(({ file, line }) => `${file}:${line}`).join(", ");
  return [`dex resolved no call, but the name occurs in ${cleanLine(places)}${more}`];
}

const RESULT_NOUNS: Readonly<Record<Answer["action"], [string, string]>> = {
  symbol: ["definition", "definitions"],
  callers: ["caller", "callers"],
  callees: ["callee", "callees"],
  imports: ["imported file", "imported files"],
  importers: ["importing file", "importing files"],
  tests: ["test", "tests"],
  impact: ["definition reached", "definitions reached"],
  related: ["related file", "related files"],
  map: ["file", "files"],
};

function renderIndex(output: z.output<(typeof codeIndex)["output"]>, terminal: Terminal): string {
  const { added, changed, removed, unchanged, files } = output;
  const lines = [
    `${paint(terminal, "bold", plural(files, "file"))} in ${cleanText(output.project)}: ${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged`,
    countLine("languages", output.languages),
    countLine("definitions", output.entities),
    countLine("relations", output.relations),
    countLine("resolved by", output.resolutions),
    `${plural(output.unresolved_references, "reference")} and ${plural(output.unresolved_imports, "import")} could not be resolved`,
  ];
  const skipped = Object.values(output.skipped).reduce((sum, count) => sum + count, 0);
  if (skipped > 0) lines.push(`${plural(skipped, "file")} left out: ${list(output.skipped)}`);
  for (const { path, reason } of output.problems)
    lines.push(paint(terminal, "yellow", `${cleanLine(path)}: ${reason}`));
  const more = output.total_problems - output.problems.length;
  if (more > 0) lines.push(paint(terminal, "yellow", `… and ${plural(more, "more problem")}`));
  return lines.filter((line) => line !== "").join("\n");
}

function countLine(title: string, counts: Readonly<Record<string, number>>): string {
  return Object.keys(counts).length === 0 ? "" : `${title}: ${list(counts)}`;
}

function list(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}

export const CODE_RENDERERS = { code: renderCode, "code index": renderIndex };
