/** Renders answers about code: one line per definition, with its file and line. */
import type * as z from "zod";
import { formatCount, plural } from "../kernel/text.ts";
import { dayOf } from "../kernel/time.ts";
import type { code } from "../operations/code/code.ts";
import type { codeFiles } from "../operations/code/files.ts";
import type { codeGraph } from "../operations/code/graph.ts";
import type { codeIndex } from "../operations/code/index.ts";
import { cleanLine, cleanText } from "../text/clean.ts";
import { paint, type Terminal, table } from "./terminal/terminal.ts";

type Answer = z.output<(typeof code)["output"]>;
type Row = Answer["results"][number];

function renderCode(output: Answer, terminal: Terminal): string {
  if (output.map !== undefined) return cleanText(output.map);
  if (output.changed !== undefined) return renderDiff(output, output.changed, terminal);
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
    ...likelyTests(output, terminal),
  ].join("\n");
}

/** Offers likely tests instead of claiming that nothing tests the code, because dex may miss how a test reaches it. */
function likelyTests(output: Answer, terminal: Terminal): string[] {
  if (!hasLikelyTests(output)) return [];
  const lines = output.tests?.map((test) => testLine(test, terminal)) ?? [];
  return [paint(terminal, "dim", "dex resolved no test that runs it; likely ones:"), ...lines];
}

function hasLikelyTests({ action, tests = [] }: Answer): boolean {
  return action === "tests" && tests.length > 0;
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
    row.use ?? "",
    row.lines === undefined ? "" : `also ${row.lines.slice(1).join(", ")}`,
    row.times === undefined ? "" : `${row.times}×`,
    row.resolution === "unique-name" ? "matched by name only" : "",
    row.resolution === "method-set" ? "has all its methods" : "",
    row.via === undefined ? "" : `via ${cleanLine(row.via)}`,
    row.distance === undefined || action === "tests" ? "" : `distance ${row.distance}`,
    row.why?.join(", ") ?? "",
  ].filter((fact) => fact !== "");
  const rest = facts.length > 0 ? `  ${facts.join(", ")}` : "";
  return `${paint(terminal, "cyan", cleanText(place))}${name}${paint(terminal, "dim", rest)}`;
}

/** The impact of a diff: symbols that are gone, the tests to run, the changed symbols, and the definitions that use them. */
function renderDiff(output: Answer, changed: NonNullable<Answer["changed"]>, terminal: Terminal): string {
  const { may_break = [], tests = [], tests_total = 0, changed_total = 0 } = output;
  const limit = terminal.compact ? "max_tokens" : "--max-tokens";
  const rest = (shown: number, total: number): string[] =>
    shown < total ? [paint(terminal, "dim", `  … and ${total - shown} more; raise ${limit} to see them`)] : [];
  const section = (title: string, lines: readonly string[], total: number): string[] =>
    total === 0 ? [] : [paint(terminal, "bold", title), ...lines, ...rest(lines.length, total)];
  const breaks = may_break.map((each) => breakLine(each, terminal));
  const run = tests.filter(({ guess }) => !guess).map((test) => testLine(test, terminal));
  const guesses = tests.filter(({ guess }) => guess).map((test) => testLine(test, terminal));
  const symbols = changed.map(({ name, kind, file, line, change, renamed_to }) => {
    const to = renamed_to === undefined ? "" : ` to ${cleanLine(renamed_to)}`;
    const place = paint(terminal, "cyan", cleanText(`${file}:${line}`));
    return `  ${place}  ${cleanLine(name)}${paint(terminal, "dim", `  ${kind}, ${CHANGES[change]}${to}`)}`;
  });
  const rows = output.results.map((row) => `  ${rowLine(row, output.action, terminal)}`);
  const lines = [
    ...section("may break: symbols that are gone, and lines that still name them", breaks, may_break.length),
    ...section("tests to run", run, guesses.length === 0 ? tests_total : run.length),
    ...section(
      "tests that may matter: they share words, a name or commits with the change",
      guesses,
      guesses.length === 0 ? 0 : tests_total - run.length,
    ),
    ...section("changed", symbols, changed_total),
    ...section("affected", rows, output.total),
  ];
  return lines.length === 0 ? "no definition changed" : lines.join("\n");
}

function testLine({ file, why }: NonNullable<Answer["tests"]>[number], terminal: Terminal): string {
  return `  ${cleanLine(file)}${paint(terminal, "dim", `  ${cleanLine(why)}`)}`;
}

/** Lines of one file that still name a symbol that is gone. */
const MAX_SHOWN_LINES = 5;

const CHANGES = {
  removed: "removed",
  renamed: "renamed",
  signature: "signature changed",
  changed: "changed",
  added: "added",
} as const;

function breakLine(each: NonNullable<Answer["may_break"]>[number], terminal: Terminal): string {
  const uses = [...Map.groupBy(each.uses, ({ file }) => file)].map(([file, lines]) => placesIn(file, lines)).join(", ");
  const to = each.renamed_to === undefined ? "" : `, now ${each.renamed_to}`;
  const elsewhere = each.mentions === 0 ? "" : `${plural(each.mentions, "line")} elsewhere with the name`;
  const facts = [uses, elsewhere].filter((fact) => fact !== "").join("; ");
  const place = paint(terminal, "dim", cleanLine(`of ${each.file}${to}`));
  return `  ${paint(terminal, "yellow", cleanLine(each.name))} ${place}: ${cleanLine(facts)}`;
}

