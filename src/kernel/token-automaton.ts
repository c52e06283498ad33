/**
 * An automaton that reads text as the o200k pre-tokenizer cuts it, one table step per UTF-16 unit.
 *
 * Each step may pass a cell: a feature of the text that costs a calibrated number of tokens ("a lower-case word of
 * seven letters behind a space", "four different marks in a row, then a line break"). Nearly every piece the
 * pre-tokenizer cuts is one token, so the pieces are followed closely, and the cells carry what is left to estimate.
 * A table, because branching on the text mispredicts at every word and runs three times slower.
 */

/** Marks that often merge with the letters behind them (`/src`, `_id`, `\n`), each by itself; the rest are alike. */
const LEADING_MARKS = "/.-\\_(:[\"@<=,'";
const OTHER_MARK = LEADING_MARKS.length;
const TAB_MARK = OTHER_MARK + 1;
const MARKS = TAB_MARK + 1;

/** Scripts and symbols beyond ASCII. Accented Latin letters are not here: they belong to the words around them. */
const SCRIPTS = {
  greek: [0x370, 0x3ff, 0x1f00, 0x1fff],
  cyrillic: [0x400, 0x52f],
  hebrew: [0x590, 0x5ff],
  arabic: [0x600, 0x8ff, 0xfb50, 0xfdff],
  devanagari: [0x900, 0x97f],
  indic: [0x980, 0xdff],
  thai: [0xe00, 0xeff],
  hangul: [0xac00, 0xd7ff],
  hiragana: [0x3040, 0x309f],
  katakana: [0x30a0, 0x30ff],
  han: [0x3400, 0x9fff, 0xf900, 0xfaff],
  otherScript: [0x530, 0x58f, 0xf00, 0x1dff, 0x2c00, 0x2dff, 0xa000, 0xabff],
  control: [0x00, 0x1f, 0x7f, 0x9f],
  punctuation: [0xa0, 0xbf, 0x2000, 0x206f],
  arrows: [0x2070, 0x24ff, 0x2900, 0x2bff],
  boxes: [0x2500, 0x259f],
  shapes: [0x25a0, 0x27bf],
  emoji: [0xd83c, 0xd83e],
  cjkMarks: [0x2e00, 0x303f, 0x3100, 0x33ff],
  fullWidth: [0xff00, 0xffff],
  symbols: [0x27c0, 0x28ff, 0xd800, 0xd83b, 0xd83f, 0xdbff, 0xe000, 0xf8ff],
} as const;
const SCRIPT_RANGES = Object.values(SCRIPTS);
/** Western, other European and Vietnamese letters. */
const ACCENTED = [
  [0xaa, 0xaa, 0xb5, 0xb5, 0xba, 0xba, 0xc0, 0xd6, 0xd8, 0xf6, 0xf8, 0xff],
  [0x100, 0x19f, 0x1b1, 0x2ff],
  [0x1a0, 0x1b0, 0x1e00, 0x1eff],
];
const JOINERS = [0x300, 0x36f, 0x200d, 0x200d, 0xfe00, 0xfe0f];

const LOWER = 0;
const UPPER = 1;
const SPACE = 2;
const BREAK = 3;
const TAB = 4;
const DIGIT = 5;
const MARK = 6;
const ACCENT = MARK + TAB_MARK;
const LOW_SURROGATE = ACCENT + ACCENTED.length;
const JOINER = LOW_SURROGATE + 1;
const SCRIPT = JOINER + 1;
const COLUMNS = SCRIPT + SCRIPT_RANGES.length;
/** Two entries a column: the unit differs from the one before it, or repeats it. */
export const ROW = 2 * COLUMNS;

/** What stands before a word: nothing, a space or a mark that belongs to it, a hump (`getName`), a dense string (`x9Qf`). */
const BARE = 0;
const SPACED = 1;
const MARKED = 2;
const HUMP = 3;
const DENSE = 4;
const SHAPES = { lower: 0, capital: 1, upper: 2, mixed: 3 } as const;
type Shape = (typeof SHAPES)[keyof typeof SHAPES];
export const LONGEST_WORD = 14;
export const LONGEST_PILE = 6;
const DENSE_PIECE = 3;

