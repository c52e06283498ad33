/** Cuts lines of a document to a budget of tokens: whole lines, and the line to continue from. */
import { shorten } from "../../conversations/budget.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";

export interface Excerpt {
  text: string;
  first_line: number;
  last_line: number;
  tokens: number;
  /** The tokens that did not fit and the line they begin at; undefined when everything fits. */
  truncated?: { tokens: number; next_line: number };
}

/** Lines count from 1, both inclusive. The budget is a hard limit, so the estimate's error margin is subtracted. */
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

/** The number of leading lines that fit. A binary search, because the estimate of a text is not the sum of its lines. */
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
