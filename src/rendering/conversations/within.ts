/** Renders the verbs about one conversation as a whole: `messages`, `find` and `family`. */
import type * as z from "zod";
import { formatCount, formatTokens, plural } from "../../kernel/text.ts";
import { DayClock } from "../../kernel/time.ts";
import type { family } from "../../operations/conversations/within/family.ts";
import type { find } from "../../operations/conversations/within/find.ts";
import type { messages } from "../../operations/conversations/within/messages.ts";
import { cleanLine, cleanText } from "../../text/clean.ts";
import { paint, type Terminal, when } from "../terminal/terminal.ts";
import { fit } from "../terminal/width.ts";
import { ownerInWords } from "./origin.ts";
import { kindInWords } from "./parents.ts";

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;
type Part = Output<typeof messages>["messages"][number]["parts"][number];

function renderMessages(output: Output<typeof messages>, terminal: Terminal): string {
  const clock = new DayClock();
  const blocks = output.messages.map((each) => {
    const { day, clock: time } = clock.next(each.time);
    const about = [`#${each.index} ${each.role}`, day, time, each.kind].filter(Boolean).join(" ");
    return [paint(terminal, "cyan", about), ...each.parts.map((part) => partLines(part, terminal))].join("\n");
  });
  const last = output.from + output.messages.length;
  const note =
    output.messages.length === 0
      ? `no messages from #${output.from} on; there are ${formatCount(output.message_count)}`
      : `messages ${output.from}-${last - 1} of ${formatCount(output.message_count)}`;
  return [
    paint(terminal, "bold", cleanLine(output.title)),
    paint(terminal, "dim", [`${output.source}:${output.id}`, note, ownerInWords(output)].filter(Boolean).join(" · ")),
    "",
    blocks.join("\n\n"),
  ].join("\n");
}

function partLines(part: Part, terminal: Terminal): string {
  const left = part.chars === undefined ? "" : ` [cut: ${formatCount(part.chars)} characters in all]`;
  const text = cleanText(part.text) + left;
  if (part.type === "text") return text;
  if (part.type === "thinking") return paint(terminal, "dim", `[thinking] ${text}`);
  if (part.type === "tool_call") {
    const end = part.result ? ` → #${part.result.index} ${endOf(part.result)}` : "";
    return `${paint(terminal, "bold", `[${cleanLine(part.name)}]`)}${end}\n${text}`;
  }
  const head = `[result${part.name === undefined ? "" : ` of ${cleanLine(part.name)}`}, ${endOf(part)}]`;
  return `${paint(terminal, part.status === "failed" ? "red" : "dim", head)}\n${text}`;
}

function endOf({ status, exit_code }: { status: string; exit_code?: number | undefined }): string {
  return exit_code === undefined ? status : `${status}, exit ${exit_code}`;
}

function renderFind(output: Output<typeof find>, terminal: Terminal): string {
  if (output.total === 0) return `"${cleanLine(output.text, 100)}" does not occur in this conversation.`;
  const lines = output.hits.map(({ index, role, part_type, snippet, at, length }) => {
    const head = `#${index} ${part_type === "text" ? role : part_type.replace("_", " ")}`;
    const found = paint(terminal, "bold", snippet.slice(at, at + length));
    return `${paint(terminal, "cyan", head)}  ${snippet.slice(0, at)}${found}${snippet.slice(at + length)}`;
  });
  const shown = output.hits.length < output.total ? `${formatCount(output.hits.length)} of ` : "";
  const count = `${shown}${plural(output.total, "occurrence")} in ${plural(output.messages, "message")}`;
  const owner = ownerInWords(output);
  return [...lines, paint(terminal, "dim", owner === "" ? count : `${count} · ${owner}`)].join("\n");
}

function renderFamily(output: Output<typeof family>, terminal: Terminal): string {
  const lines = output.members.map((each) => {
    const kind = each.kind === "start" ? "" : `${kindInWords(each.kind)} `;
    const about = `${when(terminal, each.updated)}, ${plural(each.messages, "message")}, ${formatTokens(each.tokens)} tokens`;
    const mark = each.id === output.id ? ">" : " ";
    const text = `${mark} ${"  ".repeat(each.depth)}${each.address}  ${kind}${cleanLine(each.title)}`;
    return `${fit(text, Math.max(20, terminal.width - about.length - 2))}  ${paint(terminal, "dim", about)}`;
  });
  if (output.left_out > 0) lines.push(`… and ${plural(output.left_out, "more conversation")}`);
  return lines.join("\n");
}

export const WITHIN_RENDERERS = { messages: renderMessages, find: renderFind, family: renderFamily };
