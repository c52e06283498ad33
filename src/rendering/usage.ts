/** Renders the answers about usage and cost. A sum of money that leaves something out is shown as a lower bound. */
import type * as z from "zod";
import { agentName } from "../integrations/registry.ts";
import { formatCount, formatTokens, plural } from "../kernel/text.ts";
import type { usageBlocks } from "../operations/usage/blocks.ts";
import type { usage } from "../operations/usage/usage.ts";
import { cleanLine } from "../text/clean.ts";
import type { Amount } from "../usage/amounts.ts";
import { paint, type Terminal, table } from "./terminal/terminal.ts";

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;
type Row = Output<typeof usage>["rows"][number];

const COLUMNS = [
  { title: "input", align: "right", drop: 4 },
  { title: "cache write", align: "right", drop: 2 },
  { title: "cache read", align: "right", drop: 3 },
  { title: "output", align: "right", drop: 5 },
  { title: "reasoning", align: "right", drop: 1 },
  { title: "tokens", align: "right" },
  { title: "cost", align: "right" },
] as const;

function renderUsage(output: Output<typeof usage>, terminal: Terminal): string {
  const { total, rows } = output;
  if (total.requests === 0 && total.estimated.conversations === 0) return "No usage in this time.";
  const isConversation = output.by === "conversation" || output.by === "branch";
  const cells = rows.flatMap((row) => [
    rowOf(row, output.by),
    ...(row.models ?? []).map((each) => [`  ${each.model || "(unknown)"}`, ...amountCells(each)]),
  ]);
  const title = { title: output.by, style: "cyan", flexible: true, keepEnd: output.by === "project" } as const;
  const lines = output.by === "total" ? [] : [table(terminal, [title, ...COLUMNS], cells), ""];
  if (output.left_out > 0) lines.unshift(paint(terminal, "dim", leftOutLine(output, terminal)), "");
  lines.push(totalLine(total, terminal), ...notes(total, output.estimated_agents, terminal));
  lines.push(paint(terminal, "dim", `${isConversation ? "" : zoneLine(output)}${priceLine(output.prices_of)}`));
  return lines.join("\n");
}

function rowOf(row: Row, by: string): string[] {
  const named = by === "agent" ? agentName(row.name) : row.name;
  const name = named === "" ? "(unknown)" : named;
  const indent = "  ".repeat(Math.min(20, row.depth ?? 0));
  const isConversation = by === "conversation" || by === "branch";
  const label = isConversation ? `${indent}${row.name.slice(0, 8)} ${cleanLine(row.title ?? "")}` : name;
  return [label, ...amountCells(row)];
}

function amountCells(amount: Amount): string[] {
  const { tokens } = amount;
  const counts = [tokens.input, tokens.cache_write, tokens.cache_read, tokens.output, tokens.reasoning];
  // Without recorded tokens, the counts are unknown.
  const cells =
    tokens.total === 0 && amount.estimated.conversations > 0 ? counts.map(() => "-") : counts.map(formatTokens);
  return [...cells, tokensOf(amount), costOf(amount)];
}

/** Estimates are marked. */
function tokensOf({ tokens, estimated }: Amount): string {
  const guess = estimated.input + estimated.output;
  if (guess === 0) return formatTokens(tokens.total);
  return tokens.total === 0 ? `~${formatTokens(guess)}` : `${formatTokens(tokens.total)} + ~${formatTokens(guess)}`;
}

function costOf({ cost_usd, cost_complete, requests }: Amount): string {
  if (cost_complete) return money(cost_usd);
  return requests === 0 || cost_usd === 0 ? "unknown" : `≥ ${atLeast(cost_usd)}`;
}

/** Less than a cent is nothing, as a lower bound. */
function atLeast(dollars: number): string {
  return dollars < 0.01 ? "$0.00" : money(dollars);
}

export function money(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return "< $0.01";
  const [whole = "0", cents] = dollars.toFixed(2).split(".");
  return `$${formatCount(Number(whole))}.${cents}`;
}

function totalLine(total: Amount, terminal: Terminal): string {
  const { tokens, requests, conversations } = total;
  const cost = total.cost_complete ? money(total.cost_usd) : `at least ${atLeast(total.cost_usd)}`;
  const counts = `${formatTokens(tokens.total)} tokens in ${plural(requests, "request")} of ${plural(conversations, "conversation")}`;
  return `${paint(terminal, "bold", cost)}  ${counts}`;
}

const SHOWN_MODELS = 8;
const SHOWN_AGENTS = 8;

