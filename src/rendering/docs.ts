/** Renders the answers about documentation. */
import type * as z from "zod";
import { formatTokens, plural } from "../kernel/text.ts";
import type { docsList } from "../operations/docs/collections/list.ts";
import type { docsDocuments } from "../operations/docs/documents.ts";
import type { docsOutline } from "../operations/docs/outline.ts";
import type { docsRelated } from "../operations/docs/related.ts";
import type { docsSearch } from "../operations/docs/search.ts";
import type { docsSearchBatch } from "../operations/docs/search_batch.ts";
import type { docsSection } from "../operations/docs/section.ts";
import type { docsShow } from "../operations/docs/show.ts";
import type { PassageResult } from "../search/results/passage_schema.ts";
import { cleanLine, cleanText } from "../text/clean.ts";
import { evidenceText } from "./conversations/evidence.ts";
import { COLLECTION_RENDERERS } from "./docs/collections.ts";
import { emptyPage, paint, type Terminal, table, tokens, when } from "./terminal/terminal.ts";
import { fit, wrap } from "./terminal/width.ts";

/** A query is quoted up to this length. */
const MAX_QUERY = 60;

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;

function renderList(output: Output<typeof docsList>, terminal: Terminal): string {
  if (output.collections.length === 0) return "There are no collections here; `dex docs add` creates one.";
  const versioned = output.collections.some(({ version }) => version !== null);
  const rows = output.collections.map((each) => [
    each.name,
    ...(versioned ? [`${each.version ?? ""}${each.chosen ? " (used)" : ""}`] : []),
    each.origin,
    String(each.documents),
    formatTokens(each.estimated_tokens),
    each.synced === null
      ? "never"
      : `${when(terminal, each.synced)}${each.failed > 0 ? ` (${each.failed} failed)` : ""}`,
    each.source,
  ]);
  const columns = [
    { title: "name", style: "cyan" },
    ...(versioned ? [{ title: "version" }] : []),
    { title: "scope" },
    { title: "documents", align: "right" },
    { title: "tokens", align: "right" },
    { title: "synced" },
    { title: "source", flexible: true },
  ] as const;
  const reasons = output.collections.flatMap(({ name, chosen }) =>
    chosen ? [paint(terminal, "dim", `${chosen.package}: dex uses ${name}. ${cleanText(chosen.reason)}`)] : [],
  );
  return [table(terminal, columns, rows), ...reasons].join("\n");
}

function renderDocuments(output: Output<typeof docsDocuments>, terminal: Terminal): string {
  const rows = output.documents.map((each) => [
    `${each.collection}:${each.document}`,
    each.description ? `${each.title}: ${each.description}` : each.title,
    String(each.sections),
    formatTokens(each.estimated_tokens),
  ]);
  const columns = [
    { title: "document", style: "cyan" },
    { title: "title", flexible: true },
    { title: "sections", align: "right" },
    { title: "tokens", align: "right" },
  ] as const;
  const shown = output.documents.length;
  const count = shown < output.total ? `${shown} of ${plural(output.total, "document")}` : plural(shown, "document");
  return `${table(terminal, columns, rows)}\n${paint(terminal, "dim", count)}`;
}

function passage(result: PassageResult, terminal: Terminal, detail = ""): string {
  const head = result.headings.length > 0 ? result.headings.join(" > ") : result.title;
  const lines = `lines ${result.first_line}-${result.last_line}`;
  const about = [lines, tokens(result.estimated_tokens), detail].filter(Boolean).join(" · ");
  const text = cleanText(result.snippet);
  return [
    paint(terminal, "bold", fit(cleanText(head), terminal.width)),
    `  ${paint(terminal, "cyan", cleanText(result.id))}  ${paint(terminal, "dim", about)}`,
    terminal.compact || text.includes("\n") ? text : wrap(text, terminal.width, "  "),
    ...(result.explain ?? []).map(({ term, passages, weight, share }) =>
      paint(terminal, "dim", `    ${term} ${share.toFixed(2)} (in ${plural(passages, "passage")}, weight ${weight})`),
    ),
    ...(result.explain ? [paint(terminal, "dim", `    ${scores(result)}`)] : []),
  ].join("\n");
}

function scores({ score_final, score_lex, score_vec, evidence = [] }: PassageResult): string {
  const likeness = score_vec === null ? "none" : score_vec.toFixed(2);
  const found = `words ${score_lex.toFixed(2)}, likeness ${likeness}`;
  const own = evidence.reduce((rest, { part }) => rest - part, score_final);
  const sum = evidence.length === 0 ? "" : ` = ${own.toFixed(2)}`;
  return `score ${score_final.toFixed(2)}${sum} (${found})${evidenceText(evidence)}`;
}

