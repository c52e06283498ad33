/**
 * What every format of settings can do for one entry. Texts go in and out, so that a change can be shown before it is
 * made; everything that is not the entry keeps its bytes.
 */
import type { Json, JsonObject } from "../../../kernel/json.ts";

export interface Editor {
  /** The value at a path; undefined where there is none. Throws `BadConfig` where the text is not valid. */
  read(text: string, path: readonly string[]): Json | undefined;
  /** Adds the entry, or puts it in the place of the one that is there. */
  put(text: string, path: readonly string[], entry: JsonObject): string;
  /** Changes fields that the entry has already. */
  change(text: string, path: readonly string[], fields: JsonObject): string;
  /** Takes the entry out; its parents stay even if they are empty then, unless `prune` names how many may go. */
  remove(text: string, path: readonly string[], prune: number): string;
  /** Nothing is left but what an empty file says, too. */
  isBlank(text: string): boolean;
}

/** Settings that cannot be changed safely. The sentence is about the text; who reads the file adds its name. */
export class BadConfig extends Error {}

export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Edits do not overlap; those at one place are made in the order given. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** The line ending that a text uses; where it mixes them, the first. */
export function eolOf(text: string): string {
  const at = text.indexOf("\n");
  return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n";
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
