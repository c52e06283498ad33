/** The answers about conversations and the index, as text. */
import type * as z from "zod";
import { MAX_TITLE_CHARACTERS, timedLines } from "../conversations/scan/scan.ts";
import { formatCount, formatTokens, plural } from "../kernel/text.ts";
import type { fix } from "../operations/fix.ts";
import type { get } from "../operations/get.ts";
import type { how } from "../operations/how.ts";
import type { index } from "../operations/index.ts";
import type { list } from "../operations/list.ts";
import type { read } from "../operations/read.ts";
import type { scan } from "../operations/scan.ts";
import type { search } from "../operations/search.ts";
import type { show } from "../operations/show.ts";
import type { stats } from "../operations/stats.ts";
import type { timeline } from "../operations/timeline.ts";
import { clip } from "../text/clip.ts";
import { fit, paint, printable, type Terminal, table, tokens, when, wrap } from "./terminal.ts";

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;

function renderStats(output: Output<typeof stats>, terminal: Terminal): string {
  const { earliest, latest } = output.date_range;
  const span = earliest && latest ? `${earliest.slice(0, 10)} to ${latest.slice(0, 10)}` : "nothing yet";
  const lines = [
    `${paint(terminal, "bold", plural(output.total_conversations, "conversation"))}, ${plural(output.total_messages, "message")}, ${tokens(output.total_tokens)} (${formatTokens(output.avg_tokens_per_conversation)} each on average)`,
    `${span}${output.last_sync ? `; last sync ${when(terminal, output.last_sync)}` : ""}`,
  ];
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
    lines.push(...output.projects.slice(0, 10).map((project) => `  ${fit(printable(project), terminal.width - 2)}`));
  }
  return lines.join("\n");
}

function renderList(output: Output<typeof list>, terminal: Terminal): string {
  const rows = output.conversations.map((each) => [
    each.id,
    each.source,
    when(terminal, each.date),
    each.title,
    String(each.message_count),
    formatTokens(each.estimated_tokens),
  ]);
  const columns = [
    { title: "id", style: "cyan" },
    { title: "agent" },
    { title: "when" },
    { title: "title", flexible: true },
    { title: "msgs", align: "right" },
    { title: "tokens", align: "right" },
  ] as const;
  return `${table(terminal, columns, rows)}\n${counted(output.conversations.length, output.total, terminal)}`;
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
    { title: "agent" },
    { title: "msgs", align: "right" },
    { title: "tokens", align: "right" },
    { title: "files", align: "right" },
    { title: "commits", align: "right" },
  ] as const;
  return `${table(terminal, columns, rows)}\n${counted(output.sessions.length, output.total, terminal)}`;
}

function counted(shown: number, total: number, terminal: Terminal): string {
  const text = shown < total ? `${shown} of ${plural(total, "conversation")}` : plural(total, "conversation");
  return paint(terminal, "dim", text);
}

function renderSearch(output: Output<typeof search>, terminal: Terminal): string {
  if (output.results.length === 0) {
    const meant = output.did_you_mean?.join(", ");
    return meant ? `Nothing found. Did you mean: ${meant}?` : "Nothing found.";
  }
  const note = output.note ? `${paint(terminal, "yellow", output.note)}\n\n` : "";
  const blocks = output.results.map((hit) => {
    const address = hit.kind !== "conversation" ? printable(hit.id) : `${hit.id}#${hit.message_index}`;
    const about = [
      hit.definition ?? "",
      hit.kind !== "conversation" ? `lines ${hit.first_line}-${hit.last_line}` : hit.source,
      when(terminal, hit.date),
      tokens(hit.estimated_tokens),
      hit.changed_since
        ? `${hit.changed_since.files} of ${plural(hit.changed_since.of, "edited file")} changed since`
        : "",
      hit.project,
    ].filter(Boolean);
    return [
      paint(terminal, "bold", fit(printable(hit.title), terminal.width)),
      `  ${paint(terminal, "cyan", address)}  ${paint(terminal, "dim", fit(printable(about.join(" · ")), Math.max(20, terminal.width - address.length - 4)))}`,
      terminal.compact ? `  ${printable(hit.snippet)}` : wrap(printable(hit.snippet), terminal.width, "  "),
      ...(hit.explain ? explainLines(hit.explain, hit, terminal) : []),
    ].join("\n");
  });
  return `${note}${blocks.join("\n\n")}\n\n${found(output, terminal)}`;
}