/** Names everything that the sum of money leaves out. */
function notes({ unpriced, estimated }: Amount, agents: readonly string[], terminal: Terminal): string[] {
  const lines: string[] = [];
  if (unpriced.length > 0) {
    const names = unpriced.slice(0, SHOWN_MODELS).map((name) => (name === "" ? "unknown" : cleanLine(name)));
    const more = unpriced.length > SHOWN_MODELS ? ", …" : "";
    lines.push(
      `${plural(unpriced.length, "model")} without a price: ${names.join(", ")}${more} (\`usage.prices\` sets it)`,
    );
  }
  if (estimated.conversations > 0) {
    const guess = `about ${formatTokens(estimated.input)} read and ${formatTokens(estimated.output)} written`;
    const names = agents.slice(0, SHOWN_AGENTS).map(agentName);
    const which = agents.length > SHOWN_AGENTS ? [...names, "…"] : names;
    lines.push(
      `${plural(estimated.conversations, "conversation")} without recorded tokens (${which.join(", ")}): ${guess}, estimated from the text`,
    );
  }
  return lines.map((line) => paint(terminal, "yellow", line));
}

function zoneLine({ timezone, since, until }: Output<typeof usage>): string {
  const span = since || until ? `, ${since ?? "the beginning"} to ${until ?? "today"}` : "";
  return `Days of ${timezone.replace(/^Etc\/(?=UTC$)/, "")}${span}. `;
}

function priceLine(day: string): string {
  return `API list prices of ${day}; a subscription has its own price.`;
}

function leftOutLine({ left_out, by }: Output<typeof usage>, terminal: Terminal): string {
  const which = by === "day" || by === "week" || by === "month" ? "earlier" : "smaller";
  return `${plural(left_out, `${which} row`)} not shown; ${terminal.compact ? "limit" : "--limit"} shows more`;
}

function renderBlocks(output: Output<typeof usageBlocks>, terminal: Terminal): string {
  if (output.blocks.length === 0) {
    return output.active ? "No block is active: the next request begins one." : "No blocks in this time.";
  }
  const rows = output.blocks.map((block) => [
    clock(block.start, output.timezone),
    block.active ? "active" : `${Math.round((Date.parse(block.last) - Date.parse(block.first)) / 60_000)} min`,
    block.models.map((model) => model || "unknown").join(", "),
    formatCount(block.requests),
    formatTokens(block.tokens.total),
    ...(output.token_limit === undefined ? [] : [percent(block.limit?.used ?? 0)]),
    costOf({ ...block, estimated: { conversations: 0, input: 0, output: 0 } }),
  ]);
  const columns = [
    { title: "start", style: "cyan" as const },
    { title: "length" },
    { title: "models", flexible: true, drop: 1 },
    { title: "requests", align: "right" as const, drop: 2 },
    { title: "tokens", align: "right" as const },
    ...(output.token_limit === undefined ? [] : [{ title: "of limit", align: "right" as const }]),
    { title: "cost", align: "right" as const },
  ];
  const lines = [table(terminal, columns, rows)];
  const active = output.blocks.find((block) => block.active);
  if (active) lines.push("", ...activeLines(active, output, terminal));
  lines.push(
    "",
    paint(
      terminal,
      "dim",
      `Blocks of ${output.hours} hours, times of ${output.timezone}. ${priceLine(output.prices_of)}`,
    ),
  );
  return lines.join("\n");
}

function activeLines(
  block: Output<typeof usageBlocks>["blocks"][number],
  output: Output<typeof usageBlocks>,
  terminal: Terminal,
): string[] {
  const lines = [`${paint(terminal, "bold", "active block")} until ${clock(block.end, output.timezone)}`];
  if (block.rate) {
    lines.push(
      `rate: ${formatTokens(block.rate.tokens_per_minute)} tokens a minute, ${money(block.rate.cost_per_hour)} an hour`,
    );
  }
  const { projection, limit } = block;
  if (projection) {
    const minutes = `${projection.minutes_left} minutes left`;
    lines.push(
      `at this rate: ${formatTokens(projection.tokens)} tokens, ${money(projection.cost_usd)} at its end (${minutes})`,
    );
  }
  if (limit && output.token_limit !== undefined) {
    const share = limit.projected ?? limit.used;
    const style = share >= 1 ? "red" : share >= 0.8 ? "yellow" : "green";
    const verdict = share >= 1 ? "over the limit" : share >= 0.8 ? "near the limit" : "within the limit";
    lines.push(
      paint(
        terminal,
        style,
        `${percent(limit.used)} of ${formatTokens(output.token_limit)} tokens used; ${verdict} at this rate`,
      ),
    );
  }
  return lines;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

function clock(iso: string, timezone: string): string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short", timeStyle: "short" });
  return format.format(new Date(iso));
}

export const USAGE_RENDERERS = { usage: renderUsage, "usage blocks": renderBlocks };