/** The cells by group, in the order of the weights. */
export const CELL_GROUPS = {
  none: 1,
  word: 5 * 4 * LONGEST_WORD,
  wordTail: 4,
  lead: MARKS,
  leadLetter: MARKS,
  accent: ACCENTED.length,
  clip: 1,
  digits: 1,
  lineBreak: 1,
  spaces: 1,
  spacesTwice: 1,
  pile: 4 * LONGEST_PILE * LONGEST_PILE,
  pileRepeat: 1,
  pileChange: 1,
  joiner: 1,
  scriptRun: SCRIPT_RANGES.length,
  scriptUnit: SCRIPT_RANGES.length,
  scriptRepeat: SCRIPT_RANGES.length,
} as const;
export type CellGroup = keyof typeof CELL_GROUPS;

const groupStart = new Map<CellGroup, number>();
let cellCount = 0;
for (const [name, size] of Object.entries(CELL_GROUPS) as [CellGroup, number][]) {
  groupStart.set(name, cellCount);
  cellCount += size;
}
export const CELLS = cellCount;

export function cellOf(group: CellGroup, index = 0): number {
  return (groupStart.get(group) ?? 0) + index;
}

export interface Automaton {
  /** Column of each UTF-16 unit, times two. */
  column: Uint8Array;
  /** Row offset of the state after a step, and the cell the step passes; indexed by row + column + repeated. */
  next: Uint16Array;
  cell: Uint16Array;
  /** The cell a text that ends in this row still owes, by row / ROW. */
  last: Uint16Array;
}

