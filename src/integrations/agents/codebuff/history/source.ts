/** Codebuff: a folder per chat with a document of its messages; the blocks of subagents are inside their message. */
import { basename, dirname, join } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { contentText, textPart } from "../../../history/building/blocks.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { isHousekeeping, titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { documentSource } from "../../../history/forms/document.ts";
import { fileContainer, walkFiles } from "../../../history/reading/files.ts";
import { readSideJson, readWholeJson } from "../../../history/reading/whole_json.ts";
import type { Source } from "../../../history/source.ts";
import { codebuffProjects } from "../integration.ts";

const ID = "codebuff";
/** `<project>/chats/<time>/chat-messages.json` */
const MAX_DEPTH = 3;
const MAX_NESTING = 8;

export const codebuffHistory: Source = documentSource({
  id: ID,
  places: (env) => codebuffProjects(env).map((path) => ({ path, what: "chats, in <project>/chats/<time>" })),
  discover: (env) =>
    codebuffProjects(env)
      .flatMap((folder) => walkFiles(folder, MAX_DEPTH, (name) => name === "chat-messages.json"))
      .flatMap((path) => asList(fileContainer(ID, path))),
  read({ container, sink }) {
    const document = readWholeJson(container.path, sink);
    if (document.kind === "torn") return undefined;
    return document.kind === "read"
      ? [conversation(asArray(document.value).map(asObject), dirname(container.path))]
      : [];
  },
});

function conversation(messages: readonly JsonObject[], folder: string): WholeConversation {
  const state = asObject(readSideJson(join(folder, "run-state.json")));
  const meta = asObject(readSideJson(join(folder, "chat-meta.json")));
  const projectName = basename(dirname(dirname(folder)));
  return {
    meta: {
      // The time alone may repeat in another project.
      id: `${projectName}-${basename(folder)}`,
      title: titleFrom(firstString(meta, "title", "name")),
      project: firstString(state, "cwd"),
      created: toIso(timeInName(basename(folder))) ?? toIso(messages[0]?.timestamp),
    },
    messages: messages.flatMap(messagesOf),
  };
}

/** The folder of a chat is named by its start, without the colons: `2026-03-05T09-30-00.000Z`. */
function timeInName(name: string): string {
  return name.replace(/T(\d\d)-(\d\d)-(\d\d)/, "T$1:$2:$3");
}

function messagesOf(message: JsonObject): Message[] {
  const time = toIso(message.timestamp);
  const uid = firstString(message, "id");
  const text = asString(message.content) ?? "";
  if (message.variant === "user") {
    return isHousekeeping(text) ? [] : unlessEmpty({ role: "user", time, uid, parts: asList(textPart("text", text)) });
  }
  if (message.variant !== "ai") return [];
  const blocks = asArray(message.blocks).map(asObject);
  const parts = blocks.length > 0 ? blocks.flatMap((block) => blockParts(block, 0)) : asList(textPart("text", text));
  const results = parts.filter((part) => part.type === "tool_result");
  return [
    ...unlessEmpty({ role: "assistant", time, uid, parts: parts.filter((part) => part.type !== "tool_result") }),
    ...unlessEmpty({ role: "tool", time, uid: uid && `${uid}:tool`, parts: results }),
  ];
}

function blockParts(block: JsonObject, depth: number): Part[] {
  if (depth > MAX_NESTING) return [];
  switch (block.type) {
    case "text":
    case "plan":
      return asList(textPart(block.textType === "reasoning" ? "thinking" : "text", asString(block.content)));
    case "tool":
      return toolParts(block, firstString(block, "toolName"), firstString(block, "toolCallId"), block.input);
    case "agent": {
      const name = firstString(block, "agentType", "agentName");
      const input = defined({ prompt: asString(block.initialPrompt), params: block.params });
      const inside = asArray(block.blocks).flatMap((each) => blockParts(asObject(each), depth + 1));
      return [...toolParts(block, name, firstString(block, "agentId"), input), ...inside];
    }
    default:
      return [];
  }
}

function toolParts(
  block: JsonObject,
  name: string | undefined,
  id: string | undefined,
  input: JsonObject[string],
): Part[] {
  if (name === undefined) return [];
  const call = defined({ type: "tool_call" as const, id, name, input: input ?? {} });
  if (block.output === undefined || block.output === null) return [call];
  return [call, defined({ type: "tool_result" as const, id, name, output: contentText(block.output) })];
}
