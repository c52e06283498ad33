/**
 * The plain form: one JSON object per line, for history of any tool that dex does not know itself.
 *
 * People and small scripts write this form, so nothing is guessed: a line that is not in the form is a problem with its
 * line number, its field and a sentence, and it is not used.
 */
import { statSync } from "node:fs";
import { type ConversationMeta, type Message, type Part, ROLES, type Role } from "../../../conversations/model.ts";
import { defined } from "../../../kernel/defined.ts";
import { DexError } from "../../../kernel/errors.ts";
import { type Line, readLines } from "../../../kernel/files/lines.ts";
import { isObject, type Json, type JsonObject, parseJson } from "../../../kernel/json.ts";
import { toIso } from "../../../kernel/time.ts";

export interface PlainLine {
  kind: "line";
  /** Counted from 1. */
  line: number;
  conversation: string;
  role: Role;
  text: string;
  time?: string;
  message?: string;
  title?: string;
  project?: string;
  source?: string;
  tool?: string;
  input?: Json;
}

export interface PlainProblem {
  kind: "problem";
  line: number;
  /** The invalid field; absent if the whole line is invalid. */
  field?: string;
  sentence: string;
}

export interface PlainConversation {
  meta: ConversationMeta;
  messages: Message[];
  /** Ids of abandoned branches that it goes through now. */
  rejoined?: readonly string[];
}

/** Conversations may interleave, so the whole file is held in memory. */
const MAX_BYTES = 500 * 1024 * 1024;
const DEFAULT_SOURCE = "import";
const FIELDS = ["conversation", "role", "time", "text", "message", "title", "project", "source", "tool", "input"];

/** Reads a file in the plain form. Lines with problems are left out; the caller decides about the rest. */
export function readPlain(path: string): { conversations: PlainConversation[]; problems: PlainProblem[] } {
  refuseAbove(statSync(path).size);
  return readPlainLines(readLines(path));
}

export function readPlainLines(lines: Iterable<Line>): {
  conversations: PlainConversation[];
  problems: PlainProblem[];
} {
  const problems: PlainProblem[] = [];
  const conversations = groupPlain(parsePlain(lines), (problem) => problems.push(problem));
  return { conversations, problems };
}

export function* parsePlain(lines: Iterable<Line>): Generator<PlainLine | PlainProblem> {
  let number = 0;
  for (const line of lines) {
    number += 1;
    refuseAbove(line.end);
    if (line.oversized) yield problem(number, undefined, "The line is too long to read.");
    else if (line.text.trim() !== "") yield parseLine(number, line.text.replace(/^\uFEFF/, ""));
  }
}

/**
 * Conversations in the order in which they first appear. A later title or project wins over an earlier one; a line
 * without a source inherits the last source of its conversation. Consecutive lines of a conversation with the same
 * `message` and role are one message.
 */
export function groupPlain(
  entries: Iterable<PlainLine | PlainProblem>,
  onProblem: (problem: PlainProblem) => void = () => {},
): PlainConversation[] {
  const found = new Map<string, PlainConversation>();
  const sources = new Map<string, string>();
  for (const entry of entries) {
    if (entry.kind === "problem") {
      onProblem(entry);
      continue;
    }
    const id = entry.conversation;
    const source = entry.source ?? sources.get(id) ?? DEFAULT_SOURCE;
    sources.set(id, source);
    const key = `${source}:${id}`;
    const { meta, messages } = found.get(key) ?? { meta: { id, source }, messages: [] };
    found.set(key, { meta, messages });
    Object.assign(meta, defined({ title: entry.title, project: entry.project }));
    const last = messages.at(-1);
    if (last && entry.message !== undefined && last.uid === entry.message && last.role === entry.role)
      last.parts.push(...partsOf(entry));
    else messages.push(defined({ role: entry.role, time: entry.time, parts: partsOf(entry), uid: entry.message }));
  }
  return [...found.values()];
}