function found(output: Output<typeof search>, terminal: Terminal): string {
  const { results, total } = output;
  if (results.every(({ kind }) => kind === "conversation")) return counted(results.length, total, terminal);
  return paint(terminal, "dim", `${results.length} of ${plural(total, "result")}`);
}

function explainLines(
  explain: NonNullable<Output<typeof search>["results"][number]["explain"]>,
  { kind, score_final: score }: Pick<Output<typeof search>["results"][number], "kind" | "score_final">,
  terminal: Terminal,
): string[] {
  const unit = kind === "document" ? "passage" : "message";
  const sum = explain.best_messages.map(({ part }) => part.toFixed(2)).join(" + ");
  const boosted = explain.file_boost === 1 ? sum : `${explain.file_boost} (touched a named file) × (${sum})`;
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
      `  score ${score.toFixed(2)} = ${boosted} of its best ${unit}${kind === "document" ? "" : "s"}`,
    ),
    ...messages.map((line) => paint(terminal, "dim", `    ${line}`)),
    ...terms.map((line) => paint(terminal, "dim", `    ${line}`)),
  ];
}

function renderFix(output: Output<typeof fix>, terminal: Terminal): string {
  if (output.results.length === 0) return "Nobody met this error here.";
  const blocks = output.results.map((each) => {
    const address = `${each.id}#${each.message_index}`;
    const about = [each.source, when(terminal, each.date), each.match === "words" ? "only alike" : ""].filter(Boolean);
    return [
      paint(terminal, "bold", fit(printable(each.title), terminal.width)),
      `  ${paint(terminal, "cyan", address)}  ${paint(terminal, "dim", about.join(" · "))}`,
      `  ${paint(terminal, "red", fit(printable(each.error), terminal.width - 2))}`,
      ...each.next.map(({ index, role, head }) => fit(`    ${index} ${role}: ${printable(head)}`, terminal.width)),
    ].join("\n");
  });
  return `${blocks.join("\n\n")}\n\n${counted(output.results.length, output.total, terminal)}`;
}

function renderHow(output: Output<typeof how>, terminal: Terminal): string {
  if (output.invocations.length === 0) return "No call of it that worked was found.";
  return output.invocations
    .map((each) => {
      const status = each.exit_code === null ? "no error" : `exit ${each.exit_code}`;
      const about = [`${each.times}×`, status, when(terminal, each.date), each.address, each.project].filter(Boolean);
      return `${printable(each.command)}\n  ${paint(terminal, "dim", fit(printable(about.join(" · ")), terminal.width - 2))}`;
    })
    .join("\n");
}

function renderShow(output: Output<typeof show>, terminal: Terminal): string {
  const blocks = output.conversations.map((each) => {
    // The last may have been cut to the budget, and no longer look like a line of an outline.
    const whole = each.messages.slice(0, Math.max(1, each.messages.length - 1));
    const outline = whole.every((message) => message.content.startsWith(`${message.index} [`));
    const head = [
      paint(terminal, "bold", printable(each.title)),
      paint(
        terminal,
        "dim",
        [`${each.source}:${each.id}`, each.project, when(terminal, each.date), plural(each.message_count, "message")]
          .filter(Boolean)
          .join(" · "),
      ),
    ];
    if (each.has_more_before) head.push(paint(terminal, "dim", "[earlier messages not shown]"));
    const body = each.messages.map((message) =>
      outline
        ? fit(printable(message.content), terminal.width)
        : `${paint(terminal, "cyan", `#${message.index} ${message.role}`)}\n${printable(message.content)}\n`,
    );
    const tail: string[] = [];
    if (each.has_more_after) tail.push("[later messages not shown]");
    if (each.truncated) {
      tail.push(
        `[cut to the budget: ${plural(each.truncated.messages, "message")}, about ${tokens(each.truncated.tokens)} left out]`,
      );
    }
    return [...head, "", ...body, ...tail.map((line) => paint(terminal, "yellow", line))].join("\n");
  });
  if (output.skipped_ids) blocks.push(`Left out, the budget is spent: ${someOf(output.skipped_ids, terminal)}`);
  return blocks.join("\n\n");
}

