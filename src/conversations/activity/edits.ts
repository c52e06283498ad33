/** Lines that tool calls add to files and remove from them, as far as the calls state it. */
import { asArray, asString, isObject, type JsonObject } from "../../kernel/json.ts";
import { countLines } from "../../text/clip.ts";
import type { ToolCallPart } from "../model.ts";
import { callFiles } from "./derive.ts";

export interface FileEdit {
  path: string;
  added: number;
  removed: number;
}

export const OLD_KEYS = ["old_string", "old_str", "oldString", "oldText", "old_text", "search"];
export const NEW_KEYS = ["new_string", "new_str", "newString", "newText", "new_text", "replace", "insert_text"];
export const WHOLE_KEYS = ["content", "file_text", "contents", "text"];
const PATCH_KEYS = ["patch", "diff", "input", "patchText"];
/** Larger texts are not compared line by line. */
const MAX_COMPARED_CHARS = 1 << 20;

/** One per file the call edits; counts are 0 if the call does not state them. */
export function editsOf(call: ToolCallPart): FileEdit[] {
  const paths = [...new Set(callFiles(call).flatMap(({ path, how }) => (how === "edited" ? [path] : [])))];
  if (paths.length === 0) return [];
  const patch = patchText(call);
  if (patch !== undefined) return patchEdits(patch, paths);
  const counts = isObject(call.input) ? inputCounts(call.input) : { added: 0, removed: 0 };
  return paths.map((path) => ({ path, ...(paths.length === 1 ? counts : { added: 0, removed: 0 }) }));
}

function inputCounts(input: JsonObject): { added: number; removed: number } {
  const several = asArray(input.edits ?? input.replacements).filter(isObject);
  const edits = several.length > 0 ? several : [input];
  let [added, removed] = [0, 0];
  for (const edit of edits) {
    const [before, after] = [textUnder(edit, OLD_KEYS), textUnder(edit, NEW_KEYS)];
    const whole = before === undefined && after === undefined ? textUnder(edit, WHOLE_KEYS) : undefined;
    const changed = changedLines(before ?? "", after ?? whole ?? "");
    added += changed.added;
    removed += changed.removed;
  }
  return { added, removed };
}

export function textUnder(input: JsonObject, keys: readonly string[]): string | undefined {
  return keys.map((key) => asString(input[key])).find((value) => value !== undefined);
}

/** Ignores common leading and trailing lines. */
function changedLines(before: string, after: string): { added: number; removed: number } {
  if (before.length > MAX_COMPARED_CHARS || after.length > MAX_COMPARED_CHARS) {
    return { added: countLines(after), removed: countLines(before) };
  }
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return { added: now.length - start - end, removed: old.length - start - end };
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

export function patchText(call: ToolCallPart): string | undefined {
  const { input } = call;
  const texts = isObject(input) ? PATCH_KEYS.map((key) => input[key]) : [input];
  const all = [...texts, ...(isObject(input) ? [input.command].flat() : [])];
  return all.find((text): text is string => typeof text === "string" && /^(?:\*\*\* Begin Patch|--- |@@ )/m.test(text));
}

const FILE_LINE = /^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?)(.+)$/;

/** Counts lines with a plus or minus for the file named last above them. */
function patchEdits(patch: string, paths: readonly string[]): FileEdit[] {
  const edits = new Map<string, FileEdit>(paths.map((path) => [path, { path, added: 0, removed: 0 }]));
  let current = paths.length === 1 ? edits.get(paths[0] ?? "") : undefined;
  for (const line of patch.slice(0, MAX_COMPARED_CHARS).split("\n")) {
    const named = FILE_LINE.exec(line)?.[1]?.trim();
    if (named !== undefined) current = edits.get(named) ?? (paths.length === 1 ? edits.get(paths[0] ?? "") : undefined);
    else if (!current || line.startsWith("--- ")) continue;
    else if (line.startsWith("+")) current.added += 1;
    else if (line.startsWith("-")) current.removed += 1;
  }
  return [...edits.values()];
}

/** The text that the call writes, as far as it states it: the new lines of an edit or a patch. */
export function editsText(call: ToolCallPart): string {
  const patch = patchText(call);
  if (patch !== undefined) {
    const lines = patch.slice(0, MAX_COMPARED_CHARS).split("\n");
    return lines.flatMap((line) => (line.startsWith("+") && !line.startsWith("+++") ? [line.slice(1)] : [])).join("\n");
  }
  if (!isObject(call.input)) return "";
  const several = asArray(call.input.edits ?? call.input.replacements).filter(isObject);
  return (several.length > 0 ? several : [call.input])
    .map((edit) => textUnder(edit, NEW_KEYS) ?? textUnder(edit, WHOLE_KEYS) ?? "")
    .join("\n");
}

/** A change of a file as the call states it: two texts, or lines of a patch. */
export interface FileChange {
  path: string;
  /** Empty for a new file. */
  old?: string;
  new?: string;
  /** Lines that begin with a plus, a minus or a space. */
  patch?: string;
}

/** In the order of the call. */
export function changesOf(call: ToolCallPart): FileChange[] {
  const paths = [...new Set(callFiles(call).flatMap(({ path, how }) => (how === "edited" ? [path] : [])))];
  const [path] = paths;
  if (path === undefined) return [];
  const patch = patchText(call);
  if (patch !== undefined) return patchesOf(patch, path);
  if (!isObject(call.input) || paths.length > 1) return [];
  const several = asArray(call.input.edits ?? call.input.replacements).filter(isObject);
  return (several.length > 0 ? several : [call.input]).flatMap((edit): FileChange[] => {
    const [before, after] = [textUnder(edit, OLD_KEYS), textUnder(edit, NEW_KEYS)];
    const whole = before === undefined && after === undefined ? textUnder(edit, WHOLE_KEYS) : undefined;
    const now = after ?? whole;
    return before === undefined && now === undefined ? [] : [{ path, old: before ?? "", new: now ?? "" }];
  });
}

/** Splits a patch by file; `path` is that of lines before the first file's name. */
function patchesOf(text: string, path: string): FileChange[] {
  const patches: { path: string; lines: string[] }[] = [];
  for (const line of text.slice(0, MAX_COMPARED_CHARS).split("\n")) {
    const named = FILE_LINE.exec(line)?.[1]?.trim();
    if (named !== undefined) patches.push({ path: named, lines: [] });
    else if (/^(?:\*\*\* |--- )/.test(line)) continue;
    else if (/^(?:[-+ ]|@@)/.test(line)) {
      if (patches.length === 0) patches.push({ path, lines: [] });
      patches.at(-1)?.lines.push(line);
    }
  }
  return patches.map((each) => ({ path: each.path, patch: each.lines.join("\n") }));
}
