/** Renders the messages of a conversation for `show`, `scan`, `read`, `timeline` and `get`. */
import type * as z from "zod";
import { timedLines, timesFrom } from "../../conversations/scan/scan.ts";
import { formatCount, formatTokens, plural } from "../../kernel/text.ts";
import { DayClock, fullTime } from "../../kernel/time.ts";
import type { message } from "../../operations/conversations/message.ts";
import type { read } from "../../operations/conversations/read.ts";
import type { scan } from "../../operations/conversations/scan.ts";
import type { show } from "../../operations/conversations/show.ts";
import type { timeline } from "../../operations/conversations/timeline.ts";
import type { prompts } from "../../operations/conversations/within/prompts.ts";
import { cleanText } from "../../text/clean.ts";
import { paint, type Terminal, tokens, when } from "../terminal/terminal.ts";
import { fit, wrap } from "../terminal/width.ts";
import { ownerInWords } from "./origin.ts";
import { parentInWords } from "./parents.ts";

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;

function renderShow(output: Output<typeof show>, terminal: Terminal): string {
  const blocks = output.conversations.map((each) => {
    // The last message may be truncated and no longer look like a line of an outline.
    const whole = each.messages.slice(0, Math.max(1, each.messages.length - 1));
    const outline = whole.every((message) => message.content.startsWith(`${message.index} [`));
    const head = [
      paint(terminal, "bold", cleanText(each.title)),
      paint(
        terminal,
        "dim",
        [
          `${each.source}:${each.id}`,
          each.project,
          when(terminal, each.date),
          plural(each.message_count, "message"),
          ownerInWords(each),
        ]
          .filter(Boolean)
          .join(" · "),
      ),
      ...relativeLines(each, terminal),
    ];
    if (each.has_more_before) head.push(paint(terminal, "dim", "[earlier messages not shown]"));
    const body = each.messages.map((message) =>
      outline
        ? fit(cleanText(message.content), terminal.width)
        : `${paint(terminal, "cyan", `#${message.index} ${message.role}`)}\n${cleanText(message.content)}\n`,
    );
    const tail: string[] = [];
    if (each.has_more_after) tail.push("[later messages not shown]");
    if (each.truncated) {
      tail.push(
        `[truncated: ${plural(each.truncated.messages, "message")}, about ${tokens(each.truncated.tokens)} left out]`,
      );
    }
    return [...head, "", ...body, ...tail.map((line) => paint(terminal, "yellow", line))].join("\n");
  });
  if (output.skipped_ids) {
    const { skipped_ids: skipped, max_tokens: max = 0, needed_tokens: needed = 0 } = output;
    const verb = skipped.length === 1 ? "does" : "do";
    blocks.push(
      `${someOf(skipped, terminal)} ${verb} not fit ${terminal.compact ? "max_tokens" : "--max-tokens"} ${max}; use at least ${formatCount(needed)}.`,
    );
  }
  return blocks.join("\n\n");
}

/** The parent of this conversation, and its children. */
function relativeLines(each: Output<typeof show>["conversations"][number], terminal: Terminal): string[] {
  const lines: string[] = [];
  if (each.parent !== undefined) lines.push(parentInWords(each.parent, each.parent_kind));
  if (each.children) {
    const more = (each.children_count ?? 0) - each.children.length;
    const names = each.children.join(", ");
    lines.push(
      `${plural(each.children_count ?? 0, "subagent, fork or abandoned branch", "subagents, forks and abandoned branches")}: ${names}${more > 0 ? `, and ${more} more` : ""}`,
    );
  }
  return lines.map((line) => paint(terminal, "dim", terminal.compact ? line : wrap(line, terminal.width, "")));
}

/** Agents get the number of ids only, because a list of ids would use up their budget. */
function someOf(ids: readonly string[], terminal: Terminal): string {
  return terminal.compact && ids.length > 1 ? plural(ids.length, "conversation") : ids.join(", ");
}

