/** Renders earlier conversations with the same error, and earlier successful commands. */

import type * as z from "zod";
import { plural } from "../../kernel/text.ts";
import type { fix } from "../../operations/conversations/fix.ts";
import type { how } from "../../operations/conversations/how.ts";
import { cleanText } from "../../text/clean.ts";
import { paint, type Terminal, when } from "../terminal.ts";
import { fit } from "../width.ts";

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;

function renderFix(output: Output<typeof fix>, terminal: Terminal): string {
  if (output.results.length === 0) return "No conversation has this error or a similar one.";
  const same = output.results.some(({ match }) => match === "same");
  const blocks = output.results.map((each) => {
    const address = `${each.address}#${each.message_index}`;
    const unlike = each.match === "similar" ? "similar, not the same error" : "";
    const about = [each.source, when(terminal, each.date), unlike].filter(Boolean).join(" · ");
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
  const { invocations, total, searched_messages: searched } = output;
  const part =
    searched === undefined ? [] : [`Searched only the best ${plural(searched, "message")}; there may be more runs.`];
  if (invocations.length === 0) return ["No successful run of this command found.", ...part].join("\n");
  const rows = invocations.map((each) => {
    const status = each.exit_code === null ? "no error" : `exit ${each.exit_code}`;
    const about = [`${each.times}×`, status, when(terminal, each.date), each.address, each.project].filter(Boolean);
    return `${cleanText(each.command)}\n  ${paint(terminal, "dim", fit(cleanText(about.join(" · ")), terminal.width - 2))}`;
  });
  const count = `${invocations.length < total ? `${invocations.length} of ` : ""}${plural(total, "command")}`;
  return [...rows, ...[count, ...part].map((line) => paint(terminal, "dim", line))].join("\n");
}

export const PAST_WORK_RENDERERS = { fix: renderFix, how: renderHow };
