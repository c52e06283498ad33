/** A problem that `dex doctor` found. Problems of one kind share an entry, with a count and the first few names. */
import { plural } from "../kernel/text.ts";

export interface Problem {
  /** For programs: `state_damaged`, `archive_damaged`, … */
  code: string;
  /** One sentence for the user. */
  what: string;
  /** The affected file, or the first of several; null when no file is affected. */
  path: string | null;
  /** The command that repairs it, or the next step. */
  fix: string;
}

/** The result of a repair: sentences about repaired and about lost data. */
export interface Repair {
  fixed: string[];
  lost: string[];
}

export const REPAIR = "dex doctor --fix";

const MAX_NAMED = 3;

/** `3 files (a, b, c)`, `12 files (a, b, c and 9 more)`. */
export function counted(names: readonly string[], noun: string): string {
  const more = names.length - MAX_NAMED;
  const shown = names.slice(0, MAX_NAMED).join(", ");
  return `${plural(names.length, noun)} (${shown}${more > 0 ? ` and ${more} more` : ""})`;
}
