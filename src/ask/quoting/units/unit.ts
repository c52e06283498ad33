/** A part of a passage that can be quoted alone. */
export interface Unit {
  kind: "sentence" | "item" | "row" | "code";
  text: string;
  /** The same number for all units of one paragraph, list or table. */
  block: number;
  /** The header lines, if it is a table row. */
  head?: string;
  /** The indentation of its first line, in characters. */
  indent?: number;
  /** The block of the summary line under which it is folded. */
  summary?: number;
  /**
   * It continues the term at the start of its paragraph, or the table row above it, whose first cell it leaves empty.
   */
  continues?: true;
  /** The index of the unit that introduces it: see `leads.ts`. */
  lead?: number;
}