function partsOf({ role, text, tool, input }: PlainLine): Part[] {
  if (role === "tool") return [defined({ type: "tool_result", name: tool, output: text })];
  const parts: Part[] = text === "" ? [] : [{ type: "text", text }];
  if (tool !== undefined) parts.push({ type: "tool_call", name: tool, input: input ?? {} });
  return parts;
}

function parseLine(line: number, text: string): PlainLine | PlainProblem {
  const value = parseJson(text);
  if (!isObject(value)) {
    const what = value === undefined ? "The line is not JSON." : "The line is not a JSON object.";
    return problem(line, undefined, what);
  }
  const wrong = firstProblem(value);
  if (wrong) return problem(line, wrong[0], wrong[1]);
  const at = (field: string): string | undefined => (typeof value[field] === "string" ? value[field] : undefined);
  return defined({
    kind: "line",
    line,
    conversation: at("conversation") ?? "",
    role: roleOf(value) ?? "user",
    text: at("text") ?? "",
    time: toIso(at("time")),
    message: at("message"),
    title: at("title"),
    project: at("project"),
    source: at("source"),
    tool: at("tool"),
    input: value.input,
  });
}

function problem(line: number, field: string | undefined, sentence: string): PlainProblem {
  return defined({ kind: "problem", line, field, sentence });
}

function roleOf(value: JsonObject): Role | undefined {
  return ROLES.find((role) => role === value.role);
}

const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$/;

/** The first invalid field, and the reason. A field that is null counts as left out. */
function firstProblem(value: JsonObject): [string, string] | undefined {
  for (const field of Object.keys(value)) {
    if (FIELDS.includes(field)) continue;
    return [field, `"${field}" is not a field of this form; the fields are ${FIELDS.join(", ")}.`];
  }
  for (const field of FIELDS) {
    const given = value[field];
    if (field === "input" || given === undefined || given === null) continue;
    if (typeof given !== "string") return [field, `"${field}" must be a string, not ${nameOf(given)}.`];
  }
  for (const field of ["conversation", "role", "text"]) {
    if (typeof value[field] !== "string") return [field, `"${field}" is missing.`];
  }
  const role = roleOf(value);
  const { conversation, source, time, tool, text, input } = value;
  if (conversation === "") return ["conversation", `"conversation" is empty; give the conversation an id.`];
  if (typeof conversation === "string" && !isLine(conversation))
    return ["conversation", `"conversation" is an id: one line of at most 200 characters.`];
  if (!role) return ["role", `"role" must be one of ${ROLES.join(", ")}, not "${value.role}".`];
  if (typeof source === "string" && !/^[a-z0-9_]{1,40}$/.test(source))
    return ["source", `"source" is a name of a-z, 0-9 and _, of at most 40 characters, not "${source.slice(0, 60)}".`];
  if (typeof time === "string" && (!TIME.test(time) || toIso(time) === undefined))
    return ["time", `"time" must be an ISO 8601 time such as 2026-03-05T09:30:00Z, not "${time.slice(0, 60)}".`];
  if (tool === "") return ["tool", `"tool" is empty; name the tool or leave the field out.`];
  if (typeof tool === "string" && role !== "tool" && role !== "assistant")
    return ["tool", `"tool" goes with the role tool (its output) or assistant (its call), not ${role}.`];
  if (input !== undefined && input !== null && (role !== "assistant" || typeof tool !== "string"))
    return ["input", `"input" is the input of a tool call: it needs the role assistant and "tool".`];
  if (text === "" && role !== "tool" && typeof tool !== "string") return ["text", `"text" is empty.`];
  return undefined;
}

function isLine(text: string): boolean {
  return text.length <= 200 && text.trim() === text && !/\p{Cc}/u.test(text);
}

function nameOf(value: Json): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

export function refuseAbove(bytes: number): void {
  if (bytes <= MAX_BYTES) return;
  throw new DexError("import_too_large", "The file is larger than 500 MB.", {
    hint: "Split it, with every conversation whole in one of the parts, and import the parts one by one.",
  });
}
