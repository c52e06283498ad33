/** Reads lines of a document within a budget of tokens, for `docs show` and `docs section`. */
import * as z from "zod";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import type { OperationContext } from "../operation.ts";
import { type Excerpt, excerpt } from "./text.ts";

export const readFields = {
  text: z.string(),
  total_tokens: z.number(),
  location: z.string(),
  truncated: z.object({ tokens: z.number(), next_line: z.number() }).optional(),
};

/** Reserved for the line numbers and the truncation note. */
const NOTES_TOKENS = 40;

interface BudgetedReading {
  /** The other fields of the answer; they count towards the budget. */
  about: { id: string; collection: string; title: string; [more: string]: string | string[] };
  text: string;
  first: number;
  last: number;
  maxTokens: number;
  /** For the trace. */
  inputs: Record<string, number>;
}

export function readWithinBudget(
  { about, text, first, last, maxTokens, inputs }: BudgetedReading,
  context: OperationContext,
): Omit<Excerpt, "tokens"> & { total_tokens: number } {
  const head = estimateTokens(Object.values(about).flat().join("\n")) * BUDGET_MARGIN + NOTES_TOKENS;
  const { tokens, ...shown } = excerpt(text, first, last, Math.max(0, maxTokens - head));
  context.trace?.({
    inputs,
    ranking: [{ id: about.id, source: about.collection, summary: about.title }],
    budgets: { max_tokens: maxTokens },
    truncation: { tokens: shown.truncated?.tokens ?? 0 },
  });
  return { ...shown, total_tokens: tokens };
}
