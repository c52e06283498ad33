/**
 * An automaton that reads text as the o200k pre-tokenizer cuts it, one table step for each UTF-16 unit.
 *
 * Each step passes a cell. Most pieces that the pre-tokenizer cuts are one token, so the pieces are followed closely
 * and the cells carry what is left to estimate. A table, because code that branches on the text mispredicts at every
 * word and runs three times slower.
 */
import {
  BEFORES,
  CAPITAL,
  CAPS,
  CELLS,
  cellOf,
  DENSE,
  HUMP,
  MARKED,
  MAX_PILE_MARKS,
  MAX_WORD_CHARS,
  MIXED,
  NONE,
  pileCell,
  SHAPES,
  SMALL,
  SPACED,
} from "./cells.ts";
import {
  ACCENT,
  ACCENTS,
  ALPHABET,
  APOSTROPHE,
  BREAK,
  COLUMNS,
  DIGIT,
  IF_REPEATED,
  JOINER,
  LOW_SURROGATE,
  LOWER,
  MARK,
  MARKS,
  RELATED_SCRIPTS,
  REPEATED,
  SCRIPT,
  SLASH,
  SPACE,
  TAB,
  UPPER,
  unitColumns,
  unitLetters,
} from "./columns.ts";
import { beginnings, declareStates, type States } from "./states.ts";

/** Accented letters go with the small ones: their case is not told apart. */
const SMALL_LETTERS = [LOWER, ...Array.from({ length: ACCENTS }, (_, a) => ACCENT + a)];
const MAX_DENSE_PIECE_CHARS = 3;
/** A tab is absorbed by the word after it, like a mark. */
const TAB_LEAD = MARKS;

export interface Automaton {
  /** By UTF-16 unit; its column also by unit + IF_REPEATED when it repeats the unit before it. */
  columns: Uint8Array;
  letters: Uint8Array;
  /** The row after a step, as its offset, and the value of the cell that the step passes; by row offset + column. */
  next: Uint16Array;
  passed: Int16Array;
  /** The value of the cell that a text ending in this row still owes; by row offset / COLUMNS. */
  owed: Int16Array;
  /** The value of the cell that two neighbouring letters pass; by letter before * PAIR_ROW + letter. */
  pair: Int16Array;
}
export const PAIR_ROW = 64;

type Step = (from: number, column: number, to: number, cell: number) => void;

/** `values` holds what to keep for each cell: its weight, or its own number to count it by. */
export function buildAutomaton(values: Int16Array): Automaton {
  const states = declareStates();
  const owed = Int16Array.from(states.owed, (cell) => values[cell] ?? 0);
  const first = Uint16Array.from(beginnings(states), (state) => state * COLUMNS);
  const next = new Uint16Array(owed.length * COLUMNS);
  const passed = new Int16Array(owed.length * COLUMNS);
  // Unless a rule says otherwise, a unit ends the piece before it and begins its own.
  for (let state = 0; state < owed.length; state++) {
    next.set(first, state * COLUMNS);
    passed.fill(owed[state] ?? 0, state * COLUMNS, (state + 1) * COLUMNS);
  }
  const step: Step = (from, column, to, cell) => {
    next[from * COLUMNS + column] = to * COLUMNS;
    passed[from * COLUMNS + column] = values[cell] ?? 0;
  };
  wordRules(states, step);
  markRules(states, step);
  blankRules(states, step);
  scriptRules(states, step);
  return { columns: unitColumns(), letters: unitLetters(), next, passed, owed, pair: pairValues(values) };
}

/** A function that counts the cells of a text: what calibration fits the weights to. */
export function cellCounter(): (text: string, counts: Float64Array) => void {
  const { columns, letters, next, passed, owed, pair } = buildAutomaton(
    Int16Array.from({ length: CELLS }, (_, i) => i),
  );
  return (text, counts) => {
    const count = (cell: number | undefined): void => {
      counts[cell ?? NONE] = (counts[cell ?? NONE] ?? 0) + 1;
    };
    let row = 0;
    let before = -1;
    let letterBefore = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      const letter = letters[unit] ?? 0;
      const at = row + (columns[unit === before ? unit + IF_REPEATED : unit] ?? 0);
      count(passed[at]);
      count(pair[letterBefore * PAIR_ROW + letter]);
      row = next[at] ?? 0;
      before = unit;
      letterBefore = letter;
    }
    count(owed[row / COLUMNS]);
    counts[NONE] = 0;
  };
}

