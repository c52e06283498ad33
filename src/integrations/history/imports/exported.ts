/**
 * Files that an export wrote. dex's own form: a line with the metadata of a conversation, then its messages as they are
 * archived, one per line; several conversations follow each other. hive-mind's form: its metadata, then records in the
 * shape of Claude Code's. A line in neither form is a problem with its number, and is not used.
 */
import { EXPORT_TYPE, EXPORT_VERSION, HIVE_MIND_TYPE } from "../../../conversations/export.ts";
import {
  type ConversationMeta,
  type Message,
  PARENT_KINDS,
  type ParentKind,
  type Part,
  ROLES,
  type Role,
} from "../../../conversations/model.ts";
import { requestId, TOKEN_FIELDS } from "../../../conversations/usage.ts";
import { defined } from "../../../kernel/defined.ts";
import type { Line } from "../../../kernel/files/lines.ts";
import { asArray, asObject, asString, isObject, type Json, type JsonObject, parseJson } from "../../../kernel/json.ts";
import { toIso } from "../../../kernel/time.ts";
import { requestUsage } from "../building/usage.ts";
import type { PlainConversation, PlainProblem } from "./plain.ts";

/** Whether a file that begins with this line is an export. */
export function isExported(firstLine: string): boolean {
  const type = asObject(parseJson(firstLine))._type;
  return type === EXPORT_TYPE || type === HIVE_MIND_TYPE;
}

export function readExported(lines: Iterable<Line>): { conversations: PlainConversation[]; problems: PlainProblem[] } {
  const conversations: PlainConversation[] = [];
  const problems: PlainProblem[] = [];
  const problem = (line: number, sentence: string): void => void problems.push({ kind: "problem", line, sentence });
  let messageOf: (value: JsonObject) => Message | undefined = () => undefined;
  let open: PlainConversation | undefined;
  let number = 0;
  for (const { text, oversized } of lines) {
    number += 1;
    if (text.trim() === "" && !oversized) continue;
    const value = parseJson(text);
    if (oversized || !isObject(value)) {
      problem(number, oversized ? "The line is too long to read." : "The line is not a JSON object.");
      continue;
    }
    if (value._type !== undefined) {
      const meta = headerOf(value);
      if (typeof meta === "string") problem(number, meta);
      open = typeof meta === "string" ? undefined : { meta, messages: [] };
      messageOf = value._type === HIVE_MIND_TYPE ? claudeMessage : ownMessage;
      if (open) conversations.push(open);
      continue;
    }
    const message = open && messageOf(value);
    if (!open) problem(number, "The line belongs to a conversation whose first line cannot be used.");
    else if (!message) problem(number, "The line is not a message of an export.");
    else open.messages.push(message);
  }
  return { conversations, problems };
}

/** The metadata, or a sentence that describes the problem with it. */
function headerOf(value: JsonObject): ConversationMeta | string {
  if (value._type === HIVE_MIND_TYPE) return hiveMindMeta(value);
  if (value._type !== EXPORT_TYPE)
    return `"${String(value._type).slice(0, 60)}" is not a kind of export that dex reads.`;
  if (value.version !== EXPORT_VERSION) return `Version ${JSON.stringify(value.version)} of the export is not known.`;
  return checkedMeta(asObject(value.meta));
}

const TEXTS = ["title", "project", "branch", "model", "parent", "family"] as const;
const MAX_META_CHARS = 4096;

function checkedMeta(meta: JsonObject): ConversationMeta | string {
  const { id, source } = meta;
  if (typeof id !== "string" || id === "" || id.length > 200 || id.trim() !== id || /\p{Cc}/u.test(id))
    return `"id" must be one line of at most 200 characters.`;
  if (typeof source !== "string" || !/^[a-z0-9_]{1,40}$/.test(source))
    return `"source" must be a name of a-z, 0-9 and _, of at most 40 characters.`;
  const texts = Object.fromEntries(TEXTS.map((key) => [key, asString(meta[key])?.slice(0, MAX_META_CHARS)]));
  const prs = asArray(meta.prs).flatMap((each) => asString(each)?.slice(0, MAX_META_CHARS) ?? []);
  const kind: ParentKind | undefined = PARENT_KINDS.find((each) => each === meta.parent_kind);
  return defined({
    id,
    source,
    ...texts,
    created: toIso(meta.created),
    updated: toIso(meta.updated),
    parent_kind: kind,
    prs: prs.length > 0 ? prs : undefined,
    headless: meta.headless === true ? true : undefined,
  });
}

