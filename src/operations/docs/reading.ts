/** Reading lines of a document: what the answers of `docs show` and `docs section` share, within their budget. */
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

/** What stands around the text: lines, and that not all is there. */
const NOTES_TOKENS = 40;

interface Reading {
  /** What the answer says beside the text; the budget holds it too. */
  about: { id: string; collection: string; title: string; [more: string]: string | string[] };
  text: string;
  first: number;
  last: number;
  maxTokens: number;
  /** For the trace. */
  inputs: Record<string, number>;
}

export function readLines(
  { about, text, first, last, maxTokens, inputs }: Reading,
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