/**
 * Capitals followed by small letters are one piece; a capital after a small letter begins another. Digits form groups
 * of three.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one entry of the table after the other
function wordRules({ owed, word, digits, clips }: States, step: Step): void {
  for (let before = 0; before < BEFORES; before++) {
    for (let shape = 0; shape < SHAPES; shape++) {
      for (let length = 1; length <= MAX_WORD_CHARS; length++) {
        const at = word(before, shape, length);
        const lowered = shape !== CAPS ? shape : length === 1 ? CAPITAL : MIXED;
        const beyond = length === MAX_WORD_CHARS ? cellOf("wordTail", shape) : NONE;
        const dense = before >= HUMP && length <= MAX_DENSE_PIECE_CHARS;
        step(at, LOWER, word(before, lowered, length + 1), beyond);
        for (let a = 0; a < ACCENTS; a++) step(at, ACCENT + a, word(before, lowered, length + 1), cellOf("accent", a));
        if (shape === CAPS) step(at, UPPER, word(before, CAPS, length + 1), beyond);
        else step(at, UPPER, word(dense ? DENSE : HUMP, CAPS, 1), owed[at] ?? NONE);
        step(at, APOSTROPHE, clips[0], owed[at] ?? NONE);
      }
    }
  }
  digits.forEach((at, i) => {
    step(at, DIGIT, digits[(i + 1) % 3] ?? at, i === 2 ? cellOf("digits") : NONE);
    step(at, LOWER, word(DENSE, SMALL, 1), cellOf("digits"));
    step(at, UPPER, word(DENSE, CAPS, 1), cellOf("digits"));
  });
  // "it's" is one piece; three or more letters after the apostrophe are a separate word.
  for (const column of [LOWER, UPPER]) {
    step(clips[0], column, clips[1], NONE);
    step(clips[1], column, clips[2], NONE);
  }
  step(clips[2], LOWER, word(MARKED, SMALL, 3), NONE);
}

/** A single mark is absorbed by the word after it; several marks form a piece with the line breaks after them. */
function markRules({ owed, word, clips, marks, leads, pile, pileBreak, pileSlash }: States, step: Step): void {
  const pileUp = (at: number, spaced: number, length: number, changes: number): void => {
    const full = length === MAX_PILE_MARKS;
    const longer = full ? length : length + 1;
    const other = pile(spaced, longer, Math.min(changes + 1, longer));
    for (let m = 0; m < MARKS; m++) step(at, MARK + m, other, full ? cellOf("pileChange") : NONE);
    step(at, REPEATED, pile(spaced, longer, changes), full ? cellOf("pileRepeat") : NONE);
    step(at, BREAK, pileBreak, pileCell(spaced, 1, length, changes));
  };
  for (let spaced = 0; spaced < 2; spaced++)
    for (let length = 1; length <= MAX_PILE_MARKS; length++)
      for (let changes = 1; changes <= length; changes++)
        pileUp(pile(spaced, length, changes), spaced, length, changes);
  step(pileBreak, BREAK, pileBreak, NONE);
  step(pileBreak, SLASH, pileSlash, cellOf("breakSlash"));
  step(pileSlash, REPEATED, pileSlash, NONE);
  step(pileSlash, BREAK, pileBreak, pileCell(0, 1, 1, 1));
  pileUp(clips[0], 0, 1, 1);
  marks.forEach((at, m) => {
    pileUp(at, 0, 1, 1);
    step(at, LOWER, leads[m]?.small ?? at, NONE);
    step(at, UPPER, leads[m]?.caps ?? at, NONE);
  });
  leads.forEach(({ small, caps }, m) => {
    for (const column of SMALL_LETTERS) {
      step(small, column, word(MARKED, SMALL, 2), cellOf("lead", m));
      step(caps, column, word(MARKED, CAPITAL, 2), cellOf("lead", m));
    }
    step(small, UPPER, word(HUMP, CAPS, 1), owed[small] ?? NONE);
    step(caps, UPPER, word(MARKED, CAPS, 2), cellOf("lead", m));
  });
}

