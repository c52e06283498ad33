/** `dex compact`: writes the missing and outdated summaries of conversations. */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { plural } from "../../kernel/text.ts";
import { dayOf } from "../../kernel/time.ts";
import { modelFrom } from "../../llm/model.ts";
import type { Summary } from "../../memory/summary.ts";
import { summaryLine } from "../../memory/summary_lines.ts";
import { knownCopies } from "../../project/copies.ts";
import { repositoryOf } from "../../project/repository.ts";
import { shortAddresses } from "../../search/filters/resolve.ts";
import { sessionRow } from "../../search/filters/session.ts";
import { isTopLevel } from "../../search/results/describe.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { SummaryMaker } from "../../workflows/summary_maker.ts";
import { defineOperation } from "../operation.ts";
import { limitField, MAX_RESULTS, sessionField } from "../shared/fields.ts";

const MAX_SHOWN_SUMMARIES = 20;

export const compact = defineOperation({
  name: "dex_compact",
  verb: "compact",
  summary: "Update the summaries of conversations: requests, work done, decisions, open points",
  positionals: [],
  input: z.strictObject({
    project: z.string().optional().describe("Part of the project path (default: the current project)"),
    session: sessionField,
    no_model: z.boolean().default(false).describe("Compile from the records, without the configured model"),
    limit: limitField(200),
  }),
  output: z.object({
    /** Conversations in the selection. */
    conversations: z.number(),
    /** Summaries written by this run. */
    made: z.number(),
    /** Conversations whose summary was already up to date. */
    unchanged: z.number(),
    /** Conversations left for the next run by the limit. */
    left: z.number(),
    engine: z.enum(["extractive", "model"]),
    model: z.string().optional(),
    usage: z
      .object({ input: z.number(), output: z.number(), estimated: z.boolean().optional(), cost: z.number().optional() })
      .optional(),
    /** The summaries written by this run, latest conversation first. */
    summaries: z.array(
      z.object({ id: z.string(), date: z.string(), engine: z.enum(["extractive", "model"]), text: z.string() }),
    ),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "conversations",
  traced: true,
  run: async (dex, input, context) => {
    const rows = selectConversations(dex, input);
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
    if (left > 0)
      context.notice?.(
        `${plural(left, "summary is", "summaries are")} left for the next run; raise --limit to do more at once.`,
      );
    const address = shortAddresses(dex);
    const counts = { conversations: rows.length, unchanged: rows.length - pending.length, left };
    context.trace?.({ inputs: { ...counts, made: made.length }, budgets: { limit: input.limit } });
    return {
      ...counts,
      made: made.length,
      engine: model ? ("model" as const) : ("extractive" as const),
      ...(model ? { model: model.name, usage: maker.usage } : {}),
      summaries: made.slice(0, MAX_SHOWN_SUMMARIES).map(({ row, summary }) => ({
        id: address(row),
        date: dayOf(row.updated),
        engine: summary.engine,
        text: summaryLine(summary, address(row), row.project ?? ""),
      })),
    };
  },
});

/** The latest first. A subagent's work is part of the summary of the conversation that started it. */
function selectConversations(
  dex: Dex,
  { project, session }: { project?: string | undefined; session: string },
): ConversationRow[] {
  const one = sessionRow(dex, session);
  if (one) return [one];
  if (project !== undefined) return dex.store.list({ project }, MAX_RESULTS, 0).filter(isTopLevel);
  const repository = knownCopies(dex, repositoryOf(dex, undefined).repository);
  return dex.store.trail
    .conversationsIn(repository.roots, MAX_RESULTS)
    .flatMap(({ no }) => dex.store.byNo(no) ?? [])
    .filter(isTopLevel);
}
