/**
 * Files named by the tool calls of a message.
 *
 * Only files that a call states count. Shell commands are not searched for file names: guessing which files `sed`, `cp`
 * or a script touches would be wrong too often.
 */
import { isObject, type Json, type JsonObject } from "../../kernel/json.ts";
import type { Message, ToolCallPart } from "../model.ts";
import { callKind, type ToolKind } from "./tools.ts";

export type FileUse = "edited" | "read" | "mentioned";

export interface DerivedFile {
  /** As the agent wrote it: absolute or relative to the conversation's folder. */
  path: string;
  how: FileUse;
}

const STRENGTH: Record<FileUse, number> = { edited: 2, read: 1, mentioned: 0 };

/** Each file once, with the strongest of its uses, in order of first mention. */
export function deriveFiles(message: Message): DerivedFile[] {
  const found = new Map<string, FileUse>();
  for (const part of message.parts) {
    if (part.type !== "tool_call") continue;
    for (const { path, how } of callFiles(part)) {
      const before = found.get(path);
      if (before === undefined || STRENGTH[how] > STRENGTH[before]) found.set(path, how);
    }
  }
  return found.size === 0 ? [] : Array.from(found, ([path, how]) => ({ path, how }));
}

/** Argument names, lower case and without underscores, whose value is a file. */
const FILE_KEYS = new Set(
  (
    "filepath path notebookpath absolutepath targetfile relativepath file filename targetnotebook " +
    "relativeworkspacepath absolutefilepath fspath uri planfilepath"
  ).split(" "),
);
/** Argument names whose value lists files, or objects that each name one. */
const LIST_KEYS = new Set(["files", "paths", "filepaths", "edits", "operations", "replacements", "args"]);

export function callFiles(call: ToolCallPart): DerivedFile[] {
  const kind = callKind(call);
  const how = useOf(kind);
  const found: DerivedFile[] = patchFiles(call).map((path) => ({ path, how: "edited" }));
  for (const named of call.files ?? []) push(found, named, how);
  if (kind === "shell" || kind === "list" || kind === "web" || kind === "agent" || !isObject(call.input)) return found;
  // A search or unknown tool may get a folder, so its argument must look like a file.
  const sure = kind === "edit" || kind === "read";
  for (const path of namedFiles(call.input, 2)) if (sure || looksLikeFile(path)) push(found, path, how);
  return found;
}

function useOf(kind: ToolKind): FileUse {
  if (kind === "edit") return "edited";
  return kind === "read" ? "read" : "mentioned";
}

function* namedFiles(input: JsonObject, depth: number): Generator<string> {
  if (input.mode === "Directory") return;
  for (const [key, value] of Object.entries(input)) {
    const plain = key.toLowerCase().replaceAll("_", "");
    if (typeof value === "string") {
      if (FILE_KEYS.has(plain)) yield value;
    } else if (depth > 0 && (LIST_KEYS.has(plain) || FILE_KEYS.has(plain))) {
      yield* listedFiles(value, depth - 1);
    }
  }
}

function* listedFiles(value: Json | undefined, depth: number): Generator<string> {
  if (isObject(value)) yield* namedFiles(value, depth);
  if (!Array.isArray(value)) return;
  for (const item of value) {
    if (typeof item === "string") yield item;
    else if (isObject(item)) yield* namedFiles(item, depth);
  }
}

function push(found: DerivedFile[], named: string, how: FileUse): void {
  const path = cleanPath(named);
  if (path !== undefined) found.push({ path, how });
}

const MAX_PATH_CHARS = 1024;

function cleanPath(named: string): string | undefined {
  let path = named.trim();
  if (path.startsWith("file://")) path = decode(path.slice("file://".length)).replace(/^\/(?=[A-Za-z]:)/, "");
  if (path === "" || path.length > MAX_PATH_CHARS || /[\n\r\0]/.test(path)) return undefined;
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path) || /[\\/]$|(?:^|[\\/])\.{1,2}$/.test(path)) return undefined;
  return path;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function looksLikeFile(path: string): boolean {
  return /[^\\/]\.[A-Za-z0-9_]{1,12}$/.test(path) && !/[*?{]/.test(path);
}

const PATCH_LINE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

/** Files of an apply_patch text, also when the patch was passed through a shell: that is an edit, not a guess. */
function patchFiles(call: ToolCallPart): string[] {
  const texts = typeof call.input === "string" ? [call.input] : isObject(call.input) ? Object.values(call.input) : [];
  const found: string[] = [];
  for (const text of texts.some(Array.isArray) ? texts.flat() : texts) {
    if (typeof text !== "string" || !text.includes("*** Begin Patch")) continue;
    if (callKind(call) !== "edit" && !/\bapply_?patch\b/.test(text) && !firstIsApplyPatch(texts)) continue;
    for (const match of text.matchAll(PATCH_LINE)) found.push((match[1] ?? "").trim());
  }
  return found.filter((path) => path !== "");
}

function firstIsApplyPatch(values: (Json | undefined)[]): boolean {
  return values.some((value) => Array.isArray(value) && (value[0] === "apply_patch" || value[0] === "applypatch"));
}
