/** Renders suggestions, feedback and their statistics. */
import type * as z from "zod";
import { plural } from "../kernel/text.ts";
import type { feedback } from "../operations/suggest/feedback.ts";
import type { suggestLog } from "../operations/suggest/log.ts";
import type { suggestStats } from "../operations/suggest/stats.ts";
import type { suggest } from "../operations/suggest/suggest.ts";
import { itemText } from "../suggest/text.ts";
import { cleanLine, cleanText } from "../text/clean.ts";
import { projectFolder } from "./suggest/project_folder.ts";
import { SUBSCRIPTION_RENDERERS } from "./suggest/subscriptions.ts";
import { paint, type Terminal, table, when } from "./terminal/terminal.ts";

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;

/** Agents get exactly the text whose tokens were counted, and a line with the id for feedback. */
function renderSuggest(output: Output<typeof suggest>, terminal: Terminal): string {
  const { suggestions, below } = output;
  if (suggestions.length === 0) {
    return below.count === 0
      ? "dex found nothing for this: no decision, change, document, code, warning or conversation matches."
      : `Nothing is ${percent(below.gate)} likely to be useful${belowText(below, terminal)}.`;
  }
  const items = suggestions.map((item) => {
    const [head = "", ...rest] = cleanText(
      itemText({ ...item, time: item.time === null ? null : Date.parse(item.time) }),
    ).split("\n");
    return [paint(terminal, "bold", head), ...rest].join("\n");
  });
  const tail = `${output.id}, ${plural(output.tokens, "token")}${moreText(output, terminal)}${belowText(below, terminal)}`;
  return [...items, ...openText(suggestions, terminal), paint(terminal, "dim", tail)].join("\n");
}

type Below = Output<typeof suggest>["below"];

function moreText({ more, suggestions }: Output<typeof suggest>, terminal: Terminal): string {
  if (more === 0) return "";
  const limit = suggestions.length + more;
  return `; ${more} more, ${terminal.compact ? `maxSuggestions ${limit}` : `--limit ${limit}`} shows them`;
}

function belowText({ count, best }: Below, terminal: Terminal): string {
  if (count === 0) return "";
  const option = terminal.compact ? "min_relevance 0" : "--min-relevance 0";
  return `; ${plural(count, "less likely item")} left out, the best at ${percent(best === null ? null : Math.floor(best * 100) / 100)}; ${option} shows ${count === 1 ? "it" : "them"}`;
}

/** The calls that open the addresses. */
function openText(items: Output<typeof suggest>["suggestions"], terminal: Terminal): string[] {
  const calls = [
    items.some(({ actionUrl, from }) => from.includes(" conversation") && /^\w+:/.test(actionUrl))
      ? `${terminal.compact ? 'dex_get {"ids": ["<address>"]}' : "`dex show <address>`"} opens a conversation`
      : "",
    items.some(({ actionUrl }) => /^[0-9a-f]{12,}$/.test(actionUrl)) ? "`git show <commit>` opens a commit" : "",
  ].filter((call) => call !== "");
  return calls.length === 0 ? [] : [paint(terminal, "dim", calls.join("; "))];
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
  const where = output.projectId === null ? "all projects" : projectFolder(output.projectId);
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

function renderLog(output: Output<typeof suggestLog>, terminal: Terminal): string {
  if (output.total === 0) return "No suggestions yet.";
  const blocks = output.suggestions.map(({ id, time, surface, trigger, status, items }) => {
    const about = [when(terminal, time), surface, trigger.source === "" ? trigger.type : trigger.source, status];
    const lines = items.map(({ score, type, title, outcome }) => {
      const text = `  ${percent(score).padStart(4)}  ${type}  ${cleanLine(title)}`;
      return outcome === null ? text : `${text}  (${outcome})`;
    });
    return [`${paint(terminal, "cyan", id)}  ${paint(terminal, "dim", cleanLine(about.join(" · ")))}`, ...lines].join(
      "\n",
    );
  });
  const count = `${output.suggestions.length} of ${plural(output.total, "suggestion")}`;
  return `${blocks.join("\n")}\n${paint(terminal, "dim", count)}`;
}

function percent(share: number | null): string {
  return share === null ? "–" : `${Math.round(share * 100)}%`;
}

export const SUGGEST_RENDERERS = {
  suggest: renderSuggest,
  "suggest stats": renderStats,
  "suggest log": renderLog,
  feedback: renderFeedback,
  ...SUBSCRIPTION_RENDERERS,
};
