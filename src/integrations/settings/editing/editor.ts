/**
 * Operations of every settings format on one entry. Texts go in and out, so a change can be shown before it is made;
 * everything except the entry keeps its bytes.
 */
import type { Json, JsonObject } from "../../../kernel/json.ts";

export interface Editor {
  /** The value at a path; undefined if there is none. Throws `BadConfig` if the text is not valid. */
  read(text: string, path: readonly string[]): Json | undefined;
  /** Adds the entry, or replaces the existing one. */
  put(text: string, path: readonly string[], entry: JsonObject): string;
  /** Changes existing fields of the entry. */
  change(text: string, path: readonly string[], fields: JsonObject): string;
  /** Removes the entry. Its parents stay even if they are then empty, except for as many as `prune` allows. */
  remove(text: string, path: readonly string[], prune: number): string;
  /** The text has the same meaning as an empty file. */
  isBlank(text: string): boolean;
}

/** The same for lists, whose items have no names. */
export interface ListEditor {
  /** The items; undefined if there is no list. Throws `BadConfig` if the text is not valid, or has something else there. */
  read(text: string, path: readonly string[]): Json[] | undefined;
  /** Adds the item after the last one, and creates the list if there is none. */
  add(text: string, path: readonly string[], item: JsonObject): string;
  /** Removes the item at this position; the list stays, even if it is then empty, where the format can write that. */
  remove(text: string, path: readonly string[], at: number): string;
}

/** Settings that cannot be changed safely. The sentence is about the text; the reader of the file adds its name. */
export class BadConfig extends Error {}

export interface Span {
  start: number;
  end: number;
}

export interface Edit extends Span {
  text: string;
}

/** Edits do not overlap; several at one position are made in the given order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** The line ending that a text uses; if it mixes them, the first. */
export function eolOf(text: string): string {
  const at = text.indexOf("\n");
  return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n";
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