function renderScan(output: Output<typeof scan>, terminal: Terminal): string {
  const { title, lines, start, minutes, total_tokens, message_count = lines.length, tokens_per_msg } = output;
  const merged = lines.length < message_count ? ` in ${plural(lines.length, "line")}` : "";
  const note = `${plural(message_count, "message")}${merged}, ${tokens(total_tokens)}, ${tokens_per_msg} per message`;
  return [
    paint(terminal, "bold", cleanText(title)),
    ...timedLines(lines, timesFrom(start, minutes)).map(cleanText),
    paint(terminal, "dim", note),
  ].join("\n");
}

function renderRead(output: Output<typeof read>, terminal: Terminal): string {
  const clock = new DayClock();
  const blocks = output.messages.map((message) => {
    const { day, clock: at } = clock.next(message.time);
    const time = [day, terminal.compact ? at.slice(0, 5) : at].filter(Boolean).join(" ");
    const head = `#${message.index} ${message.role}${time === "" ? "" : ` ${time}`}`;
    return `${paint(terminal, "cyan", head)}\n${cleanText(message.content)}`;
  });
  if (output.truncated) {
    const { messages, tokens: cut } = output.truncated;
    blocks.push(
      paint(terminal, "yellow", `[truncated: ${plural(messages, "message")}, about ${tokens(cut)} left out]`),
    );
  }
  return [...ownerLine(output, terminal), blocks.join("\n\n")].join("\n");
}

/** Only for a conversation of another member. */
function ownerLine(of: Parameters<typeof ownerInWords>[0], terminal: Terminal): string[] {
  const owner = ownerInWords(of);
  return owner === "" ? [] : [paint(terminal, "dim", owner)];
}

function renderTimeline(output: Output<typeof timeline>, terminal: Terminal): string {
  const lines = [paint(terminal, "bold", cleanText(output.title)), ...ownerLine(output, terminal)];
  const clock = new DayClock();
  if (output.has_more_before) lines.push(paint(terminal, "dim", "  …"));
  for (const message of output.messages) {
    const { day, clock: time } = clock.next(message.time);
    if (day !== undefined) lines.push(paint(terminal, "dim", day));
    const anchor = message.index === output.anchor;
    const text = fit(cleanText(timelineLine(message, time, anchor, terminal)), terminal.width - 8);
    const size = paint(terminal, "dim", `(${formatTokens(message.tokens)})`);
    lines.push(`${anchor ? paint(terminal, "cyan", text) : text} ${size}`);
  }
  if (output.has_more_after) lines.push(paint(terminal, "dim", "  …"));
  return lines.join("\n");
}

function timelineLine(
  { index, role, head }: Output<typeof timeline>["messages"][number],
  time: string,
  anchor: boolean,
  { compact }: Terminal,
): string {
  if (compact) return `${anchor ? ">" : ""}${index} ${time} ${role} ${head}`;
  return `${anchor ? ">" : " "} ${String(index).padStart(4)} ${time.padEnd(8)} ${role.padEnd(9)} ${head}`;
}

function renderPrompts(output: Output<typeof prompts>, terminal: Terminal): string {
  const lines = [paint(terminal, "bold", cleanText(output.title)), ...ownerLine(output, terminal)];
  const clock = new DayClock();
  for (const { index, time, head } of output.prompts) {
    const at = clock.next(time);
    if (at.day !== undefined) lines.push(paint(terminal, "dim", at.day));
    lines.push(fit(cleanText(`${String(index).padStart(5)} ${at.clock.padEnd(8)} ${head}`), terminal.width));
  }
  if (output.prompts.length < output.total) {
    lines.push(paint(terminal, "dim", `${output.prompts.length} of ${plural(output.total, "prompt")} shown`));
  }
  return lines.join("\n");
}

function renderMessage(output: Output<typeof message>, terminal: Terminal): string {
  const { message } = output;
  const time = message.time ? ` ${fullTime(message.time)}` : "";
  const head = `${output.source}:${output.id}#${message.index} ${message.role}${time} · ${tokens(message.tokens)}`;
  const owner = ownerInWords(output);
  return `${paint(terminal, "dim", owner === "" ? head : `${head} · ${owner}`)}\n${cleanText(message.content)}`;
}

export const MESSAGE_RENDERERS = {
  show: renderShow,
  scan: renderScan,
  read: renderRead,
  timeline: renderTimeline,
  message: renderMessage,
  prompts: renderPrompts,
};