export function buildAutomaton(): Automaton {
  const rows = new Rows();
  const NONE = cellOf("none");
  const pileCell = (spaced: number, broken: number, length: number, changes: number): number =>
    cellOf("pile", ((2 * spaced + broken) * LONGEST_PILE + changes - 1) * LONGEST_PILE + length - 1);

  const idle = rows.add(NONE);
  const word = (before: number, shape: Shape, length: number): number =>
    firstWord + (before * 4 + shape) * LONGEST_WORD + Math.min(length, LONGEST_WORD) - 1;
  const firstWord = rows.size;
  for (let i = 0; i < CELL_GROUPS.word; i++) rows.add(cellOf("word", i));
  const digit = [1, 2, 3].map(() => rows.add(cellOf("digits")));
  const clip = [rows.add(pileCell(0, 0, 1, 1)), rows.add(cellOf("clip")), rows.add(cellOf("clip"))] as const;
  const mark = Array.from({ length: TAB_MARK }, () => rows.add(pileCell(0, 0, 1, 1)));
  const lead = Array.from({ length: 2 * MARKS }, (_, m) => rows.add(cellOf("leadLetter", m >> 1)));
  const firstPile = rows.size;
  for (let spaced = 0; spaced < 2; spaced++)
    for (let changes = 1; changes <= LONGEST_PILE; changes++)
      for (let length = 1; length <= LONGEST_PILE; length++) rows.add(pileCell(spaced, 0, length, changes));
  const pile = (spaced: number, length: number, changes: number): number =>
    firstPile + (spaced * LONGEST_PILE + changes - 1) * LONGEST_PILE + length - 1;
  const pileBreak = rows.add(NONE);
  // A line break is owed until something other than a break follows; blanks between two breaks belong to one piece.
  const breakOwed = rows.add(cellOf("lineBreak"));
  const breakPaid = rows.add(NONE);
  const blanks = [breakOwed, breakPaid].map((lineBreak) => ({
    lineBreak,
    space: rows.add(cellOf("spaces")),
    spaces: rows.add(cellOf("spaces")),
    tab: rows.add(cellOf("spaces")),
    tabs: rows.add(cellOf("spaces")),
  }));
  const [fresh, indent] = blanks as [(typeof blanks)[number], (typeof blanks)[number]];
  const script = SCRIPT_RANGES.map((_, s) => rows.add(cellOf("scriptRun", s)));
  const joiner = rows.add(cellOf("joiner"));

  // Unless a rule below says otherwise, a unit ends the piece before it and begins its own.
  const begin: number[] = [];
  begin[LOWER] = word(BARE, SHAPES.lower, 1);
  ACCENTED.forEach((_, i) => {
    begin[ACCENT + i] = word(BARE, SHAPES.lower, 1);
  });
  begin[UPPER] = word(BARE, SHAPES.upper, 1);
  begin[SPACE] = fresh.space;
  begin[BREAK] = breakOwed;
  begin[TAB] = fresh.tab;
  begin[DIGIT] = digit[0] ?? idle;
  mark.forEach((row, m) => {
    begin[MARK + m] = row;
  });
  begin[LOW_SURROGATE] = idle;
  begin[JOINER] = joiner;
  script.forEach((row, s) => {
    begin[SCRIPT + s] = row;
  });
  rows.fill(begin);

  /** Marks behind a row that counts as a pile of `length` and `changes`. */
  const pileUp = (row: number, spaced: number, length: number, changes: number, full: boolean): void => {
    for (let m = 0; m < TAB_MARK; m++) {
      for (const repeated of [0, 1]) {
        const grown = pile(spaced, Math.min(length + 1, LONGEST_PILE), Math.min(changes + 1 - repeated, LONGEST_PILE));
        const beyond = full ? cellOf(repeated ? "pileRepeat" : "pileChange") : NONE;
        rows.step(row, MARK + m, grown, beyond, repeated);
      }
    }
    rows.step(row, BREAK, pileBreak, pileCell(spaced, 1, length, changes));
  };
  const letters = (row: number, before: number, cell: number): void => {
    rows.step(row, LOWER, word(before, SHAPES.lower, 1), cell);
    rows.step(row, UPPER, word(before, SHAPES.upper, 1), cell);
  };

  for (let before = BARE; before <= DENSE; before++) {
    for (const shape of Object.values(SHAPES)) {
      for (let length = 1; length <= LONGEST_WORD; length++) {
        const row = word(before, shape, length);
        const full = length === LONGEST_WORD ? cellOf("wordTail", shape) : NONE;
        const lowered = shape !== SHAPES.upper ? shape : length === 1 ? SHAPES.capital : SHAPES.mixed;
        rows.step(row, LOWER, word(before, lowered, length + 1), full);
        for (let a = 0; a < ACCENTED.length; a++)
          rows.step(row, ACCENT + a, word(before, lowered, length + 1), cellOf("accent", a));
        const dense = before >= HUMP && length <= DENSE_PIECE;
        if (shape === SHAPES.upper) rows.step(row, UPPER, word(before, shape, length + 1), full);
        else rows.step(row, UPPER, word(dense ? DENSE : HUMP, SHAPES.upper, 1), rows.owed(row));
        rows.step(row, MARK + LEADING_MARKS.indexOf("'"), clip[0], rows.owed(row));
      }
    }
  }

  digit.forEach((row, i) => {
    rows.step(row, DIGIT, digit[(i + 1) % 3] ?? idle, i === 2 ? cellOf("digits") : NONE);
    letters(row, DENSE, cellOf("digits"));
  });

  // "it's" is one piece; three letters and more behind the apostrophe are a word of their own.
  rows.step(clip[0], LOWER, clip[1], NONE);
  rows.step(clip[0], UPPER, clip[1], NONE);
  rows.step(clip[1], LOWER, clip[2], NONE);
  rows.step(clip[1], UPPER, clip[2], NONE);
  rows.step(clip[2], LOWER, word(MARKED, SHAPES.lower, 3), NONE);
  pileUp(clip[0], 0, 1, 1, false);

  mark.forEach((row, m) => {
    rows.step(row, LOWER, lead[2 * m] ?? idle, NONE);
    rows.step(row, UPPER, lead[2 * m + 1] ?? idle, NONE);
    pileUp(row, 0, 1, 1, false);
  });
  lead.forEach((row, i) => {
    const cell = cellOf("lead", i >> 1);
    const upper = i % 2 === 1;
    rows.step(row, LOWER, word(MARKED, upper ? SHAPES.capital : SHAPES.lower, 2), cell);
    for (let a = 0; a < ACCENTED.length; a++)
      rows.step(row, ACCENT + a, word(MARKED, upper ? SHAPES.capital : SHAPES.lower, 2), cell);
    if (upper) rows.step(row, UPPER, word(MARKED, SHAPES.upper, 2), cell);
    else rows.step(row, UPPER, word(HUMP, SHAPES.upper, 1), rows.owed(row));
  });

  for (let spaced = 0; spaced < 2; spaced++)
    for (let changes = 1; changes <= LONGEST_PILE; changes++)
      for (let length = 1; length <= LONGEST_PILE; length++)
        pileUp(pile(spaced, length, changes), spaced, length, changes, length === LONGEST_PILE);
  rows.step(pileBreak, BREAK, pileBreak, NONE);
  rows.step(pileBreak, MARK + LEADING_MARKS.indexOf("/"), pileBreak, NONE);

  for (const { lineBreak, space, spaces, tab, tabs } of blanks) {
    rows.step(lineBreak, BREAK, lineBreak, NONE);
    rows.step(lineBreak, SPACE, indent.space, rows.owed(lineBreak));
    rows.step(lineBreak, TAB, indent.tab, rows.owed(lineBreak));
    for (const row of [space, spaces, tab, tabs]) {
      // Of several blanks the last one goes with what follows, if it can.
      const before = row === spaces || row === tabs ? cellOf("spaces") : NONE;
      rows.step(row, SPACE, spaces, NONE);
      rows.step(row, TAB, tabs, NONE);
      rows.step(row, BREAK, lineBreak, NONE);
      if (before !== NONE) rows.step(row, DIGIT, digit[0] ?? idle, cellOf("spacesTwice"));
      if (row === space || row === spaces) {
        letters(row, SPACED, before);
        for (let a = 0; a < ACCENTED.length; a++) rows.step(row, ACCENT + a, word(SPACED, SHAPES.lower, 1), before);
        for (let m = 0; m < TAB_MARK; m++) rows.step(row, MARK + m, pile(1, 1, 1), before);
        script.forEach((target, s) => {
          rows.step(row, SCRIPT + s, target, before);
        });
        continue;
      }
      rows.step(row, LOWER, lead[2 * TAB_MARK] ?? idle, before);
      rows.step(row, UPPER, lead[2 * TAB_MARK + 1] ?? idle, before);
      if (before !== NONE)
        for (let m = 0; m < TAB_MARK; m++) rows.step(row, MARK + m, mark[m] ?? idle, cellOf("spacesTwice"));
    }
  }

  script.forEach((row, s) => {
    rows.step(row, SCRIPT + s, row, cellOf("scriptUnit", s), 0);
    rows.step(row, SCRIPT + s, row, cellOf("scriptRepeat", s), 1);
    rows.step(row, LOW_SURROGATE, row, NONE);
    rows.step(row, JOINER, row, cellOf("joiner"));
  });
  return { column: columns(), ...rows.pack() };
}

