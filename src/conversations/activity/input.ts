/**
 * The input of a tool call as text: in full, on one line, or only its main argument.
 *
 * JSON costs tokens and escapes newlines; here values are written verbatim, indented below their key.
 */
import { isObject, type Json, type JsonObject } from "../../kernel/json.ts";
import { clip, clipPath } from "../../text/clip.ts";
import type { ToolCallPart } from "../model.ts";
import { callFiles } from "./derive.ts";
import { callKind, shellCommand } from "./tools.ts";

/** A single argument up to this length follows the tool's name, without a key. */
const MAX_INLINE_ARGUMENT_CHARS = 200;
/** Deeper values are not worth their tokens and must not exhaust the stack. */
const MAX_DEPTH = 20;
/** Arguments about how a call ran, which tell a reader nothing about what it did. */
const EXECUTION_KEYS = new Set(["timeout", "timeout_ms", "yield_time_ms", "max_output_tokens", "tty", "login"]);

/** `[tool: Bash] npm test`, or the name and one `key: value` line for each argument. */
export function callText(call: ToolCallPart): string {
  const head = `[tool: ${call.name}]`;
  const { input } = call;
  const lone = loneText(input);
  if (lone !== undefined) return lone === "" ? head : `${head} ${lone}`;
  if (typeof input === "string") return `${head}\n${input}`;
  return `${head}\n${blockOf(input, "", 0)}`;
}

/** The input if it is a single short value; empty for an empty input; undefined if it needs lines of its own. */
function loneText(input: Json): string | undefined {
  const only = isObject(input) ? onlyValue(input) : input;
  if (only === null) return "";
  if (typeof only === "string" && (only.length > MAX_INLINE_ARGUMENT_CHARS || only.includes("\n"))) return undefined;
  return typeof only === "object" || only === undefined ? undefined : String(only);
}

function onlyValue(input: JsonObject): Json | undefined {
  const shown = shownArguments(input);
  if (shown.length > 1) return undefined;
  return shown[0] === undefined ? null : shown[0][1];
}

function shownArguments(input: JsonObject): [string, Json][] {
  const shown: [string, Json][] = [];
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined || value === null || value === "" || EXECUTION_KEYS.has(key)) continue;
    if (key === "replace_all" && value === false) continue;
    shown.push([key, value]);
  }
  return shown;
}

/** A value as lines that start with `indent`. */
function blockOf(value: Json, indent: string, depth: number): string {
  if (depth > MAX_DEPTH) return `${indent}…`;
  if (Array.isArray(value)) {
    return value
      .map((item) => `${indent}- ${inline(item) ?? blockOf(item, `${indent}  `, depth + 1).trimStart()}`)
      .join("\n");
  }
  if (isObject(value)) {
    const lines = (depth === 0 ? shownArguments(value) : Object.entries(value)).map(([key, item]) => {
      if (item === undefined) return undefined;
      const short = inline(item);
      return short === undefined
        ? `${indent}${key}:\n${blockOf(item, `${indent}  `, depth + 1)}`
        : `${indent}${key}: ${short}`;
    });
    return lines.filter((line) => line !== undefined).join("\n");
  }
  return indent + String(value).replaceAll("\n", `\n${indent}`);
}

const MAX_INLINE_LIST_CHARS = 80;

/** The value if it fits on the line of its key. */
function inline(value: Json): string | undefined {
  if (typeof value === "string") return value.includes("\n") ? undefined : value;
  if (typeof value !== "object" || value === null) return String(value);
  const items = Array.isArray(value) ? value : Object.values(value);
  if (items.length === 0) return Array.isArray(value) ? "[]" : "{}";
  if (!Array.isArray(value) || items.length > 20) return undefined;
  if (items.some((item) => typeof item === "object" && item !== null)) return undefined;
  const list = items.join(", ");
  return list.length > MAX_INLINE_LIST_CHARS || list.includes("\n") ? undefined : list;
}

/** The folder of a call, which is nearly always the project: left out of one-line forms. */
const FOLDER_KEYS = new Set(["workdir", "cwd"]);

/** The call on one line of at most `max` characters: its main argument, then as many others as fit. */
export function shortCall(call: ToolCallPart, max: number): string {
  const head = `[tool: ${clip(call.name, 60)}]`;
  const main = mainArgument(call);
  let line = main === "" ? head : `${head} ${clipMain(call, main, max - head.length - 1)}`;
  if (!isObject(call.input)) return line;
  for (const [key, value] of shownArguments(call.input)) {
    const short = typeof value === "object" ? undefined : clip(String(value), 60);
    if (short === undefined || FOLDER_KEYS.has(key) || main.startsWith(short.replace(/…$/, ""))) continue;
    const longer = `${line}, ${key}: ${short}`;
    if (longer.length > max) break;
    line = longer;
  }
  return line;
}

/** Names of arguments, the most informative first. */
const MAIN_KEYS = (
  "pattern query regex url description subject title name skill question prompt message chars text action " +
  "taskId task_id id code content"
).split(" ");

/** The main argument: the file, the command, the pattern. Paths inside `project` are shown relative to it. */
export function mainArgument(call: ToolCallPart, project?: string): string {
  const kind = callKind(call);
  if (kind === "shell") return shellCommand(call) ?? "";
  if (kind === "edit" || kind === "read" || kind === "list") {
    const files = [...new Set(callFiles(call).map(({ path }) => shownPath(path, project)))];
    if (files.length > 0) return files.join(", ");
  }
  const { input } = call;
  if (!isObject(input)) return input === null || Array.isArray(input) ? "" : String(input);
  for (const key of MAIN_KEYS) {
    const value = input[key];
    if (typeof value === "string" && value !== "") return value;
  }
  const first = Object.values(input).find((value) => typeof value === "string" && value !== "");
  return typeof first === "string" ? shownPath(first, project) : "";
}

/** The main argument, cut where the least information is lost. */
export function clipMain(call: ToolCallPart, main: string, max: number): string {
  const kind = callKind(call);
  return kind === "edit" || kind === "read" ? clipPath(main, max) : clip(main, max);
}

/** Paths inside the project are shown relative to it. */
export function shownPath(path: string, project: string | undefined): string {
  if (!project || !path.startsWith(project)) return path;
  const next = path[project.length];
  return next === "/" || next === "\\" ? path.slice(project.length + 1) : path;
}
