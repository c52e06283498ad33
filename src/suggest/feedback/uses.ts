/**
 * Decides whether a suggestion was used from the session's later tool calls: it opened or edited the file, or asked for
 * the conversation, the commit, the decision or the section. A mention in text does not count.
 */
import { callFiles } from "../../conversations/activity/derive.ts";
import { shellCommand } from "../../conversations/activity/tools.ts";
import type { Message, ToolCallPart } from "../../conversations/model.ts";

const SHORT_ID_CHARS = 8;
const SHORT_SHA_CHARS = 7;
const MAX_INPUT_CHARS = 20_000;

export interface UsedItem {
  entityId: string;
  actionUrl: string;
}

/** `inside` turns a path from a tool call into a path in the project. */
export function isUse(item: UsedItem, message: Message, inside: (path: string) => string | undefined): boolean {
  return message.parts.some((part) => part.type === "tool_call" && usedBy(item, part, inside));
}

function usedBy(item: UsedItem, call: ToolCallPart, inside: (path: string) => string | undefined): boolean {
  const path = fileOf(item);
  if (path !== undefined && callFiles(call).some((file) => file.how !== "mentioned" && inside(file.path) === path)) {
    return true;
  }
  const input = (typeof call.input === "string" ? call.input : JSON.stringify(call.input)).slice(0, MAX_INPUT_CHARS);
  const [kind, rest] = split(item.entityId);
  const command = shellCommand(call);
  if (path !== undefined && command !== undefined && opens(command, path)) return true;
  if (kind === "commit") return input.includes(rest.slice(0, SHORT_SHA_CHARS));
  if (kind === "decision") return isDex(call, command) && input.includes(rest);
  if (kind === "doc") return isDex(call, command) && input.includes(rest.split("#")[0] ?? rest);
  if (kind !== "conversation") return false;
  return isDex(call, command) && input.includes(split(rest)[1].slice(0, SHORT_ID_CHARS));
}

/** The file an item is about. */
function fileOf({ entityId, actionUrl }: UsedItem): string | undefined {
  const [kind, rest] = split(entityId);
  if (kind === "file" || kind === "gap") return rest;
  if (kind === "test") return rest.slice(0, rest.lastIndexOf("#")) || undefined;
  if (kind === "deprecated") return rest.slice(0, rest.lastIndexOf("#"));
  return kind === "decision" && /^[^#\s]+\.\w+:\d+$/.test(actionUrl) ? actionUrl.replace(/:\d+$/, "") : undefined;
}

function split(text: string): [string, string] {
  const at = text.indexOf(":");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** A call of dex itself, as a tool or as a command. */
function isDex({ name }: ToolCallPart, command: string | undefined): boolean {
  return (
    /(?:^|_|\.)(?:dex|documents|context)_/.test(name) ||
    (command !== undefined && /(?:^|[\s;&|/])dex(?:\.js)?\s/.test(command))
  );
}

/** Recognises the usual commands that open a file; dex does not guess what scripts do. */
function opens(command: string, path: string): boolean {
  return (
    /\b(?:cat|head|tail|less|sed|nl|bat|vim?|nano|code)\b/.test(command) &&
    command.split(/[\s'"=]+/).some((word) => word === path || word.endsWith(`/${path}`))
  );
}