/** Blanks up to the last line break are one piece; of the blanks left, the last goes with what follows if it can. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one entry of the table after the other
function blankRules({ owed, word, digits, marks, leads, pile, blanks, scripts }: States, step: Step): void {
  for (const { lineBreak, space, spaces, tab, tabs } of blanks) {
    step(lineBreak, BREAK, lineBreak, cellOf("lineBreakMore"));
    step(lineBreak, SPACE, blanks[1].space, owed[lineBreak] ?? NONE);
    step(lineBreak, TAB, blanks[1].tab, owed[lineBreak] ?? NONE);
    const between = lineBreak === blanks[1].lineBreak ? cellOf("blankLine") : NONE;
    for (const at of [space, spaces, tab, tabs]) {
      const several = at === spaces || at === tabs;
      step(at, SPACE, spaces, several ? cellOf("blankMore") : NONE);
      step(at, TAB, tabs, several ? cellOf("blankMore") : NONE);
      step(at, BREAK, lineBreak, between);
      if (several) step(at, DIGIT, digits[0], cellOf("blanksTwice"));
    }
    for (const at of [space, spaces]) {
      const others = at === spaces ? cellOf("blanks") : NONE;
      step(at, UPPER, word(SPACED, CAPS, 1), others);
      for (const column of SMALL_LETTERS) step(at, column, word(SPACED, SMALL, 1), others);
      for (let m = 0; m < MARKS; m++) step(at, MARK + m, pile(1, 1, 1), others);
      scripts.forEach((script, s) => {
        step(at, SCRIPT + s, script, others);
      });
    }
    for (const at of [tab, tabs]) {
      const others = at === tabs ? cellOf("blanks") : NONE;
      step(at, LOWER, leads[TAB_LEAD]?.small ?? at, others);
      step(at, UPPER, leads[TAB_LEAD]?.caps ?? at, others);
      if (at === tabs)
        marks.forEach((mark, m) => {
          step(at, MARK + m, mark, cellOf("blanksTwice"));
        });
    }
  }
}

/** A run of one script or kind of symbol: what the first unit costs, every further one, and one that repeats. */
function scriptRules({ scripts }: States, step: Step): void {
  scripts.forEach((at, s) => {
    step(at, SCRIPT + s, at, cellOf("scriptMore", s));
    step(at, REPEATED, at, cellOf("scriptRepeat", s));
    step(at, LOW_SURROGATE, at, NONE);
    step(at, JOINER, at, cellOf("joiner"));
  });
  for (const [a, b] of RELATED_SCRIPTS) {
    step(scripts[a] ?? 0, SCRIPT + b, scripts[a] ?? 0, cellOf("scriptMore", b));
    step(scripts[b] ?? 0, SCRIPT + a, scripts[b] ?? 0, cellOf("scriptMore", a));
  }
}

/** Case does not matter to a pair, but a capital after a small letter begins another word, so the two form no pair. */
function pairValues(values: Int16Array): Int16Array {
  const pair = new Int16Array(PAIR_ROW * PAIR_ROW);
  for (let letter = 0; letter < ALPHABET; letter++) {
    const first = cellOf("pair", letter * ALPHABET);
    const row = values.subarray(first, first + ALPHABET);
    const small = (1 + letter) * PAIR_ROW + 1;
    const capital = (1 + ALPHABET + letter) * PAIR_ROW + 1;
    pair.set(row, small);
    pair.set(row, capital);
    pair.set(row, capital + ALPHABET);
  }
  return pair;
}