/** An agent that set a budget does not want it spent on ids. */
function someOf(ids: readonly string[], terminal: Terminal): string {
  return terminal.compact && ids.length > 1 ? plural(ids.length, "conversation") : ids.join(", ");
}

function renderScan(output: Output<typeof scan>, terminal: Terminal): string {
  const { title, lines, times, total_tokens, message_count, tokens_per_msg } = output;
  const merged = lines.length < message_count ? ` in ${plural(lines.length, "line")}` : "";
  const note = `${plural(message_count, "message")}${merged}, ${tokens(total_tokens)}, ${tokens_per_msg} per message`;
  return [
    paint(terminal, "bold", printable(clip(title, MAX_TITLE_CHARACTERS))),
    ...timedLines(lines, times).map(printable),
    paint(terminal, "dim", note),
  ].join("\n");
}

function renderRead(output: Output<typeof read>, terminal: Terminal): string {
  const blocks = output.messages.map((message, i) => {
    const full = message.time?.slice(0, 19).replace("T", " ") ?? "";
    const shown = terminal.compact && i > 0 ? full.slice(11, 16) : full;
    const time = shown === "" ? "" : ` ${shown}`;
    return `${paint(terminal, "cyan", `#${message.index} ${message.role}${time}`)}\n${printable(message.content)}`;
  });
  if (output.truncated) {
    const { messages, tokens: cut } = output.truncated;
    blocks.push(
      paint(terminal, "yellow", `[cut to the budget: ${plural(messages, "message")}, about ${tokens(cut)} left out]`),
    );
  }
  return blocks.join("\n\n");
}

function renderTimeline(output: Output<typeof timeline>, terminal: Terminal): string {
  const lines = [paint(terminal, "bold", printable(output.title))];
  if (output.has_more_before) lines.push(paint(terminal, "dim", "  …"));
  for (const message of output.messages) {
    const line = timelineLine(message, message.index === output.anchor, terminal.compact ?? false);
    const text = fit(printable(line), terminal.width - 14);
    lines.push(
      `${message.index === output.anchor ? paint(terminal, "cyan", text) : text} ${paint(terminal, "dim", `(${formatTokens(message.tokens)})`)}`,
    );
  }
  if (output.has_more_after) lines.push(paint(terminal, "dim", "  …"));
  return lines.join("\n");
}

function timelineLine(message: Output<typeof timeline>["messages"][number], anchor: boolean, compact: boolean): string {
  const { index, role, head } = message;
  const time = message.time?.slice(11, 19) ?? "";
  if (compact) return `${anchor ? ">" : ""}${index} ${time} ${role} ${head}`;
  return `${anchor ? ">" : " "} ${String(index).padStart(4)} ${time.padEnd(8)} ${role.padEnd(9)} ${head}`;
}

function renderGet(output: Output<typeof get>, terminal: Terminal): string {
  const { message } = output;
  const time = message.time ? ` ${message.time.slice(0, 19).replace("T", " ")}` : "";
  const head = `${output.source}:${output.id}#${message.index} ${message.role}${time} · ${tokens(message.tokens)}`;
  return `${paint(terminal, "dim", head)}\n${printable(message.content)}`;
}

export const CONVERSATION_RENDERERS = {
  stats: renderStats,
  list: renderList,
  index: renderIndex,
  search: renderSearch,
  fix: renderFix,
  how: renderHow,
  show: renderShow,
  scan: renderScan,
  read: renderRead,
  timeline: renderTimeline,
  get: renderGet,
};
