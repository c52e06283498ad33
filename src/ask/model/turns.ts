/**
 * Keeps a request within its token budget: first replaces the oldest tool results by stubs, then drops the oldest
 * turns.
 */
import type { ChatMessage } from "../../llm/model.ts";
import { estimateTokens } from "../../tokens/estimate.ts";

const STUB = "[Left out to save space. Passages of it can still be cited; call again to see it.]";

export function tokensOf(messages: readonly ChatMessage[]): number {
  return messages.reduce(
    (sum, { content, toolCalls = [] }) =>
      sum +
      4 +
      estimateTokens(content) +
      toolCalls.reduce((calls, call) => calls + estimateTokens(call.arguments) + 8, 0),
    0,
  );
}

/** The last round of results stays whole, whatever its size: the model is waiting for it. */
export function trimmed(messages: readonly ChatMessage[], budget: number): ChatMessage[] {
  const kept = [...messages];
  let tokens = tokensOf(kept);
  const lastRound = kept.findLastIndex(({ role }) => role === "assistant");
  for (let i = 0; i < lastRound && tokens > budget; i += 1) {
    const message = kept[i];
    if (message?.role !== "tool" || message.content === STUB) continue;
    tokens -= estimateTokens(message.content) - estimateTokens(STUB);
    kept[i] = { ...message, content: STUB };
  }
  return kept;
}

/** The newest earlier questions and answers that fit the budget. */
export function recentTurns(turns: readonly ChatMessage[], budget: number): ChatMessage[] {
  let from = turns.length;
  let left = budget;
  while (from >= 2) {
    const pair = turns.slice(from - 2, from);
    left -= tokensOf(pair);
    if (left < 0) break;
    from -= 2;
  }
  return turns.slice(from);
}
