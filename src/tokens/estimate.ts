/**
 * How many o200k tokens a text has, estimated in one pass without a tokenizer.
 *
 * Every answer states its size and every budget is cut by this, over every byte at sync: it must be near and fast.
 * `cells.ts` defines the counted cells, `weights.ts` their costs, and `scripts/calibrate-tokens.ts` fits the costs.
 */
import { unitsOf, unitsOfPieces } from "../text/units.ts";
import { COLUMNS } from "./columns.ts";
import { costAutomaton, PART_CHARS, type TextKind, tokensOf } from "./costs.ts";

/**
 * Budgets are divided by this margin before estimates fill them, so that the real count stays within them. 99 in 100
 * stretches of held-out conversations are under-estimated by less than 9.2% (of 100 tokens), 5.9% (of 1,000) or 3.2%
 * (of 20,000); in projects none of whose conversations were fitted, by less than 10.2%, 7.9% or 4.4%.
 */
export const BUDGET_MARGIN = 1.1;

type Cost = (units: Uint16Array, length: number) => number;
/** Made at the first estimate: a command that needs none does not wait for it. */
let cost: Cost | undefined;

/** 0 for an empty text, at least 1 for any other. */
export function estimateTokens(text: string, kind: TextKind = "text"): number {
  return text === "" ? 0 : tokensOf(hundredthsOf(text), kind);
}

/** The same for the text that these pieces make. */
export function estimatePieces(pieces: readonly string[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  if (length === 0) return 0;
  if (length > PART_CHARS) return estimateTokens(pieces.join(""));
  cost ??= makeCost();
  return tokensOf(cost(unitsOfPieces(pieces, length), length));
}

function hundredthsOf(text: string): number {
  cost ??= makeCost();
  if (text.length <= PART_CHARS) return cost(unitsOf(text), text.length);
  let sum = 0;
  for (let start = 0; start < text.length; start += PART_CHARS) {
    const chunk = text.slice(start, start + PART_CHARS);
    sum += cost(unitsOf(chunk), chunk.length);
  }
  return sum;
}

/**
 * The loop below is shaped by measurement: literals, because constants of other modules halve its speed; no branch on
 * the text; tables held by a closure, because V8 makes slower code of a plain function that it may inline.
 */
function makeCost(): Cost {
  const { columns, letters, next, passed, owed, pair } = costAutomaton();
  return (units, length) => {
    let row = 0;
    let sum = 0;
    let before = 0x10000;
    let letterBefore = 0;
    for (let i = 0; i < length; i++) {
      const unit = units[i] as number;
      const repeats = ((unit ^ before) - 1) >>> 31;
      const at = row + (columns[unit + (repeats << 16)] as number);
      const letter = letters[unit] as number;
      sum += (passed[at] as number) + (pair[(letterBefore << 6) | letter] as number);
      row = next[at] as number;
      before = unit;
      letterBefore = letter;
    }
    return sum + (owed[row / COLUMNS] ?? 0);
  };
}
