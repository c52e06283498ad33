/**
 * The cells: features of a text that each cost a calibrated number of tokens ("a lower-case word of seven letters after
 * a space", "two different marks and a line break").
 */
import { ACCENTS, ALPHABET, MARKS, SCRIPTS } from "./columns.ts";

/** The context before a word: nothing, a space or mark that it absorbs, a hump (`getName`), a dense string (`x9Qf`). */
export const BARE = 0;
export const SPACED = 1;
export const MARKED = 2;
export const HUMP = 3;
export const DENSE = 4;
export const BEFORES = 5;
export const SMALL = 0;
export const CAPITAL = 1;
export const CAPS = 2;
export const MIXED = 3;
export const SHAPES = 4;
export const MAX_WORD_CHARS = 14;
/** Marks in a row. A pile has at most as many changes of mark as marks, so piles are counted as a triangle. */
export const MAX_PILE_MARKS = 6;
export const PILES = (MAX_PILE_MARKS * (MAX_PILE_MARKS + 1)) / 2;

/** The groups of cells with their sizes, in the order of the weights. */
export const CELL_GROUPS = {
  none: 1,
  word: BEFORES * SHAPES * MAX_WORD_CHARS,
  wordTail: SHAPES,
  pair: ALPHABET * ALPHABET,
  accent: ACCENTS,
  clip: 1,
  lead: MARKS + 1,
  leadLetter: MARKS + 1,
  pile: 4 * PILES,
  pileChange: 1,
  pileRepeat: 1,
  breakSlash: 1,
  digits: 1,
  lineBreak: 1,
  lineBreakMore: 1,
  blankLine: 1,
  blanks: 1,
  blanksTwice: 1,
  blankMore: 1,
  joiner: 1,
  script: SCRIPTS,
  scriptMore: SCRIPTS,
  scriptRepeat: SCRIPTS,
};
export type CellGroup = keyof typeof CELL_GROUPS;

const firstCells: Record<string, number> = {};
let cellCount = 0;
for (const [group, size] of Object.entries(CELL_GROUPS)) {
  firstCells[group] = cellCount;
  cellCount += size;
}
export const CELLS = cellCount;
/** Costs nothing. */
export const NONE = 0;

export function cellOf(group: CellGroup, index = 0): number {
  return (firstCells[group] ?? 0) + index;
}

export function pileCell(spaced: number, broken: number, length: number, changes: number): number {
  return cellOf("pile", (2 * spaced + broken) * PILES + (length * (length - 1)) / 2 + changes - 1);
}
