/** The states of the automaton: the pieces of a text in which it may stand, and the cell that each piece costs. */
import {
  BARE,
  CAPS,
  CELL_GROUPS,
  cellOf,
  MAX_PILE_MARKS,
  MAX_WORD_CHARS,
  NONE,
  PILES,
  pileCell,
  SHAPES,
  SMALL,
} from "./cells.ts";
import {
  ACCENT,
  ACCENTS,
  BREAK,
  COLUMNS,
  DIGIT,
  JOINER,
  LOWER,
  MARK,
  MARKS,
  SCRIPT,
  SCRIPTS,
  SPACE,
  TAB,
  UPPER,
} from "./columns.ts";

export interface States {
  /** By state: the cell that the piece it stands in costs. */
  owed: number[];
  idle: number;
  word(before: number, shape: number, length: number): number;
  digits: readonly [number, number, number];
  clips: readonly [number, number, number];
  marks: readonly number[];
  leads: readonly { small: number; caps: number }[];
  pile(spaced: number, length: number, changes: number): number;
  pileBreak: number;
  pileSlash: number;
  /** Blanks anywhere, and blanks after a line break that has been counted already. */
  blanks: readonly [Blanks, Blanks];
  scripts: readonly number[];
  joiner: number;
}
interface Blanks {
  lineBreak: number;
  space: number;
  spaces: number;
  tab: number;
  tabs: number;
}

export function declareStates(): States {
  const owed: number[] = [];
  const state = (cell: number): number => owed.push(cell) - 1;
  const many = (count: number, cell: (i: number) => number): number[] =>
    Array.from({ length: count }, (_, i) => state(cell(i)));

  const idle = state(NONE);
  const [firstWord = 0] = many(CELL_GROUPS.word, (i) => cellOf("word", i));
  const firstPile = owed.length;
  for (let spaced = 0; spaced < 2; spaced++)
    for (let length = 1; length <= MAX_PILE_MARKS; length++)
      for (let changes = 1; changes <= length; changes++) state(pileCell(spaced, 0, length, changes));
  // A line break is owed until something else than a break follows.
  const breaks = [state(cellOf("lineBreak")), state(NONE)] as const;
  const blanks = (lineBreak: number): Blanks => ({
    lineBreak,
    space: state(cellOf("blanks")),
    spaces: state(cellOf("blanks")),
    tab: state(cellOf("blanks")),
    tabs: state(cellOf("blanks")),
  });
  return {
    owed,
    idle,
    word: (before, shape, length) =>
      firstWord + (before * SHAPES + shape) * MAX_WORD_CHARS + Math.min(length, MAX_WORD_CHARS) - 1,
    digits: [state(cellOf("digits")), state(cellOf("digits")), state(cellOf("digits"))],
    clips: [state(pileCell(0, 0, 1, 1)), state(cellOf("clip")), state(cellOf("clip"))],
    marks: many(MARKS, () => pileCell(0, 0, 1, 1)),
    leads: Array.from({ length: MARKS + 1 }, (_, m) => ({
      small: state(cellOf("leadLetter", m)),
      caps: state(cellOf("leadLetter", m)),
    })),
    pile: (spaced, length, changes) => firstPile + spaced * PILES + (length * (length - 1)) / 2 + changes - 1,
    pileBreak: state(NONE),
    pileSlash: state(NONE),
    blanks: [blanks(breaks[0]), blanks(breaks[1])],
    scripts: many(SCRIPTS, (s) => cellOf("script", s)),
    joiner: state(cellOf("joiner")),
  };
}

/** The state that a unit of each column begins. */
export function beginnings(states: States): number[] {
  const begin: number[] = new Array(COLUMNS).fill(states.idle);
  begin[LOWER] = states.word(BARE, SMALL, 1);
  begin[UPPER] = states.word(BARE, CAPS, 1);
  begin.fill(states.word(BARE, SMALL, 1), ACCENT, ACCENT + ACCENTS);
  begin[SPACE] = states.blanks[0].space;
  begin[TAB] = states.blanks[0].tab;
  begin[BREAK] = states.blanks[0].lineBreak;
  begin[DIGIT] = states.digits[0];
  begin[JOINER] = states.joiner;
  begin.splice(MARK, MARKS, ...states.marks);
  begin.splice(SCRIPT, SCRIPTS, ...states.scripts);
  return begin;
}
