/** Shortens a list of results to the budget of a call. */
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import { leadingThatFit } from "../../tokens/leading.ts";

/** Tokens reserved for the lines after the results. */
const SUMMARY_TOKENS = 40;
/** Punctuation and line breaks between the parts of a result. */
const LAYOUT_TOKENS = 12;

/** The first of the items, as many as the budget holds. `textOf`: the text of an item that an answer shows. */
export function withinTokens<T>(
  items: readonly T[],
  maxTokens: number | undefined,
  textOf: (item: T) => readonly (string | number)[],
): T[] {
  if (maxTokens === undefined) return [...items];
  const cost = (item: T): number => (estimateTokens(textOf(item).join("\n")) + LAYOUT_TOKENS) * BUDGET_MARGIN;
  return leadingThatFit(items, maxTokens - SUMMARY_TOKENS, cost).items;
}
