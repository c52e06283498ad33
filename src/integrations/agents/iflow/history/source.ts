/**
 * iFlow CLI: lines in Claude Code's form. Parallel calls are several answers with the same parent, and later answers
 * repeat calls of earlier ones, so dex reads the lines in order and keeps the first of each call.
 */
import { basename, dirname } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { requestId } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, isObject, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { assistantParts, blocksOf, contentText } from "../../../history/building/blocks.ts";
import { userParts } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { stripBlocks } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { allRecords, documentSource } from "../../../history/forms/document.ts";
import { fileContainer, walkFiles } from "../../../history/reading/files.ts";
import type { ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { geminiStyleSource } from "../../gemini/history/source.ts";
import { iflowFolder, iflowProjects } from "../integration.ts";

const ID = "iflow";
const NOISE = ["system-reminder"];

/** The first versions kept Gemini CLI's documents. */
const older = geminiStyleSource(ID, ({ home }) => iflowFolder(home));
const form = {
  id: ID,
  places: (env: SourceEnv) => [{ path: iflowProjects(env.home), what: "sessions by project" }, ...older.places(env)],
  discover: (env: SourceEnv) => [
    ...walkFiles(iflowProjects(env.home), 1, (name) => /^session-.*\.jsonl$/.test(name)).flatMap((path) =>
      asList(fileContainer(ID, path)),
    ),
    ...older.discover(env),
  ],
};
const current = documentSource({ ...form, read: (request) => [conversation(request)] });

export const iflowHistory: Source = {
  ...form,
  read: (request) => (basename(dirname(request.container.path)) === "chats" ? older : current).read(request),
};

function conversation(request: ReadRequest): WholeConversation {
  const records = allRecords(request).filter((record) => record.isSidechain !== true);
  const calls = new Map<string, string>();
  return {
    meta: {
      id: basename(request.container.path, ".jsonl"),
      project: records.map((record) => firstString(record, "cwd")).find((folder) => folder !== undefined),
      branch: records.map((record) => firstString(record, "gitBranch")).find((branch) => branch !== undefined),
      created: toIso(records[0]?.timestamp),
    },
    messages: records.flatMap((record) => messagesOf(record, calls)),
  };
}

function messagesOf(record: JsonObject, calls: Map<string, string>): Message[] {
  const message = asObject(record.message);
  const blocks = blocksOf(message.content);
  const common = { time: toIso(record.timestamp), uid: asString(record.uuid) };
  if (record.type === "assistant") {
    const parts = assistantParts(blocks).filter((part) => part.type !== "tool_call" || isNew(part, calls));
    const id = requestId(firstString(message, "id") ?? common.uid);
    const usage = requestUsage(message.usage, {}, id ? { id } : {});
    return unlessEmpty({ ...common, role: "assistant", parts, model: firstString(message, "model"), usage });
  }
  if (record.type !== "user" || record.isMeta === true) return [];
  const results = blocks.filter((block) => block.type === "tool_result").map((block) => resultOf(block, calls));
  const typed = userParts(blocks.filter((block) => block.type !== "tool_result").map(withoutNoise));
  return [
    ...unlessEmpty({ ...common, role: "tool", parts: results }),
    ...unlessEmpty({
      ...common,
      uid: common.uid && (results.length > 0 ? `${common.uid}:user` : common.uid),
      role: "user",
      parts: typed,
    }),
  ];
}

function isNew(part: Extract<Part, { type: "tool_call" }>, calls: Map<string, string>): boolean {
  if (part.id === undefined) return true;
  if (calls.has(part.id)) return false;
  calls.set(part.id, part.name);
  return true;
}

function withoutNoise(block: JsonObject): JsonObject {
  return typeof block.text === "string" ? { ...block, text: stripBlocks(block.text, NOISE) } : block;
}

/** The result is in Gemini's form inside Anthropic's. */
function resultOf(block: JsonObject, calls: ReadonlyMap<string, string>): Part {
  const id = firstString(block, "tool_use_id");
  const given = asObject(block.content);
  const responses = Array.isArray(given.responseParts) ? asArray(given.responseParts) : [given.responseParts];
  const texts = responses.map((part) => {
    const response = asObject(asObject(asObject(part).functionResponse).response);
    return firstString(response, "output", "error") ?? "";
  });
  const text = texts.filter((each) => each !== "").join("\n");
  const output = isObject(block.content) ? text || (asString(given.resultDisplay) ?? "") : contentText(block.content);
  return defined({
    type: "tool_result" as const,
    id,
    name: id === undefined ? undefined : calls.get(id),
    output: stripBlocks(output, NOISE).trim(),
    is_error: block.is_error === true ? true : undefined,
  });
}
