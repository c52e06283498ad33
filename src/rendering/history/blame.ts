/** Renders blame: ranges of lines with their commits and conversations, or the shares of agents, conversations, ages. */
import type * as z from "zod";
import { formatCount, plural } from "../../kernel/text.ts";
import type { blame } from "../../operations/history/blame.ts";
import type { linkOutput } from "../../operations/history/fields.ts";
import { cleanText } from "../../text/clean.ts";
import { ownerInWords } from "../conversations/origin.ts";
import { paint, type Terminal, when } from "../terminal/terminal.ts";
import { fit } from "../terminal/width.ts";

type Blame = z.output<(typeof blame)["output"]>;
type Summary = NonNullable<Blame["summary"]>;

export const SHORT_SHA_CHARS = 9;
const LINK_TEXTS = { sha: "made by", message: "made by", files: "probably made by" } as const;
const SHOWN_CONVERSATIONS = 10;
const MIN_CODE_COLUMNS = 20;

export function linkText(link: z.output<typeof linkOutput>, terminal: Terminal): string {
  return `${LINK_TEXTS[link.by]} ${conversationText(link, terminal)}`;
}

/** Columns before an address: the indent, and how the conversation is related to the line. */
const COLUMNS_BEFORE = 22;
const MIN_TITLE_COLUMNS = 20;
const MAX_TITLE_COLUMNS = 60;

/** Its address, its title, and its owner if that is another member of the team. */
function conversationText(
  { address, title, ...from }: { address: string; title: string } & Parameters<typeof ownerInWords>[0],
  terminal: Terminal,
): string {
  const owner = ownerInWords(from);
  const of = owner === "" ? "" : ` (${owner})`;
  const room = terminal.width - COLUMNS_BEFORE - address.length;
  const shown = fit(cleanText(title), Math.min(MAX_TITLE_COLUMNS, Math.max(MIN_TITLE_COLUMNS, room)));
  return `${paint(terminal, "cyan", address)} ${shown}${of}`;
}

export function renderBlame(output: Blame, terminal: Terminal): string {
  if (output.summary) return renderSummary(output.summary, terminal);
  if (output.ranges.length === 0) return "There are no lines to blame.";
  const blocks = output.ranges.map((each) => rangeText(each, terminal));
  if (output.next !== undefined) {
    blocks.push(paint(terminal, "dim", `more: dex blame ${cleanText(output.next)}`));
  }
  return blocks.join("\n");
}

function rangeText(range: Blame["ranges"][number], terminal: Terminal): string {
  const { file, first, last, text, commit, unknown, conversation, written_by: writer } = range;
  const place = `${cleanText(file)}:${first}${last > first ? `-${last}` : ""}`;
  const shown = text.split("\n").find((line) => line.trim() !== "") ?? "";
  const room = Math.max(MIN_CODE_COLUMNS, terminal.width - place.length - 2);
  const lines = [`${paint(terminal, "bold", place)}  ${fit(cleanText(shown).replaceAll("\t", "  "), room)}`];
  lines.push(
    commit
      ? `  ${paint(terminal, "cyan", commit.sha.slice(0, SHORT_SHA_CHARS))} ${when(terminal, commit.time)} ${cleanText(commit.author)}: ${cleanText(commit.subject)}${commit.boundary ? " (or an older commit: the clone is shallow)" : ""}`
      : unknown
        ? "  commit unknown"
        : "  not committed yet",
  );
  if (conversation) lines.push(`  ${linkText(conversation, terminal)}`);
  if (writer) lines.push(`  written in ${conversationText(writer, terminal)}`);
  return lines.join("\n");
}

function renderSummary(summary: Summary, terminal: Terminal): string {
  const head = `${formatCount(summary.lines)} lines in ${plural(summary.files, "file")}${summary.path === "" ? "" : ` of ${cleanText(summary.path)}`}`;
  const left = [
    summary.binary > 0 ? plural(summary.binary, "binary file") : "",
    summary.unreadable > 0 ? `${plural(summary.unreadable, "file")} that git could not blame` : "",
    summary.left > 0 ? `${plural(summary.left, "file")} left for the next call` : "",
  ].filter((part) => part !== "");
  const agents = summary.by_agent.map(({ agent, lines, share, probable, named }) => {
    const notes = [
      probable > 0 ? `${formatCount(probable)} probably` : "",
      named > 0 ? `${formatCount(named)} only named in the commit` : "",
    ].filter((note) => note !== "");
    return row(agent, lines, share, notes.join(", "));
  });
  const shown = summary.by_conversation.slice(0, SHOWN_CONVERSATIONS);
  const conversations = shown.map(({ lines, share, probable, ...conversation }) =>
    row(
      conversationText(conversation, terminal),
      lines,
      share,
      probable > 0 ? `${formatCount(probable)} probably` : "",
    ),
  );
  const more = summary.conversations - shown.length;
  const ages = summary.by_age.map(({ period, lines, share }) => row(period, lines, share, ""));
  return [
    paint(terminal, "bold", head),
    ...(left.length > 0 ? [paint(terminal, "dim", `not counted: ${left.join(", ")}`)] : []),
    paint(terminal, "bold", "By agent"),
    ...agents,
    ...(conversations.length > 0 ? [paint(terminal, "bold", "By conversation"), ...conversations] : []),
    ...(more > 0 ? [paint(terminal, "dim", `  and ${plural(more, "more conversation")}`)] : []),
    paint(terminal, "bold", "By age"),
    ...ages,
  ].join("\n");
}

function row(name: string, lines: number, share: number, note: string): string {
  const percent = `${(share * 100).toFixed(1)}%`;
  return `  ${percent.padStart(6)} ${formatCount(lines).padStart(9)}  ${name}${note === "" ? "" : ` (${note})`}`;
}
