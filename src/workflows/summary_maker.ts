/** Makes the summaries that `dex compact` stores: compiled from records, and with the findings of a model if one is set. */
import type { Dex } from "../dex.ts";
import { DexError, errorMessage } from "../kernel/errors.ts";
import type { Model, Usage } from "../llm/model.ts";
import { recapOf } from "../memory/recap.ts";
import { readSummary, writeSummary } from "../memory/summaries.ts";
import { extractiveSummary, isUpToDate, type Summary, type SummaryFinding, withFindings } from "../memory/summary.ts";
import type { RunContext } from "../run_context.ts";
import { loadMessages, streamMessages, unlessDamaged } from "../search/messages.ts";
import type { ConversationRow } from "../store/ports.ts";
import { add, askModel } from "./ask.ts";
import { addresses, passagesOf, planBatches } from "./plan.ts";
import { summarize } from "./reports/summarize.ts";

/** Limit for one request to a model. */
const BATCH_TOKENS = 24_000;

export class SummaryMaker {
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
    if (this.#model === undefined) return !before || (before.engine !== "model" && !isUpToDate(before, row));
    return !before || !isUpToDate(before, row) || before.engine !== "model";
  }

  /** Undefined when the summary would not change. */
  async make(row: ConversationRow): Promise<Summary | undefined> {
    const folder = this.#dex.paths.summaries;
    const before = readSummary(folder, row);
    const recap = unlessDamaged(this.#dex, () => recapOf(row, () => streamMessages(this.#dex, row)), undefined);
    if (!recap) return undefined;
    const own = extractiveSummary(row, recap);
    const model = this.#model;
    const asked = model && (await this.#findings(model, row, before));
    // Keep a model's earlier findings rather than replace them by records alone; the next run asks the model again.
    if (!asked && before?.engine === "model") return undefined;
    const summary = asked ? withFindings(own, model.name, asked) : own;
    return writeSummary(folder, summary) ? summary : undefined;
  }

  /** The model reads only the new messages of a conversation. If it fails, the summary uses the records alone. */
  async #findings(
    model: Model,
    row: ConversationRow,
    before: Summary | undefined,
  ): Promise<SummaryFinding[] | undefined> {
    const goesOn = before?.engine === "model" && before.messages < row.messages;
    const from = goesOn ? before.messages : 0;
    const found: SummaryFinding[] = goesOn ? [...before.findings] : [];
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

  /** After one failure to reach the model, dex does not ask it for the others. */
  #without(reason: string, goOn: boolean): undefined {
    this.#context.notice?.(`${reason.replace(/\.$/, "")}: compiled without a model instead.`);
    if (!goOn) this.#model = undefined;
  }
}
