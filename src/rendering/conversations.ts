/** Renders the answers about conversations: totals, lists and search results. */

import type * as z from "zod";
import { lastName } from "../kernel/files/paths.ts";
import { formatCount, formatTokens, plural } from "../kernel/text.ts";
import { dayOf } from "../kernel/time.ts";
import type { activity } from "../operations/conversations/activity.ts";
import type { index } from "../operations/conversations/index.ts";
import type { list } from "../operations/conversations/list.ts";
import type { search } from "../operations/conversations/search.ts";
import type { stats } from "../operations/conversations/stats.ts";
import { matchesIn } from "../search/results/snippet.ts";
import { cleanText } from "../text/clean.ts";
import { evidenceText } from "./conversations/evidence.ts";
import { MESSAGE_RENDERERS } from "./conversations/messages.ts";
import { ownerInWords } from "./conversations/origin.ts";
import { parentInWords } from "./conversations/parents.ts";
import { PAST_WORK_RENDERERS, tooSmall } from "./conversations/past_work.ts";
import { RESUME_RENDERERS } from "./conversations/resume.ts";
import { teamNoteLines } from "./conversations/team_notes.ts";
import { WITHIN_RENDERERS } from "./conversations/within.ts";
import { emptyPage, paint, type Terminal, table, tokens, when } from "./terminal/terminal.ts";
import { fit, fitEnd, textWidth, wrap } from "./terminal/width.ts";

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
  const sources = Object.entries(output.sources).map(([source, count]) => [source, formatCount(count)]);
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
  const rows = groups.map(({ name, conversations, messages, tokens: size }) => [
    name === "" ? "(unknown)" : name,
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
    each.source,
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
    { title: "project", max: terminal.width < 100 ? 12 : 24 },
    ...(isShared ? [{ title: "by", max: 16 }] : []),
    { title: "title", flexible: true },
    { title: "msgs", align: "right", drop: 2 },
    { title: "tokens", align: "right", drop: 1 },
  ] as const;
  const lines = [table(terminal, columns, rows), counted(output.conversations.length, output.total, terminal)];
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
    each.source,
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
  const lines = [table(terminal, columns, rows), counted(output.sessions.length, output.total, terminal)];
  return [...lines, ...hiddenLines(output, terminal)].join("\n");
}

function counted(shown: number, total: number, terminal: Terminal): string {
  const text = shown < total ? `${shown} of ${plural(total, "conversation")}` : plural(total, "conversation");
  return paint(terminal, "dim", text);
}

function renderSearch(output: Output<typeof search>, terminal: Terminal): string {
  const saved = teamNoteLines(output.team_notes, terminal).join("\n");
  if (output.results.length === 0) {
    const meant = output.did_you_mean?.join(", ");
    const nothing = output.note ? `Nothing found. ${output.note}` : "Nothing found.";
    if (saved !== "") return saved;
    if (output.left_out !== undefined) return tooSmall(plural(output.left_out, "result"));
    if (output.total > 0) return emptyPage(output.total);
    return meant ? `${nothing} Did you mean: ${meant}?` : nothing;
  }
  const note = output.note ? `${paint(terminal, "yellow", output.note)}\n\n` : "";
  const blocks = output.results.map((hit) => {
    const address = hit.kind !== "conversation" ? cleanText(hit.id) : `${hit.address ?? hit.id}#${hit.message_index}`;
    const about = [
      hit.definition ?? "",
      hit.kind !== "conversation" ? `lines ${hit.first_line}-${hit.last_line}` : hit.source,
      when(terminal, hit.date),
      // Before what a narrow terminal may cut off.
      ownerInWords(hit),
      tokens(hit.estimated_tokens),
      hit.changed_since
        ? `${hit.changed_since.files} of ${plural(hit.changed_since.of, "edited file")} changed since`
        : "",
      terminal.compact || terminal.width >= WIDE_COLUMNS ? hit.project : lastName(hit.project ?? ""),
      hit.parent === undefined ? "" : parentInWords(hit.parent, hit.parent_kind),
      hit.children === undefined ? "" : plural(hit.children, "related conversation"),
    ].filter(Boolean);
    const snippet = cleanText(hit.snippet);
    return [
      paint(terminal, "bold", fit(cleanText(hit.title), terminal.width)),
      ...aboutLines(address, cleanText(about.join(" · ")), terminal),
      highlighted(terminal.compact ? `  ${snippet}` : wrap(snippet, terminal.width, "  "), output.words, terminal),
      ...(hit.explain ? explainLines(hit.explain, hit, terminal) : []),
    ].join("\n");
  });
  const below = saved === "" ? "" : `${saved}\n\n`;
  return `${note}${blocks.join("\n\n")}\n\n${below}${found(output, terminal)}${facetLines(output, terminal)}`;
}

