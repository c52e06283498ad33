/** What `dex doctor` finds. Problems of one kind are one entry: counted, with the first few named. */
import { plural } from "../kernel/text.ts";

export interface Problem {
  /** For programs: `state_damaged`, `archive_damaged`, … */
  code: string;
  /** One sentence for people. */
  what: string;
  /** The file it is about; the first of several; null where it is about none. */
  path: string | null;
  /** The command that repairs it, or the next step. */
  fix: string;
}

/** What a repair did, and what it could not bring back. */
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
