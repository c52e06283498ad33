/**
 * The tokens of many parts of one text, such as its sections, their blocks and all of it, after a single pass. Each is what
 * `estimateTokens` says of that part alone: a part is counted from its first character only until the automaton is in the
 * row that it was in here when it read the whole text, usually a word later. The rest is a difference of sums.
 */
import { unitsOf } from "../text/units.ts";
import type { Automaton } from "./automaton.ts";
import { COLUMNS, IF_REPEATED } from "./columns.ts";
import { costAutomaton, PART_CHARS, tokensOf } from "./costs.ts";
import { estimateTokens } from "./estimate.ts";

/** For a longer text, the sums would take too much memory; each of its parts is counted by itself. */
const MAX_CHARS = 1 << 20;

type Pass = (units: Uint16Array, length: number, sums: Int32Array, rows: Uint16Array) => void;

export class TokenRanges {
  readonly #automaton: Automaton = costAutomaton();
  readonly #pass: Pass = passOf(this.#automaton);
  #text = "";
  /** Before each character: what the characters before it cost, and the row of the automaton. */
  #sums = new Int32Array();
  #rows = new Uint16Array();

  /** The text whose parts are counted from now on. */
  read(text: string): void {
    this.#text = text;
    if (text.length > MAX_CHARS) return;
    if (text.length >= this.#sums.length) {
      const capacity = 2 ** Math.ceil(Math.log2(text.length + 1));
      this.#sums = new Int32Array(capacity);
      this.#rows = new Uint16Array(capacity);
    }
    this.#pass(unitsOf(text), text.length, this.#sums, this.#rows);
  }

  /** The tokens of `text.slice(start, end)`. */
  count(start: number, end: number): number {
    if (end <= start) return 0;
    if (this.#text.length > MAX_CHARS) return estimateTokens(this.#text.slice(start, end));
    let hundredths = 0;
    for (let from = start; from < end; from += PART_CHARS)
      hundredths += this.#cost(from, Math.min(end, from + PART_CHARS));
    return tokensOf(hundredths);
  }

  #cost(start: number, end: number): number {
    const { columns, letters, next, passed, owed, pair } = this.#automaton;
    const text = this.#text;
    const sums = this.#sums;
    const rows = this.#rows;
    let row = 0;
    let sum = 0;
    let before = -1;
    let letterBefore = 0;
    for (let i = start; i < end; i += 1) {
      // The character before, which the next step looks at as well, is the same after the first step.
      if (row === rows[i] && (i > start || i === 0)) {
        return sum + (sums[end] as number) - (sums[i] as number) + (owed[(rows[end] as number) / COLUMNS] as number);
      }
      const unit = text.charCodeAt(i);
      const at = row + (columns[unit === before ? unit + IF_REPEATED : unit] as number);
      const letter = letters[unit] as number;
      sum += (passed[at] as number) + (pair[(letterBefore << 6) | letter] as number);
      row = next[at] as number;
      before = unit;
      letterBefore = letter;
    }
    return sum + (owed[row / COLUMNS] as number);
  }
}

/** Shaped like the loop in `estimate.ts`. */
function passOf({ columns, letters, next, passed, pair }: Automaton): Pass {
  return (units, length, sums, rows) => {
    let row = 0;
    let sum = 0;
    let before = 0x10000;
    let letterBefore = 0;
    for (let i = 0; i < length; i++) {
      sums[i] = sum;
      rows[i] = row;
      const unit = units[i] as number;
      const repeats = ((unit ^ before) - 1) >>> 31;
      const at = row + (columns[unit + (repeats << 16)] as number);
      const letter = letters[unit] as number;
      sum += (passed[at] as number) + (pair[(letterBefore << 6) | letter] as number);
      row = next[at] as number;
      before = unit;
      letterBefore = letter;
    }
    sums[length] = sum;
    rows[length] = row;
  };
}
