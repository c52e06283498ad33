import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { dayOf } from "../../kernel/time.ts";
import { modelFrom } from "../../llm/model.ts";
import type { Summary } from "../../memory/summary.ts";
import { summaryLine } from "../../memory/summary_lines.ts";
import { repositoryOf } from "../../project/repository.ts";
import { isTopLevel } from "../../search/describe.ts";
import { shortAddresses } from "../../search/filters/resolve.ts";
import { sessionRow } from "../../search/filters/session.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { SummaryMaker } from "../../workflows/summary_maker.ts";
import { defineOperation } from "../operation.ts";
import { limitField, MOST, sessionField } from "../shared/fields.ts";

const SHOWN = 20;

export const compact = defineOperation({
  name: "dex_compact",
  verb: "compact",
  summary: "Bring the summaries of conversations up to date: what was asked, done, decided and left open",
  positionals: [],
  input: z.strictObject({
    project: z.string().optional().describe("Part of the project path; the current project when absent"),
    session: sessionField,
    no_model: z.boolean().default(false).describe("Without the configured model: compiled from the records"),
    limit: limitField(200),
  }),
  output: z.object({
    /** Conversations looked at; made now; that had not changed since; that the limit left for the next run. */
    conversations: z.number(),
    made: z.number(),
    unchanged: z.number(),
    left: z.number(),
    engine: z.enum(["extractive", "model"]),
    model: z.string().optional(),
    usage: z
      .object({ input: z.number(), output: z.number(), estimated: z.boolean().optional(), cost: z.number().optional() })
      .optional(),
    /** Of what was made now, the latest first. */
    summaries: z.array(
      z.object({ id: z.string(), date: z.string(), engine: z.enum(["extractive", "model"]), text: z.string() }),
    ),
  }),
  readOnly: false,
  idempotent: true,
  fresh: true,
  traced: true,
  run: async (dex, input, context) => {
    const rows = selected(dex, input);
    const model = input.no_model ? undefined : modelFrom(dex.settings, { vars: dex.vars });
    const maker = new SummaryMaker(dex, model, context);
    const pending = rows.filter((row) => maker.isPending(row));
    const chosen = pending.slice(0, input.limit);
    const made: { row: ConversationRow; summary: Summary }[] = [];
    for (const [done, row] of chosen.entries()) {
      context.progress?.(done, chosen.length, "summaries");
      context.signal?.throwIfAborted();
      const summary = await maker.make(row);
      if (summary) made.push({ row, summary });
    }
    const left = pending.length - chosen.length;
    if (left > 0) context.notice?.(`${left} more are left for the next run; --limit takes more at a time.`);
    const address = shortAddresses(dex);
    const counts = { conversations: rows.length, unchanged: rows.length - pending.length, left };
    context.trace?.({ inputs: { ...counts, made: made.length }, budgets: { limit: input.limit } });
    return {
      ...counts,
      made: made.length,
      engine: model ? ("model" as const) : ("extractive" as const),
      ...(model ? { model: model.name, usage: maker.usage } : {}),
      summaries: made.slice(0, SHOWN).map(({ row, summary }) => ({
        id: address(row),
        date: dayOf(row.updated),
        engine: summary.engine,
        text: summaryLine(summary, address(row), row.project ?? ""),
      })),
    };
  },
});

/** The latest first. A subagent's work is told by the conversation that sent it. */
function selected(
  dex: Dex,
  { project, session }: { project?: string | undefined; session: string },
): ConversationRow[] {
  const one = sessionRow(dex, session);
  if (one) return [one];
  if (project !== undefined) return dex.store.list({ project }, MOST, 0).filter(isTopLevel);
  const { repository } = repositoryOf(dex, undefined);
  return dex.store.trail
    .conversationsIn(repository.roots, MOST)
    .flatMap(({ no }) => dex.store.byNo(no) ?? [])
    .filter(isTopLevel);
}