/** States under construction: a row each, with the cell a piece that ends there owes. */
class Rows {
  private readonly owing: number[] = [];
  private next = new Uint16Array(0);
  private cell = new Uint16Array(0);

  get size(): number {
    return this.owing.length;
  }

  add(owed: number): number {
    return this.owing.push(owed) - 1;
  }

  owed(row: number): number {
    return this.owing[row] ?? 0;
  }

  fill(begin: readonly number[]): void {
    const first = Uint16Array.from({ length: ROW }, (_, i) => (begin[i >> 1] ?? 0) * ROW);
    this.next = new Uint16Array(this.size * ROW);
    this.cell = new Uint16Array(this.size * ROW);
    this.owing.forEach((owed, row) => {
      this.next.set(first, row * ROW);
      this.cell.fill(owed, row * ROW, (row + 1) * ROW);
    });
  }

  /** `repeated` limits the rule to a unit that differs from the one before (0) or repeats it (1). */
  step(row: number, column: number, target: number, cell: number, repeated?: number): void {
    const at = row * ROW + 2 * column;
    for (const i of repeated === undefined ? [at, at + 1] : [at + repeated]) {
      this.next[i] = target * ROW;
      this.cell[i] = cell;
    }
  }

  pack(): Omit<Automaton, "column"> {
    return { next: this.next, cell: this.cell, last: Uint16Array.from(this.owing) };
  }
}

function columns(): Uint8Array {
  const column = new Uint8Array(0x10000).fill(SCRIPT + SCRIPT_RANGES.length - 1);
  const range = (ranges: readonly number[], value: number): void => {
    for (let i = 0; i + 1 < ranges.length; i += 2) column.fill(value, ranges[i], (ranges[i + 1] ?? 0) + 1);
  };
  SCRIPT_RANGES.forEach((ranges, s) => {
    range(ranges, SCRIPT + s);
  });
  range([0x21, 0x7e], MARK + OTHER_MARK);
  for (let m = 0; m < LEADING_MARKS.length; m++) column[LEADING_MARKS.charCodeAt(m)] = MARK + m;
  range([0x61, 0x7a], LOWER);
  range([0x41, 0x5a], UPPER);
  range([0x30, 0x39], DIGIT);
  range([0x20, 0x20], SPACE);
  range([0x09, 0x09, 0x0b, 0x0c], TAB);
  range([0x0a, 0x0a, 0x0d, 0x0d], BREAK);
  ACCENTED.forEach((ranges, a) => {
    range(ranges, ACCENT + a);
  });
  range(JOINERS, JOINER);
  range([0xdc00, 0xdfff], LOW_SURROGATE);
  return column.map((value) => 2 * value);
}
