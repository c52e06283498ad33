/** Renders suggestions, feedback and their statistics. */

import type * as z from "zod";
import { plural } from "../kernel/text.ts";
import type { feedback } from "../operations/suggest/feedback.ts";
import type { suggestStats } from "../operations/suggest/stats.ts";
import type { suggest } from "../operations/suggest/suggest.ts";
import { itemText } from "../suggest/text.ts";
import { cleanText } from "../text/clean.ts";
import { SUBSCRIPTION_RENDERERS } from "./suggest/subscriptions.ts";
import { paint, type Terminal, table } from "./terminal.ts";

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;

/** Agents get exactly the text whose tokens were counted, and a line with the id for feedback. */
function renderSuggest(output: Output<typeof suggest>, terminal: Terminal): string {
  const { suggestions, below } = output;
  if (suggestions.length === 0)
    return below.count === 0
      ? "Nothing to suggest."
      : `Nothing is relevant enough; ${below.count} hidden${howToSee(below, terminal)}.`;
  const items = suggestions.map((item) => {
    const text = cleanText(itemText({ ...item, time: null }));
    if (terminal.compact) return text;
    const [head = "", ...rest] = text.split("\n");
    return [
      `${paint(terminal, "bold", head)} ${paint(terminal, "dim", `${Math.round(item.relevanceScore * 100)}%`)}`,
      ...rest,
    ].join("\n");
  });
  const tail = `${output.id}, ${plural(output.tokens, "token")}${hiddenText(below, terminal)}`;
  return [...items, paint(terminal, "dim", tail)].join("\n");
}

type Below = Output<typeof suggest>["below"];

function hiddenText(below: Below, terminal: Terminal): string {
  if (below.count === 0) return "";
  return `; ${plural(below.count, "less relevant item")} hidden${howToSee(below, terminal)}`;
}

function howToSee({ best }: Below, terminal: Terminal): string {
  const bestScore = best === null ? "" : `, the best at ${Math.round(best * 100)}%`;
  return `${bestScore}; ${terminal.compact ? "minRelevanceScore 0" : "--min-score 0"} shows them`;
}

function renderFeedback(output: Output<typeof feedback>): string {
  const about = output.items.map(({ index, entityId }) => `  ${index} ${cleanText(entityId)}`);
  return [
    `Recorded: ${output.action}.${output.status === output.action ? "" : ` The suggestion counts as ${output.status}.`}`,
    ...about,
  ].join("\n");
}

function renderStats(output: Output<typeof suggestStats>, terminal: Terminal): string {
  const { proactive_latency_ms: latency, feedback: counts } = output;
  const where = output.projectId === null ? "all projects" : cleanText(output.projectId);
  const lines = [
    `${paint(terminal, "bold", plural(output.proactive_suggestion_count, "suggestion"))} in ${where}`,
    `used ${percent(output.proactive_used_rate)}, dismissed ${percent(output.proactive_dismissed_rate)}; latency p50 ${latency.p50 ?? "–"} ms, p95 ${latency.p95 ?? "–"} ms`,
    `feedback: ${counts.explicit} explicit, ${counts.implicit} observed`,
  ];
  const types = output.suggestion_type_distribution.map(({ type, count, known, used_rate }) => [
    type,
    String(count),
    String(known),
    percent(used_rate),
  ]);
  if (types.length > 0) {
    const columns = [
      { title: "type", style: "cyan" as const },
      { title: "items", align: "right" as const },
      { title: "outcome known", align: "right" as const },
      { title: "used", align: "right" as const },
    ];
    lines.push("", table(terminal, columns, types));
  }
  const bins = output.relevance_score_vs_usage.map((bin) => [
    `${bin.from}–${bin.to}`,
    String(bin.mean_score),
    String(bin.used_share),
    String(bin.count),
  ]);
  if (bins.length > 0) {
    const columns = [
      { title: "score" },
      ...["mean score", "used share", "items"].map((title) => ({ title, align: "right" as const })),
    ];
    lines.push("", table(terminal, columns, bins));
  }
  return lines.join("\n");
}

function percent(share: number | null): string {
  return share === null ? "–" : `${Math.round(share * 100)}%`;
}

export const SUGGEST_RENDERERS = {
  suggest: renderSuggest,
  "suggest stats": renderStats,
  feedback: renderFeedback,
  ...SUBSCRIPTION_RENDERERS,
};