function leftOut(truncated: { results: number; tokens: number } | undefined, terminal: Terminal): string[] {
  if (!truncated) return [];
  const text = `[truncated: ${plural(truncated.results, "result")}, about ${tokens(truncated.tokens)} left out]`;
  return [paint(terminal, "yellow", text)];
}

function renderSearch(output: Output<typeof docsSearch>, terminal: Terminal): string {
  if (output.results.length === 0 && output.total > 0 && !output.truncated) return emptyPage(output.total);
  if (output.results.length === 0) {
    const meant = output.did_you_mean?.join(", ");
    const reason = meant ? ` Did you mean: ${meant}?` : output.note ? ` ${output.note}` : "";
    const nothing = `Nothing found.${reason}`;
    return [output.truncated ? "No result fits the budget." : nothing, ...leftOut(output.truncated, terminal)].join(
      "\n",
    );
  }
  const count = `${output.results.length} of ${plural(output.total, "passage")}`;
  return [
    ...(output.note ? [paint(terminal, "yellow", output.note)] : []),
    ...output.results.map((result) => passage(result, terminal)),
    [...leftOut(output.truncated, terminal), paint(terminal, "dim", count)].join("\n"),
  ].join("\n\n");
}

function renderBatch(output: Output<typeof docsSearchBatch>, terminal: Terminal): string {
  if (output.results.length === 0) return ["Nothing found.", ...leftOut(output.truncated, terminal)].join("\n");
  const named = output.queries.map(({ query }) => `"${cleanLine(query, MAX_QUERY)}"`);
  const blocks = output.results.map((result) =>
    passage(result, terminal, `for ${result.queries.map((query) => named[query]).join(", ")}`),
  );
  const without = named.filter((_, i) => output.queries[i]?.total === 0);
  const nothing = without.length === 0 ? [] : [paint(terminal, "yellow", `Nothing found for ${without.join(", ")}.`)];
  return [...blocks, ...nothing, ...leftOut(output.truncated, terminal)].join("\n\n");
}

function renderRelated(output: Output<typeof docsRelated>, terminal: Terminal): string {
  if (output.results.length === 0 && !output.truncated) return `Nothing is related to ${output.to}.`;
  return [...output.results.map((result) => passage(result, terminal)), ...leftOut(output.truncated, terminal)].join(
    "\n\n",
  );
}

function renderOutline(output: Output<typeof docsOutline>, terminal: Terminal): string {
  const head = paint(terminal, "bold", cleanText(output.title));
  const about = `${output.collection}:${output.document} · ${tokens(output.estimated_tokens)}`;
  const lines = output.sections.map(({ section, heading, level, total_tokens }) => {
    const indent = terminal.compact ? "" : "  ".repeat(Math.max(0, level - 1));
    const name = heading === "" ? "(before the first heading)" : cleanText(heading);
    const size = paint(terminal, "dim", `(${formatTokens(total_tokens)})`);
    return `${indent}${name}  ${paint(terminal, "cyan", `#${cleanText(section)}`)} ${size}`;
  });
  const more = output.truncated
    ? [paint(terminal, "yellow", `[${plural(output.truncated.sections, "section")} left out]`)]
    : [];
  return [head, paint(terminal, "dim", about), ...lines, ...more].join("\n");
}

function renderText(output: Output<typeof docsShow> | Output<typeof docsSection>, terminal: Terminal): string {
  const of = "lines" in output ? ` of ${output.lines}` : "";
  const head = `${output.id} · lines ${output.first_line}-${output.last_line}${of} · ${tokens(output.total_tokens)}`;
  const cut = output.truncated
    ? [`[truncated: about ${tokens(output.truncated.tokens)} left out, from line ${output.truncated.next_line} on]`]
    : [];
  return [
    paint(terminal, "dim", cleanText(head)),
    cleanText(output.text),
    ...cut.map((line) => paint(terminal, "yellow", line)),
  ].join("\n");
}

export const DOCS_RENDERERS = {
  ...COLLECTION_RENDERERS,
  "docs list": renderList,
  "docs documents": renderDocuments,
  "docs search": renderSearch,
  "docs search-batch": renderBatch,
  "docs related": renderRelated,
  "docs outline": renderOutline,
  "docs section": renderText,
  "docs show": renderText,
};
