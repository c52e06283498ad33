/**
 * A tool call's input as text: whole for reading, short for lines, and the one argument that says what it is about.
 *
 * JSON costs tokens and hides newlines behind escapes; here values stand as they are, indented below their key.
 */
import { isObject, type Json, type JsonObject } from "../kernel/json.ts";
import { clip, clipPath } from "../text/clip.ts";
import { callFiles } from "./derive.ts";
import type { ToolCallPart } from "./model.ts";
import { callKind, shellCommand } from "./tools.ts";

/** A lone argument up to this length stands behind the tool's name, without its own. */
const SHORT_ARGUMENT = 200;
/** What is nested deeper is not worth its tokens, and must not exhaust the stack. */
const DEEPEST = 20;
/** How a call was run, not what it did: of no use to a reader. */
const PLUMBING = new Set(["timeout", "timeout_ms", "yield_time_ms", "max_output_tokens", "tty", "login"]);

/** `[tool: Bash] npm test`, or the name and one `key: value` line for each argument. */
export function callText(call: ToolCallPart): string {
  const head = `[tool: ${call.name}]`;
  const { input } = call;
  const lone = loneText(input);
  if (lone !== undefined) return lone === "" ? head : `${head} ${lone}`;
  if (typeof input === "string") return `${head}\n${input}`;
  return `${head}\n${blockOf(input, "", 0)}`;
}

/** The one short thing the input consists of; empty when it has nothing; undefined when it needs lines of its own. */
function loneText(input: Json): string | undefined {
  const only = isObject(input) ? onlyValue(input) : input;
  if (only === null) return "";
  if (typeof only === "string" && (only.length > SHORT_ARGUMENT || only.includes("\n"))) return undefined;
  return typeof only === "object" || only === undefined ? undefined : String(only);
}

function onlyValue(input: JsonObject): Json | undefined {
  const said = saidArguments(input);
  if (said.length > 1) return undefined;
  return said[0] === undefined ? null : said[0][1];
}

function saidArguments(input: JsonObject): [string, Json][] {
  const said: [string, Json][] = [];
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined || value === null || value === "" || PLUMBING.has(key)) continue;
    if (key === "replace_all" && value === false) continue;
    said.push([key, value]);
  }
  return said;
}

/** A value as lines that begin with `indent`. */
function blockOf(value: Json, indent: string, depth: number): string {
  if (depth > DEEPEST) return `${indent}…`;
  if (Array.isArray(value)) {
    return value
      .map((item) => `${indent}- ${inline(item) ?? blockOf(item, `${indent}  `, depth + 1).trimStart()}`)
      .join("\n");
  }
  if (isObject(value)) {
    const lines = Object.entries(depth === 0 ? Object.fromEntries(saidArguments(value)) : value).map(([key, item]) => {
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

const LONGEST_INLINE_LIST = 80;

/** The value on its key's own line, when it fits there. */
function inline(value: Json): string | undefined {
  if (typeof value === "string") return value.includes("\n") ? undefined : value;
  if (typeof value !== "object" || value === null) return String(value);
  const items = Array.isArray(value) ? value : Object.values(value);
  if (items.length === 0) return Array.isArray(value) ? "[]" : "{}";
  if (!Array.isArray(value) || items.length > 20) return undefined;
  if (items.some((item) => typeof item === "object" && item !== null)) return undefined;
  const list = items.join(", ");
  return list.length > LONGEST_INLINE_LIST || list.includes("\n") ? undefined : list;
}

/** Where a call ran, which is nearly always the project: left out of short lines. */
const PLACE = new Set(["workdir", "cwd"]);

/** The call on one line of at most `max` characters: its main argument, then what else fits. */
export function shortCall(call: ToolCallPart, max: number): string {
  const head = `[tool: ${clip(call.name, 60)}]`;
  const main = mainArgument(call);
  let line = main === "" ? head : `${head} ${clipMain(call, main, max - head.length - 1)}`;
  if (!isObject(call.input)) return line;
  for (const [key, value] of saidArguments(call.input)) {
    const short = typeof value === "object" ? undefined : clip(String(value), 60);
    if (short === undefined || PLACE.has(key) || main.startsWith(short.replace(/…$/, ""))) continue;
    const longer = `${line}, ${key}: ${short}`;
    if (longer.length > max) break;
    line = longer;
  }
  return line;
}

/** Names of arguments, the most telling first. */
const MAIN_KEYS = (
  "pattern query regex url description subject title name skill question prompt message chars text action " +
  "taskId task_id id code content"
).split(" ");

/** What the call is about: the file, the command, the pattern. Paths below `project` are shown relative to it. */
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

/** The main argument, cut where it hurts least. */
export function clipMain(call: ToolCallPart, main: string, max: number): string {
  const kind = callKind(call);
  return kind === "edit" || kind === "read" ? clipPath(main, max) : clip(main, max);
}

/** Paths below the project are shown from there. */
export function shownPath(path: string, project: string | undefined): string {
  if (!project || !path.startsWith(project)) return path;
  const next = path[project.length];
  return next === "/" || next === "\\" ? path.slice(project.length + 1) : path;
}