/** `src/a.ts:3, 7, 12 and 4 more`. */
function placesIn(file: string, uses: readonly { line: number }[]): string {
  const shown = uses.slice(0, MAX_SHOWN_LINES).map(({ line }) => line);
  const more = uses.length - shown.length;
  return `${file}:${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function closing(output: Answer, terminal: Terminal): string[] {
  const lines: string[] = [];
  const what = RESULT_NOUNS[output.action];
  const limit = terminal.compact ? "max_tokens" : "--max-tokens";
  const { symbols, symbols_total = symbols.length } = output;
  if (symbols.length < symbols_total) {
    lines.push(
      `${symbols.length} of ${plural(symbols_total, "definition")} of this name; raise ${limit} to see the rest`,
    );
  }
  if (output.results.length < output.total) {
    lines.push(`${output.results.length} of ${plural(output.total, ...what)}; raise ${limit} to see the rest`);
  } else if (output.action !== "symbol" && !hasLikelyTests(output)) {
    const places = output.places === undefined ? "" : `${plural(output.places, "reference")} in `;
    lines.push(
      output.total === 0 ? `no ${NONE[output.action] ?? what[1]}` : `${places}${plural(output.total, ...what)}`,
    );
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

/** Offers lines with the name instead of claiming that nothing else calls it, because dex may miss a call. */
function mentionedLines({ action, mentioned, mentioned_total = 0, total }: Answer): string[] {
  if (!mentioned) return [];
  const isUncalled = action === "callers" && total === 0;
  if (mentioned_total === 0) return isUncalled ? ["the name occurs nowhere else in the indexed code"] : [];
  const files = [...Map.groupBy(mentioned, ({ file }) => file)].map(([file, lines]) => placesIn(file, lines));
  const unnamed = mentioned_total - mentioned.length;
  const and = unnamed > 0 ? `; and ${unnamed} more` : "";
  const places = files.length > 0 ? cleanLine(files.join("; ")) + and : plural(unnamed, "line");
  if (isUncalled) return [`dex resolved no call, but the name occurs in ${places}`];
  if (action === "references") return [`the name also occurs, not resolved, in ${places}`];
  const lines = plural(mentioned_total, "more line looks", "more lines look");
  const where = files.length > 0 ? `: ${places}` : "";
  return [`${lines} like a call of this name, which dex could not resolve${where}`];
}

const RESULT_NOUNS: Readonly<Record<Answer["action"], [string, string]>> = {
  symbol: ["definition inside", "definitions inside"],
  callers: ["caller", "callers"],
  callees: ["callee", "callees"],
  references: ["definition or file", "definitions and files"],
  implementations: ["implementation", "implementations"],
  imports: ["imported file", "imported files"],
  importers: ["importing file", "importing files"],
  tests: ["test", "tests"],
  impact: ["definition reached", "definitions reached"],
  related: ["related file", "related files"],
  map: ["file", "files"],
};

const NONE: Partial<Record<Answer["action"], string>> = { references: "references" };

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

function renderFiles(output: z.output<(typeof codeFiles)["output"]>, terminal: Terminal): string {
  const rows = output.files.map(({ path, language, lines, commits, changed }) => [
    path,
    language,
    formatCount(lines),
    formatCount(commits),
    changed === null ? "" : dayOf(Date.parse(changed)),
  ]);
  const columns = [
    { title: "file", style: "cyan", flexible: true, keepEnd: true },
    { title: "language", drop: 2 },
    { title: "lines", align: "right" },
    { title: "commits", align: "right" },
    { title: "changed", drop: 1 },
  ] as const;
  const count = `${formatCount(output.files.length)} of ${plural(output.total, "file")}`;
  return `${table(terminal, columns, rows)}\n${paint(terminal, "dim", count)}`;
}

function renderGraph(output: z.output<(typeof codeGraph)["output"]>, terminal: Terminal): string {
  const names = new Map(output.nodes.map(({ id, name }) => [id, cleanLine(name)]));
  const edges = output.edges.map(({ from, to, relation, count }) => {
    const times = count > 1 ? paint(terminal, "dim", ` ${count}×`) : "";
    return `  ${names.get(from) ?? ""} ${paint(terminal, "dim", relation.toLowerCase())} ${names.get(to) ?? ""}${times}`;
  });
  const head = output.focus.map((id) => paint(terminal, "cyan", names.get(id) ?? id));
  const more = output.left_out > 0 ? `, ${plural(output.left_out, "neighbour")} left out` : "";
  const note = `${plural(output.nodes.length, "node")}, ${plural(output.edges.length, "edge")}${more}`;
  return [...head, ...edges, paint(terminal, "dim", note)].join("\n");
}

export const CODE_RENDERERS = {
  code: renderCode,
  "code files": renderFiles,
  "code graph": renderGraph,
  "code index": renderIndex,
};
