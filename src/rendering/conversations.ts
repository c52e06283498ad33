/** Renders the answers about conversations: totals and lists. */
import type * as z from "zod";
import { agentName } from "../integrations/registry.ts";
import { lastName } from "../kernel/files/paths.ts";
import { formatCount, formatTokens, plural } from "../kernel/text.ts";
import { dayOf } from "../kernel/time.ts";
import type { activity } from "../operations/conversations/activity.ts";
import type { index } from "../operations/conversations/index.ts";
import type { list } from "../operations/conversations/list.ts";
import type { stats } from "../operations/conversations/stats.ts";
import { cleanText } from "../text/clean.ts";
import { MESSAGE_RENDERERS } from "./conversations/messages.ts";
import { PAST_WORK_RENDERERS } from "./conversations/past_work.ts";
import { RESUME_RENDERERS } from "./conversations/resume.ts";
import { renderSearch } from "./conversations/search.ts";
import { WITHIN_RENDERERS } from "./conversations/within.ts";
import { paint, type Terminal, table, tokens, when } from "./terminal/terminal.ts";
import { fitEnd } from "./terminal/width.ts";

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;

function renderStats(output: Output<typeof stats>, terminal: Terminal): string {
  const { earliest, latest } = output.date_range;
  const span = earliest && latest ? `${dayOf(Date.parse(earliest))} to ${dayOf(Date.parse(latest))}` : "nothing yet";
  const lines = [
    `${paint(terminal, "bold", plural(output.total_conversations, "conversation"))}, ${plural(output.total_messages, "message")}, ${tokens(output.total_tokens)} (${formatTokens(output.avg_tokens_per_conversation)} each on average)`,
    `${span}${output.last_sync ? `; last sync ${when(terminal, output.last_sync)}` : ""}`,
  ];
  if (output.groups) return [...lines, "", groupsTable(output.groups, output.by ?? "name", terminal)].join("\n");
  if (output.session_id) lines.push(`current session ${output.session_id}`);
  const sources = Object.entries(output.sources).map(([source, count]) => [agentName(source), formatCount(count)]);
  if (sources.length > 0) {
    lines.push(
      "",
      table(
        terminal,
        [
          { title: "agent", style: "cyan" },
          { title: "conversations", align: "right" },
        ],
        sources,
      ),
    );
  }
  if (output.projects.length > 0) {
    lines.push("", paint(terminal, "dim", "most active projects"));
    lines.push(...output.projects.slice(0, 10).map((project) => `  ${fitEnd(cleanText(project), terminal.width - 2)}`));
  }
  return lines.join("\n");
}

function groupsTable(groups: NonNullable<Output<typeof stats>["groups"]>, title: string, terminal: Terminal): string {
  const nameOf = (name: string): string => (title === "agent" ? agentName(name) : name);
  const rows = groups.map(({ name, conversations, messages, tokens: size }) => [
    name === "" ? "(unknown)" : nameOf(name),
    formatCount(conversations),
    formatCount(messages),
    formatTokens(size),
  ]);
  const columns = [
    { title, style: "cyan", flexible: true, keepEnd: title === "project" },
    { title: "conversations", align: "right" },
    { title: "messages", align: "right", drop: 1 },
    { title: "tokens", align: "right" },
  ] as const;
  return table(terminal, columns, rows);
}

function renderActivity(output: Output<typeof activity>, terminal: Terminal): string {
  if (output.total.messages === 0) return "No messages in this time.";
  const { conversations, messages, tokens: size } = output.total;
  const days = output.days.map(({ day, ...counts }) => ({ name: day, ...counts })).reverse();
  return [
    `${plural(conversations, "conversation")}, ${plural(messages, "message")}, ${tokens(size)} on ${plural(days.length, "day")}`,
    groupsTable(days, "day", terminal),
    groupsTable(output.agents, "agent", terminal),
    groupsTable(output.projects, "project", terminal),
  ].join("\n\n");
}

function renderList(output: Output<typeof list>, terminal: Terminal): string {
  const isShared = output.conversations.some(({ origin }) => origin === "team");
  const rows = output.conversations.map((each) => [
    each.address,
    agentName(each.source),
    when(terminal, each.date),
    lastName(each.project),
    ...(isShared ? [each.origin === "team" ? (each.owner ?? "") : "you"] : []),
    each.title,
    String(each.message_count),
    formatTokens(each.estimated_tokens),
  ]);
  const columns = [
    { title: "id", style: "cyan" },
    { title: "agent", drop: 3 },
    { title: "when" },
    { title: "project", max: terminal.width < 100 ? 12 : 24, drop: 4 },
    ...(isShared ? [{ title: "by", max: 16, drop: 5 }] : []),
    { title: "title", flexible: true },
    { title: "msgs", align: "right", drop: 2 },
    { title: "tokens", align: "right", drop: 1 },
  ] as const;
  const lines =
    output.total === 0
      ? [NO_MATCH]
      : [table(terminal, columns, rows), counted(output.conversations.length, output.total, terminal)];
  return [...lines, ...hiddenLines(output, terminal)].join("\n");
}

interface Hidden {
  hidden_subagents?: number | undefined;
  hidden_abandoned?: number | undefined;
}

function hiddenLines(output: Hidden, terminal: Terminal): string[] {
  const { hidden_subagents: subagents = 0, hidden_abandoned: abandoned = 0 } = output;
  const hidden = [
    { count: subagents, what: plural(subagents, "subagent conversation"), option: "subagents" },
    { count: abandoned, what: plural(abandoned, "abandoned branch", "abandoned branches"), option: "abandoned" },
  ];
  return hidden.flatMap(({ count, what, option }) => {
    if (count === 0) return [];
    const shows = terminal.compact ? `${option}: true shows` : `--${option} shows`;
    return [paint(terminal, "dim", `${what} hidden; ${shows} ${count === 1 ? "it" : "them"}`)];
  });
}

function renderIndex(output: Output<typeof index>, terminal: Terminal): string {
  const rows = output.sessions.map((each) => [
    each.prefix,
    when(terminal, each.date),
    each.title,
    agentName(each.source),
    String(each.messages),
    formatTokens(each.tokens),
    each.files === 0 ? "" : String(each.files),
    each.commits === 0 ? "" : String(each.commits),
  ]);
  const columns = [
    { title: "id", style: "cyan" },
    { title: "when" },
    { title: "title", flexible: true },
    { title: "agent", drop: 5 },
    { title: "msgs", align: "right", drop: 4 },
    { title: "tokens", align: "right", drop: 3 },
    { title: "files", align: "right", drop: 2 },
    { title: "commits", align: "right", drop: 1 },
  ] as const;
  const lines =
    output.total === 0
      ? [NO_MATCH]
      : [table(terminal, columns, rows), counted(output.sessions.length, output.total, terminal)];
  return [...lines, ...hiddenLines(output, terminal)].join("\n");
}

const NO_MATCH = "No conversation matches.";

function counted(shown: number, total: number, terminal: Terminal): string {
  const text = shown < total ? `${shown} of ${plural(total, "conversation")}` : plural(total, "conversation");
  return paint(terminal, "dim", text);
}

export const CONVERSATION_RENDERERS = {
  stats: renderStats,
  list: renderList,
  index: renderIndex,
  search: renderSearch,
  ...PAST_WORK_RENDERERS,
  ...MESSAGE_RENDERERS,
  ...RESUME_RENDERERS,
  ...WITHIN_RENDERERS,
  activity: renderActivity,
};
