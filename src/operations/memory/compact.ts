import * as z from "zod";
import type { Message } from "../../conversations/model.ts";
import type { Dex } from "../../dex.ts";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { dayOf } from "../../kernel/time.ts";
import { type Model, modelFrom, type Usage } from "../../llm/model.ts";
import { accountOf } from "../../memory/account.ts";
import { readSummary, writeSummary } from "../../memory/summaries.ts";
import { extractive, type Finding, isOf, type Summary, withFindings } from "../../memory/summary.ts";
import { summaryLine } from "../../memory/telling.ts";
import { repositoryOf } from "../../project/repository.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { add, askModel } from "../../workflows/ask.ts";
import { addresses, isOwn, planBatches } from "../../workflows/plan.ts";
import { summarize } from "../../workflows/summarize.ts";
import { passagesOf } from "../batch/workflows.ts";
import { defineOperation, type RunContext } from "../operation.ts";
import { limitField, MOST } from "../shared/fields.ts";
import { loadMessages, shortAddresses } from "../shared/resolve.ts";
import { sessionField, sessionRow } from "../shared/session.ts";

/** What a model is given at a time. */
const BATCH_TOKENS = 24_000;
const SHOWN = 20;
/** Messages held at a time: conversations of a hundred thousand exist. */
const STRIDE = 500;

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
  if (project !== undefined) return dex.store.list({ project }, MOST, 0).filter(isOwn);
  const { repository } = repositoryOf(dex, undefined);
  return dex.store.trail
    .conversationsIn(repository.roots, MOST)
    .flatMap(({ no }) => dex.store.byNo(no) ?? [])
    .filter(isOwn);
}

class SummaryMaker {
  readonly usage: Usage = { input: 0, output: 0 };
  readonly #dex: Dex;
  readonly #context: RunContext;
  readonly #address: (row: ConversationRow) => string;
  #model: Model | undefined;

  constructor(dex: Dex, model: Model | undefined, context: RunContext) {
    this.#dex = dex;
    this.#model = model;
    this.#context = context;
    this.#address = addresses(dex);
  }

  isPending(row: ConversationRow): boolean {
    if (row.messages === 0) return false;
    const before = readSummary(this.#dex.paths.summaries, row);
    if (this.#model === undefined) return !before || (before.engine !== "model" && !isOf(before, row));
    return !before || !isOf(before, row) || before.engine !== "model";
  }

  /** Undefined where nothing came of it that was not there already. */
  async make(row: ConversationRow): Promise<Summary | undefined> {
    const folder = this.#dex.paths.summaries;
    const before = readSummary(folder, row);
    const own = extractive(
      row,
      accountOf(row, () => strides(this.#dex, row)),
    );
    const model = this.#model;
    const asked = model && (await this.#findings(model, row, before));
    // What a model once found is not given up for records alone: the next run asks again.
    if (!asked && before?.engine === "model") return undefined;
    const summary = asked ? withFindings(own, model.name, asked) : own;
    return writeSummary(folder, summary) ? summary : undefined;
  }

  /** Of a conversation that went on, the model reads what is new. Where it fails, the records still tell. */
  async #findings(model: Model, row: ConversationRow, before: Summary | undefined): Promise<Finding[] | undefined> {
    const goesOn = before?.engine === "model" && before.messages < row.messages;
    const from = goesOn ? before.messages : 0;
    const found: Finding[] = goesOn ? [...before.findings] : [];
    const { batches } = planBatches(this.#dex, [row], "stripped", BATCH_TOKENS, this.#context);
    try {
      for (const batch of batches) {
        const passages = passagesOf(batch)
          .filter(({ last }) => last >= from)
          .map((passage) => ({ ...passage, first: Math.max(passage.first, from) }));
        if (passages.length === 0) continue;
        const { findings, usage } = await askModel(
          model,
          summarize("", Number.MAX_SAFE_INTEGER),
          passages,
          (of, first, last) => loadMessages(this.#dex, of, first, last),
        );
        add(this.usage, usage);
        if (!findings) return this.#without(`${model.name} gave no usable answer for ${this.#address(row)}`, true);
        found.push(...findings.map(({ kind, text, refs }) => ({ kind, text, refs })));
      }
      return found;
    } catch (error) {
      if (!(error instanceof DexError)) throw error;
      return this.#without(errorMessage(error), false);
    }
  }

  /** A model that cannot be reached for one is not asked for the others. */
  #without(reason: string, goOn: boolean): undefined {
    this.#context.notice?.(`${reason.replace(/\.$/, "")}: compiled without a model instead.`);
    if (!goOn) this.#model = undefined;
  }
}

export function* strides(dex: Dex, row: ConversationRow): Generator<{ index: number; message: Message }> {
  for (let from = 0; from < row.messages; from += STRIDE) {
    yield* loadMessages(dex, row, from, Math.min(row.messages, from + STRIDE));
  }
}