/** The address and its details, on one line if both fit. */
function aboutLines(address: string, about: string, terminal: Terminal): string[] {
  const room = terminal.width - textWidth(address) - 4;
  const painted = paint(terminal, "cyan", fit(address, terminal.width - 2));
  if (room >= MIN_DETAIL_COLUMNS) return [`  ${painted}  ${paint(terminal, "dim", fit(about, room))}`];
  return [`  ${painted}`, `  ${paint(terminal, "dim", fit(about, terminal.width - 2))}`];
}

const MIN_DETAIL_COLUMNS = 20;
/** Terminals at least this wide show a project's whole path. */
const WIDE_COLUMNS = 110;

/** Highlights the words of the query. */
function highlighted(text: string, words: readonly string[] | undefined, terminal: Terminal): string {
  if (!terminal.color || !words) return text;
  return text
    .split("\n")
    .map((line) => {
      let painted = "";
      let from = 0;
      for (const { start, end } of matchesIn(line, words)) {
        painted += line.slice(from, start) + paint(terminal, "bold", line.slice(start, end));
        from = end;
      }
      return painted + line.slice(from);
    })
    .join("\n");
}

function found(output: Output<typeof search>, terminal: Terminal): string {
  const text = foundText(output);
  return paint(terminal, "dim", terminal.compact ? text : wrap(text, terminal.width, ""));
}

/** Says what the numbers count, because most results of a long list have only one of the words. */
function foundText(output: Output<typeof search>): string {
  const { results, total, totals, total_complete = true } = output;
  const least = total_complete ? "" : "at least ";
  if (totals) {
    const { conversations, passages, definitions } = totals;
    const parts = [conversationsText({ ...output, total: conversations })];
    if (passages > 0) parts.push(plural(passages, "passage"));
    if (definitions > 0) parts.push(plural(definitions, "definition"));
    return `${results.length} of ${least}${parts.join("; ")}`;
  }
  if (!results.every(({ kind }) => kind === "conversation")) {
    return `${results.length} of ${least}${plural(total, "result")}`;
  }
  return `${results.length < total ? `best ${results.length} of ` : ""}${least}${conversationsText(output)}`;
}

function conversationsText({ total, total_any = total, matches, words = [], mode }: Output<typeof search>): string {
  const likeness = mode === "hybrid" ? " or a similar meaning" : "";
  const any = `${words.length === 1 ? "with parts of the word" : "with any of the words"}${likeness}`;
  const count = plural(total, "conversation");
  if (mode === "vector") return `${count} with a similar meaning`;
  if (matches === "exact") return `${count} with exactly this`;
  if (matches !== "all") return `${count} ${any}`;
  const all = `${count} ${words.length === 1 ? "with the word" : "with all of the words"}`;
  return total_any === total ? all : `${all}, ${formatCount(total_any)} with any${likeness}`;
}

/** One line for each way of counting. */
function facetLines({ facets }: Output<typeof search>, terminal: Terminal): string {
  if (!facets) return "";
  const lines = Object.entries(facets).map(([name, values]) => {
    const counts = values.map((each) => `${each.name === "" ? "(none)" : lastName(each.name)} ${each.conversations}`);
    return fit(cleanText(`${name}: ${counts.join(", ")}`), terminal.width);
  });
  return `\n${lines.map((line) => paint(terminal, "dim", line)).join("\n")}`;
}

function explainLines(
  explain: NonNullable<Output<typeof search>["results"][number]["explain"]>,
  { kind, score_final: score }: Pick<Output<typeof search>["results"][number], "kind" | "score_final">,
  terminal: Terminal,
): string[] {
  const unit = kind === "document" ? "passage" : "message";
  const sum = explain.best_messages.map(({ part }) => part.toFixed(2)).join(" + ");
  const boosted = explain.file_boost === 1 ? sum : `${explain.file_boost} (touched a named file) × (${sum})`;
  const evidence = evidenceText(explain.evidence);
  const messages = explain.best_messages.map(
    ({ index, words, likeness, part }) =>
      `${index === null ? "title" : `#${index}`} ${part.toFixed(2)} (words ${words.toFixed(2)}, likeness ${likeness === null ? "none" : likeness.toFixed(2)})`,
  );
  const terms = explain.terms.map(
    ({ term, messages, weight, share }) =>
      `${term} ${share.toFixed(2)} (in ${plural(messages, unit)}, weight ${weight})`,
  );
  return [
    paint(
      terminal,
      "dim",
      `  score ${score.toFixed(2)} = ${boosted} of its best ${unit}${kind === "document" ? "" : "s"}${evidence}`,
    ),
    ...messages.map((line) => paint(terminal, "dim", `    ${line}`)),
    ...terms.map((line) => paint(terminal, "dim", `    ${line}`)),
  ];
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
