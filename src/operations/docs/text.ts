/** A stretch of a document's lines within a budget of tokens: whole lines, and where to go on. */
import { shorten } from "../../conversations/budget.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";

export interface Excerpt {
  text: string;
  first_line: number;
  last_line: number;
  tokens: number;
  /** What does not fit, and the line it begins with; undefined: all is there. */
  truncated?: { tokens: number; next_line: number };
}

/** Lines from 1, both inclusive. The budget is a promise: with the estimate's margin, what is kept does not exceed it. */
export function excerpt(text: string, firstLine: number, lastLine: number, maxTokens: number): Excerpt {
  const all = text.split("\n");
  const lines = all.slice(firstLine - 1, lastLine);
  const room = Math.floor(maxTokens / BUDGET_MARGIN);
  const whole = lines.join("\n");
  const tokens = estimateTokens(whole);
  const end = firstLine + lines.length - 1;
  if (tokens <= room) return { text: whole, first_line: firstLine, last_line: end, tokens };
  const count = fittingLines(lines, room);
  if (count === 0) {
    const line = lines[0] ?? "";
    const part = shorten(line, estimateTokens(line), room) ?? "";
    const kept = estimateTokens(part);
    const truncated = { tokens: tokens - kept, next_line: firstLine + 1 };
    return { text: part, first_line: firstLine, last_line: firstLine, tokens: kept, truncated };
  }
  const part = lines.slice(0, count).join("\n");
  const kept = estimateTokens(part);
  return {
    text: part,
    first_line: firstLine,
    last_line: firstLine + count - 1,
    tokens: kept,
    truncated: { tokens: tokens - kept, next_line: firstLine + count },
  };
}

/** As many leading items as there is room for, each of so many tokens by estimate. */
export function leadingWithin<T>(room: number, items: readonly T[], tokensOf: (item: T) => number): T[] {
  let left = room;
  return items.filter((item) => {
    left -= tokensOf(item) * BUDGET_MARGIN;
    return left >= 0;
  });
}

/** How many leading lines stay within the room: halved in on, because an estimate is not the sum of its parts'. */
function fittingLines(lines: readonly string[], room: number): number {
  let fitting = 0;
  let tooMany = lines.length;
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (estimateTokens(lines.slice(0, middle).join("\n")) <= room) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}
