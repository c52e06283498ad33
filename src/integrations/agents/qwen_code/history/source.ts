/**
 * Qwen Code: one append-only file per session, whose records form a tree; a rewind continues from an earlier record.
 * Its messages have Gemini's parts. Older sessions have Anthropic's content blocks instead, and the first ones are
 * documents of Gemini CLI.
 */
import { basename, dirname } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { requestId } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import {
  assistantParts,
  attachmentText,
  blocksOf,
  contentText,
  isAttachment,
  resultPart,
  textPart,
} from "../../../history/building/blocks.ts";
import { branchesOf } from "../../../history/building/branch.ts";
import { userParts } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { googleUsage } from "../../../history/building/usage.ts";
import { isHousekeeping, titleFrom } from "../../../history/building/wrappers.ts";
import { conversationOf, type WholeConversation } from "../../../history/forms/conversation.ts";
import { allRecords, documentSource } from "../../../history/forms/document.ts";
import { fileContainer, walkFiles } from "../../../history/reading/files.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { silent } from "../../../history/reading/tail.ts";
import type { Container, Lineage, ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { shellExitCode } from "../../gemini/history/message.ts";
import { geminiStyleSource } from "../../gemini/history/source.ts";
import { qwenFolder, qwenProjects } from "../integration.ts";

const ID = "qwen_code";
/** The first versions kept Gemini CLI's documents. */
const older = geminiStyleSource(ID, qwenFolder);
/** `<project>/chats/<session>.jsonl` and `<project>/subagents/<session>/agent-<id>.jsonl`. */
const MAX_DEPTH = 3;

const form = {
  id: ID,
  places: (env: SourceEnv) => [
    { path: qwenProjects(env), what: "sessions in <project>/chats, subagents beside them" },
    ...older.places(env),
  ],
  discover: (env: SourceEnv) => [
    ...walkFiles(qwenProjects(env), MAX_DEPTH, (name, path) => name.endsWith(".jsonl") && isSession(path)).flatMap(
      (path) => fileContainer(ID, path) ?? [],
    ),
    ...older.discover(env),
  ],
};
const current = documentSource({ ...form, read: (request) => [conversation(request)] });

export const qwenCodeHistory: Source = {
  ...form,
  read: (request) => (isOlder(request.container.path) ? older : current).read(request),
  lineage: (container, env) => (isOlder(container.path) ? older.lineage?.(container, env) : lineage(container)),
};

function isOlder(path: string): boolean {
  return path.endsWith(".json");
}

function isSession(path: string): boolean {
  return basename(dirname(path)) === "chats" || sessionOfSubagent(path) !== undefined;
}

/** The session that started the subagent of this file. */
function sessionOfSubagent(path: string): string | undefined {
  const folder = dirname(path);
  return basename(dirname(folder)) === "subagents" ? basename(folder) : undefined;
}

/** A branch repeats the records of its origin and names it in each of them. */
function lineage({ path }: Container): Lineage | undefined {
  for (const { value } of readRecords(path, { sink: silent })) {
    const forkOf = firstString(asObject(value.forkedFrom), "sessionId");
    return defined<Lineage>({ id: basename(path, ".jsonl"), family: asString(value.uuid), forkOf });
  }
  return undefined;
}

function conversation(request: ReadRequest): WholeConversation {
  const { container, inherited, inheritedFrom } = request;
  const records = allRecords(request);
  const tree = branchesOf(records, "uuid", "parentUuid");
  const meta: WholeConversation["meta"] = { id: basename(container.path, ".jsonl") };
  const parent = sessionOfSubagent(container.path);
  if (parent !== undefined) Object.assign(meta, { parent, parent_kind: "subagent" });
  else if (inheritedFrom !== undefined) Object.assign(meta, { parent: inheritedFrom, parent_kind: "fork" });
  for (const position of tree.branches[0]?.positions ?? []) learn(meta, records[position] as JsonObject);
  const key = (position: number): string | undefined => asString(records[position]?.uuid);
  return conversationOf(meta, tree, key, (positions) =>
    branchMessages(positions.map((position) => records[position] as JsonObject)).filter(
      ({ uid }) => uid === undefined || !inherited.has(uid),
    ),
  );
}

function branchMessages(records: readonly JsonObject[]): Message[] {
  const messages: Message[] = [];
  for (const message of records.flatMap(messagesOf)) {
    const last = messages.at(-1);
    if (last && last.uid === message.uid && last.role === message.role) {
      last.parts.push(...message.parts);
      if (message.model !== undefined) last.model = message.model;
      if (message.usage !== undefined) last.usage = message.usage;
    } else messages.push(message);
  }
  return messages;
}

function learn(meta: WholeConversation["meta"], record: JsonObject): void {
  meta.created ??= toIso(record.timestamp);
  meta.project ??= firstString(record, "cwd");
  Object.assign(
    meta,
    defined({
      branch: firstString(record, "gitBranch"),
      title:
        record.subtype === "custom_title" ? titleFrom(asString(asObject(record.systemPayload).customTitle)) : undefined,
    }),
  );
}

function messagesOf(record: JsonObject): Message[] {
  const common = { time: toIso(record.timestamp), uid: asString(record.uuid) };
  const message = asObject(record.message);
  if (record.type === "assistant") {
    const usage = googleUsage(record.usageMetadata, requestId(common.uid, common.time));
    const model = firstString(record, "model");
    return unlessEmpty({ ...common, role: "assistant", parts: answerParts(message), model, usage });
  }
  if (record.type === "system") {
    const typed =
      record.subtype === "mid_turn_user_message"
        ? firstString(asObject(record.systemPayload), "displayText")
        : undefined;
    return unlessEmpty({ ...common, role: "user", parts: asList(textPart("text", typed)) });
  }
  const results = resultParts(record, message);
  if (results.length > 0) return unlessEmpty({ ...common, role: "tool", parts: results });
  // Notifications and scheduled prompts have the user's role, too.
  if (record.subtype !== undefined && record.subtype !== "mid_turn_user_message") return [];
  return record.type === "user" ? unlessEmpty({ ...common, role: "user", parts: typedParts(record, message) }) : [];
}

/** With hook context the record also says which words were typed. */
function typedParts(record: JsonObject, message: JsonObject): Part[] {
  const typed = firstString(asObject(record.systemPayload), "displayText");
  if (typed === undefined) return userParts(message.parts ?? message.content);
  const attached = asArray(message.parts).filter((part) => isAttachment(asObject(part)));
  return isHousekeeping(typed) ? [] : [...asList(textPart("text", typed)), ...userParts(attached)];
}

function answerParts(message: JsonObject): Part[] {
  if (message.parts === undefined) return assistantParts(blocksOf(message.content));
  return asArray(message.parts)
    .map(asObject)
    .flatMap((part): Part[] => {
      const call = asObject(part.functionCall);
      const name = firstString(call, "name");
      if (name !== undefined) {
        return [defined({ type: "tool_call" as const, id: asString(call.id), name, input: call.args ?? {} })];
      }
      if (isAttachment(part)) return [{ type: "text", text: attachmentText(part) }];
      return asList(textPart(part.thought === true ? "thinking" : "text", asString(part.text)));
    });
}

function resultParts(record: JsonObject, message: JsonObject): Part[] {
  const failed = asObject(record.toolCallResult).status === "error" ? true : undefined;
  const responses = asArray(message.parts).flatMap((part): Part[] => {
    const response = asObject(asObject(part).functionResponse);
    const name = firstString(response, "name");
    if (name === undefined) return [];
    const given = asObject(response.response);
    const output = contentText(given.output ?? given.error ?? given);
    const is_error = failed ?? (given.error === undefined ? undefined : true);
    const exit_code = name === "run_shell_command" ? shellExitCode(output) : undefined;
    return [defined({ type: "tool_result" as const, id: asString(response.id), name, output, is_error, exit_code })];
  });
  const blocks = blocksOf(message.content).filter((block) => block.type === "tool_result");
  return [...responses, ...blocks.map((block) => resultPart(block, () => undefined))];
}