function hiveMindMeta(value: JsonObject): ConversationMeta | string {
  const agent = asString(value.agentId);
  const parent = asString(value.parentSessionId);
  return checkedMeta(
    defined({
      id: agent ?? asString(value.sessionId),
      source: asString(value.source) ?? "claude_code",
      title: asString(value.summary),
      parent,
      parent_kind: parent === undefined ? undefined : agent === undefined ? "fork" : "subagent",
      updated: asString(value.rawMtime),
    }) as JsonObject,
  );
}

function roleOf(value: Json | undefined): Role | undefined {
  return ROLES.find((role) => role === value);
}

type Check = (value: Json) => boolean;
const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isStatus: Check = (value) => Number.isSafeInteger(value);
const isAmount: Check = (value) => typeof value === "number" && value >= 0;
const isTime: Check = (value) => typeof value === "string" && toIso(value) === value;
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isAnything: Check = () => true;

interface Shape {
  needs: readonly string[];
  fields: Readonly<Record<string, Check>>;
}

const MESSAGE: Shape = {
  needs: ["role", "parts"],
  fields: {
    role: (value) => roleOf(value) !== undefined,
    time: isTime,
    parts: (value) => Array.isArray(value) && value.every((part) => isObject(part) && partShape(part) !== undefined),
    uid: isText,
    model: isText,
    kind: (value) => value === "summary" || value === "queued",
    usage: (value) => Array.isArray(value) && value.every((each) => isObject(each) && fitsShape(each, USAGE)),
  },
};
const USAGE: Shape = {
  needs: [],
  fields: {
    id: isText,
    model: isText,
    time: isTime,
    ...Object.fromEntries([...TOKEN_FIELDS, "requests", "cost"].map((name) => [name, isAmount])),
  },
};
const TEXT: Shape = { needs: ["text"], fields: { type: isText, text: isText } };
const PARTS: Readonly<Record<string, Shape>> = {
  text: TEXT,
  thinking: TEXT,
  tool_call: { needs: ["name"], fields: { type: isText, id: isText, name: isText, input: isAnything, files: isTexts } },
  tool_result: {
    needs: ["output"],
    fields: {
      type: isText,
      id: isText,
      name: isText,
      output: isText,
      is_error: isFlag,
      exit_code: isStatus,
      agent: isText,
    },
  },
};

function partShape(part: JsonObject): Shape | undefined {
  const shape = Object.hasOwn(PARTS, String(part.type)) ? PARTS[String(part.type)] : undefined;
  return shape && fitsShape(part, shape) ? shape : undefined;
}

/** Only known fields, each of its type: an unknown field would be lost, so it is rejected. */
function fitsShape(value: JsonObject, { needs, fields }: Shape): boolean {
  const known = Object.entries(value).every(
    ([key, field]) => field !== undefined && Object.hasOwn(fields, key) && fields[key]?.(field) === true,
  );
  return known && needs.every((key) => value[key] !== undefined);
}

/** Unchanged, the order of its fields included: the archive then has exactly the exported line. */
function ownMessage(value: JsonObject): Message | undefined {
  return fitsShape(value, MESSAGE) ? (value as unknown as Message) : undefined;
}

/** A record in the shape of Claude Code's: tool results have the role of the user. */
function claudeMessage(value: JsonObject): Message | undefined {
  const embedded = asObject(value.message);
  const content = embedded.content ?? value.content;
  const parts: Part[] =
    typeof content === "string"
      ? [{ type: "text", text: content }]
      : asArray(content).flatMap((each) => claudePart(each));
  const given = roleOf(embedded.role ?? value.type);
  if (!given || (typeof content !== "string" && !Array.isArray(content))) return undefined;
  const results = parts.length > 0 && parts.every(({ type }) => type === "tool_result");
  return defined({
    role: results && given === "user" ? "tool" : given,
    time: toIso(value.timestamp),
    parts,
    uid: asString(value.uuid),
    model: asString(embedded.model),
    usage: requestUsage(
      embedded.usage,
      {},
      defined({ id: requestId(asString(embedded.id), asString(value.requestId)) }),
    ),
  });
}

function claudePart(value: Json): Part[] {
  const block = asObject(value);
  if (block.type === "text") return [{ type: "text", text: asString(block.text) ?? "" }];
  if (block.type === "thinking") return [{ type: "thinking", text: asString(block.thinking) ?? "" }];
  if (block.type === "tool_use") {
    const name = asString(block.name) ?? "tool";
    return [defined({ type: "tool_call" as const, id: asString(block.id), name, input: block.input ?? null })];
  }
  if (block.type !== "tool_result") return [];
  return [
    defined({
      type: "tool_result" as const,
      id: asString(block.tool_use_id),
      output: typeof block.content === "string" ? block.content : JSON.stringify(block.content ?? ""),
      is_error: block.is_error === true ? true : undefined,
    }),
  ];
}
