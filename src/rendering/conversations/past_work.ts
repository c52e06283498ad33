/** Renders earlier conversations with the same error, and earlier successful commands. */
import type * as z from "zod";
import { agentName } from "../../integrations/registry.ts";
import { formatCount, plural } from "../../kernel/text.ts";
import type { fix } from "../../operations/conversations/fix.ts";
import type { how } from "../../operations/conversations/how.ts";
import { cleanText } from "../../text/clean.ts";
import { paint, type Terminal, when } from "../terminal/terminal.ts";
import { fit } from "../terminal/width.ts";

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;

function renderFix(output: Output<typeof fix>, terminal: Terminal): string {
  if (output.total === 0) return "No conversation has this error or a similar one.";
  if (output.results.length === 0) return tooSmall(plural(output.total, "conversation"));
  const same = output.results.some(({ match }) => match === "same");
  const blocks = output.results.map((each) => {
    const address = `${each.address}#${each.message_index}`;
    const unlike = each.mentioned
      ? "in code or a command, not reported"
      : each.match === "similar"
        ? "similar, not the same error"
        : "";
    const about = [agentName(each.source), when(terminal, each.date), unlike].filter(Boolean).join(" · ");
    return [
      paint(terminal, "bold", fit(cleanText(each.title), terminal.width)),
      `  ${paint(terminal, "cyan", address)}  ${paint(terminal, "dim", fit(about, terminal.width - address.length - 4))}`,
      `  ${paint(terminal, "red", fit(cleanText(each.error), terminal.width - 2))}`,
      ...each.next.map(({ index, role, head }) => fit(`    ${index} ${role}: ${cleanText(head)}`, terminal.width)),
    ].join("\n");
  });
  const { length } = output.results;
  const count = plural(output.total, "conversation");
  const shown = `${length < output.total ? `${length} of ` : ""}${count}`;
  const summary = same
    ? `${shown} with this error`
    : `No conversation has exactly this error; ${shown} with a similar one`;
  return `${blocks.join("\n\n")}\n\n${paint(terminal, "dim", summary)}`;
}

function renderHow(output: Output<typeof how>, terminal: Terminal): string {
  const { invocations, total, runs, searched_runs: searched } = output;
  const part = searched === undefined ? [] : [`Looked only at the latest ${plural(searched, "run")}; there are more.`];
  if (total === 0) return ["No run of this command was found.", ...part].join("\n");
  if (invocations.length === 0) return tooSmall(plural(total, "command"));
  const rows = invocations.map((each) => {
    const variants = each.variants > 1 ? plural(each.variants, "variant") : "";
    const about = [countsOf(each), variants, when(terminal, each.date), each.project].filter(Boolean).join(" · ");
    const line = paint(terminal, "dim", fit(cleanText(about), terminal.width - each.address.length - 4));
    return `${cleanText(each.command)}\n  ${paint(terminal, "cyan", each.address)}  ${line}`;
  });
  const shown = `${invocations.length < total ? `${invocations.length} of ` : ""}${plural(total, "command")}`;
  const none = runs.succeeded === 0 ? ["No run of it succeeded."] : [];
  return [
    ...matchNote(output),
    ...rows,
    ...[...none, `${shown}; all runs: ${countsOf(runs)}`, ...part].map((line) => paint(terminal, "dim", line)),
  ].join("\n");
}

/** How the commands match, if they do not begin as asked. */
function matchNote({ matched, words = [] }: Output<typeof how>): string[] {
  if (matched === "words") return ["No command begins with this; these have its words.", ""];
  if (matched === "some_words") return [`No command has all of these words; these have: ${words.join(", ")}.`, ""];
  return [];
}

/** For an answer whose budget holds no result. */
export function tooSmall(found: string): string {
  return `Found ${found}, but max_tokens is too small for any of them.`;
}

/** `12 succeeded, 2 failed, 1 unclear` */
function countsOf(counts: Output<typeof how>["runs"]): string {
  const named = [
    [counts.succeeded, "succeeded"],
    [counts.failed, "failed"],
    [counts.unclear, "unclear"],
  ] as const;
  return named.flatMap(([count, name]) => (count > 0 ? [`${formatCount(count)} ${name}`] : [])).join(", ");
}

export const PAST_WORK_RENDERERS = { fix: renderFix, how: renderHow };
