/**
 * Chats of CodeBuddy's extension and of its own editor: below `CodeBuddyExtension/Data`, in the folders of an account, an
 * editor and a workspace, `history/<group>/index.json` lists the chats of a window. Each chat has a list of its messages
 * and one small file per message. The group's name is a hash; a workspace's name may be its path in Base64.
 */
import { basename, dirname, join } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asArray,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { assistantParts, blocksOf, resultPart, textPart } from "../../../history/building/blocks.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { blockTexts, isHousekeeping, titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { wholeObject } from "../../../history/forms/document.ts";
import { fileContainer, listDir, stampedCache, statOrUndefined } from "../../../history/reading/files.ts";
import { readSideJson, readWholeJson } from "../../../history/reading/whole_json.ts";
import type { Container, ReadRequest } from "../../../history/source.ts";

const HISTORY = "history";
const INDEX = "index.json";
/** `<account>/<editor>/<workspace>/history`; older versions have no account. */
const MAX_DEPTH = 3;
/** Accounts' credentials are here: no folder of chats. */
const PUBLIC = "Public";

export function editorChats(source: string, data: string): Container[] {
  return foldersIn(data)
    .filter((folder) => basename(folder) !== PUBLIC)
    .flatMap((folder) => historiesIn(folder, MAX_DEPTH))
    .flatMap(foldersIn)
    .flatMap(foldersIn)
    .flatMap((chat) => chatContainer(source, chat));
}

function foldersIn(folder: string): string[] {
  const found = listDir(folder).filter((entry) => entry.isDirectory());
  return found.map(({ name }) => join(folder, name)).sort();
}

function historiesIn(folder: string, depth: number): string[] {
  if (basename(folder) === HISTORY) return [folder];
  return depth === 0 ? [] : foldersIn(folder).flatMap((each) => historiesIn(each, depth - 1));
}

const lastMessage = stampedCache<string | undefined>();

/** The list of messages changes with every new one; the last one may still grow. */
function chatContainer(source: string, chat: string): Container[] {
  const container = fileContainer(source, join(chat, INDEX));
  if (!container) return [];
  const messages = join(chat, "messages");
  const last = lastMessage(container.path, container.stamp, () => listed(readSideJson(container.path)).at(-1));
  const growing = last === undefined ? undefined : statOrUndefined(join(messages, `${last}.json`));
  return [{ ...container, stamp: `${container.stamp}+${growing?.size}:${growing?.mtimeMs}` }];
}

function listed(index: Json | undefined): string[] {
  const ids = asArray(asObject(index).messages).flatMap((each) => firstString(asObject(each), "id") ?? []);
  return ids.filter((id) => basename(id) === id);
}

export function editorChat(request: ReadRequest): WholeConversation[] | undefined {
  const { container, sink } = request;
  const index = wholeObject(request);
  if (!index) return undefined;
  const chat = dirname(container.path);
  const records = listed(index).flatMap((id) => {
    const file = readWholeJson(join(chat, "messages", `${id}.json`), sink);
    return file.kind === "read" && isObject(file.value) ? [file.value] : [];
  });
  const messages = records.flatMap(messagesOf);
  return messages.length === 0 ? [] : [{ meta: metaOf(chat), messages }];
}

function metaOf(chat: string): WholeConversation["meta"] {
  const group = dirname(chat);
  const chats = asArray(asObject(readSideJson(join(group, INDEX))).conversations).map(asObject);
  const facts = chats.find((each) => each.id === basename(chat)) ?? {};
  return defined({
    id: basename(chat),
    title: titleFrom(asString(facts.name)),
    created: toIso(facts.createdAt),
    updated: toIso(facts.lastMessageAt),
    project: workspacePath(basename(dirname(dirname(group)))),
  });
}

function workspacePath(name: string): string | undefined {
  const path = Buffer.from(name, "base64").toString("utf8");
  return /^(?:\/|[A-Za-z]:[\\/])[^\0\ufffd]*$/.test(path) ? path : undefined;
}

/** A message is an object written as a string, or plain text. */
function messagesOf(record: JsonObject): Message[] {
  const text = asString(record.message) ?? "";
  const parsed = parseJson(text);
  const message: JsonObject = isObject(parsed) ? parsed : { content: text };
  const blocks = blocksOf(message.content);
  const common = { time: toIso(message.createdAt), uid: firstString(record, "id") };
  const results = blocks.filter((block) => block.type === "tool_result");
  const answers = unlessEmpty({
    ...common,
    role: "tool",
    parts: results.map((block) => resultPart(block, () => undefined)),
  });
  if (record.role === "assistant") {
    const model = firstString(message, "model");
    return [...unlessEmpty({ ...common, role: "assistant", model, parts: assistantParts(blocks) }), ...answers];
  }
  return record.role === "user"
    ? [...answers, ...unlessEmpty({ ...common, role: "user", parts: typedParts(blocks) })]
    : answers;
}

/** The words of the person are in a block of their own, after those of the editor. */
function typedParts(blocks: readonly JsonObject[]): Part[] {
  const text = blocks.map((block) => (block.type === "text" ? (asString(block.text) ?? "") : "")).join("\n");
  const query = blockTexts(text, "user_query").join("\n\n") || text;
  return isHousekeeping(query) ? [] : asList(textPart("text", query));
}
