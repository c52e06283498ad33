/** A part of a passage that can be quoted alone. */
export interface Unit {
  kind: "sentence" | "item" | "row" | "code";
  text: string;
  /** The same number for all units of one paragraph, list or table. */
  block: number;
  /** Of a table row: the header lines. */
  head?: string;
  /** Characters before its first line. */
  indent?: number;
  /** The block of the summary that it can be unfolded from. */
  summary?: number;
  /** It goes on about the term at the start of its paragraph, or about the row above it, whose first cell it leaves empty. */
  continues?: true;
  /** The index of the unit that it belongs to: see `leads.ts`. */
  lead?: number;
}
