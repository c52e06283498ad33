/**
 * Cuts messages to a token budget: whole messages from the front, then part of the first that does not fit.
 *
 * The budget is a hard limit: the result, with the estimate's margin added, never exceeds it.
 */
import { formatTokens, plural } from "../kernel/text.ts";
import { codePointEnd, countLines } from "../text/clip.ts";
import { BUDGET_MARGIN, estimateTokens } from "../tokens/estimate.ts";

export interface Sized {
  text: string;
  /** Size of the text if known; saves measuring messages that are left out. */
  tokens?: number;
}

export interface BudgetCut<T> {
  /** Whole messages; the last may be shortened and then ends in a marker that says by how much. */
  kept: T[];
  /** Number of messages that were shortened or left out. */
  cut_messages: number;
  cut_tokens: number;
  /** Estimated size of the kept texts. */
  tokens: number;
  /** The same including the overhead per text. */
  spent: number;
  truncated: boolean;
  /** Not even part of the first message fits. */
  too_small: boolean;
}

/** Texts are joined by a separator. */
const SEPARATOR_TOKENS = 1;

/**
 * `overhead`: tokens shown with each text, such as the author of a message. `rest`: messages after these, of which only
 * the size is known: the pieces before them must fill the budget.
 */
export function cutToBudget<T extends Sized>(
  pieces: readonly T[],
  maxTokens: number,
  overhead = 0,
  rest: { messages: number; tokens: number } = { messages: 0, tokens: 0 },
): BudgetCut<T> {
  const room = Math.floor(maxTokens / BUDGET_MARGIN);
  const each = SEPARATOR_TOKENS + overhead;
  const kept: T[] = [];
  let used = 0;
  let whole = 0;
  let cutTokens = 0;
  for (; whole < pieces.length; whole += 1) {
    const piece = pieces[whole];
    if (!piece) break;
    const tokens = estimateTokens(piece.text);
    if (used + tokens + each > room) {
      const shortened = shorten(piece.text, tokens, room - used - each);
      cutTokens = tokens;
      if (shortened === undefined) break;
      const left = estimateTokens(shortened);
      kept.push({ ...piece, text: shortened, ...(piece.tokens === undefined ? {} : { tokens: left }) });
      used += left + each;
      cutTokens = Math.max(0, tokens - left);
      break;
    }
    kept.push(piece);
    used += tokens + each;
  }
  for (const piece of pieces.slice(whole + 1)) cutTokens += piece.tokens ?? estimateTokens(piece.text);
  return {
    kept,
    cut_messages: pieces.length - whole + rest.messages,
    cut_tokens: cutTokens + rest.tokens,
    tokens: used - overhead * kept.length,
    spent: used,
    truncated: whole < pieces.length,
    too_small: kept.length === 0 && pieces.length > 0,
  };
}

/** The beginning of a text and the marker, in at most `room` tokens; undefined when no beginning fits. */
export function shorten(text: string, tokens: number, room: number): string | undefined {
  const forText = room - estimateTokens(marker(countLines(text), tokens)) - SEPARATOR_TOKENS;
  let end = longestPrefix(text, forText);
  while (end > 0) {
    const kept = text.slice(0, niceEnd(text, end)).trimEnd();
    if (kept === "") return undefined;
    const rest = text.slice(kept.length);
    const shortened = `${kept}\n${marker(countLines(rest.replace(/^\n/, "")), tokens - estimateTokens(kept))}`;
    if (estimateTokens(shortened) <= room) return shortened;
    end = Math.min(kept.length, Math.floor(end * 0.95));
  }
  return undefined;
}

function marker(lines: number, tokens: number): string {
  return `[… cut: ${plural(lines, "line")}, about ${formatTokens(Math.max(1, tokens))} tokens]`;
}

/** How many leading characters fit in `room` tokens: doubles until too many, then bisects. */
export function longestPrefix(text: string, room: number): number {
  if (room <= 0) return 0;
  let fitting = 0;
  let tooLong = Math.min(text.length, room * 4);
  while (tooLong < text.length && estimateTokens(text.slice(0, tooLong)) <= room) {
    fitting = tooLong;
    tooLong = Math.min(text.length, tooLong * 2);
  }
  while (tooLong - fitting > 8 && tooLong - fitting > fitting / 200) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (estimateTokens(text.slice(0, middle)) <= room) fitting = middle;
    else tooLong = middle;
  }
  return fitting;
}

/** The end of the last whole line; inside a line that is too long, the end of the last whole word. */
function niceEnd(text: string, end: number): number {
  const newline = text.lastIndexOf("\n", end);
  if (newline > end / 2) return newline;
  const space = text.lastIndexOf(" ", end);
  return space > end - MAX_WORD_CHARS && space > newline ? space : codePointEnd(text, end);
}

const MAX_WORD_CHARS = 60;
