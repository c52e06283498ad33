/**
 * Factory Droid: one append-only file per session, and next to it a `<session>.settings.json` that names the model.
 *
 * Its messages are in Anthropic's form: tool results come back inside user messages, next to the user's text.
 */
import { basename, join } from "node:path";
import type { ConversationMeta, Message, Part, ToolResultPart } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asObject, asString, firstString, isObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import {
  assistantParts,
  attachmentText,
  blocksOf,
  isAttachment,
  resultPart,
  textPart,
} from "../../../history/building/blocks.ts";
import { withExitCodes } from "../../../history/building/results.ts";
import { isHousekeeping, stripBlocks, titleFrom } from "../../../history/building/wrappers.ts";
import { ConversationWriter } from "../../../history/building/writer.ts";
import { OpenCalls } from "../../../history/forms/log.ts";
import { fileContainer, walkFiles } from "../../../history/reading/files.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { isReadable, resumePoint, tailOf } from "../../../history/reading/tail.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { Container, HistoryPlace, ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { factoryHome } from "../integration.ts";

export const factoryDroidHistory: Source = { id: "factory_droid", places, discover, read };

const MAX_DEPTH = 2;
const NOISE = ["system-reminder", "system-notification"];

function places(env: SourceEnv): HistoryPlace[] {
  return [{ path: join(factoryHome(env), "sessions"), what: "Factory Droid sessions" }];
}

function discover(env: SourceEnv): Container[] {
  const paths = places(env).flatMap(({ path }) => walkFiles(path, MAX_DEPTH, (name) => name.endsWith(".jsonl")));
  return paths.flatMap((path) => {
    const session = fileContainer(factoryDroidHistory.id, path);
    const settings = fileContainer(factoryDroidHistory.id, settingsPath(path));
    if (!session || !settings) return session ?? [];
    return { ...session, stamp: `${session.stamp}+${settings.stamp}` };
  });
}

function settingsPath(path: string): string {
  return path.replace(/\.jsonl$/, ".settings.json");
}

function read(request: ReadRequest): Json | undefined {
  const { path } = request.container;
  const { sink } = request;
  if (!isReadable(path, sink)) return request.state;
  const tail = tailOf(path, request.state);
  const calls = new OpenCalls(tail?.saved.calls);

  const name = basename(path, ".jsonl");
  let meta: ConversationMeta = {
    id: asString(tail?.saved.id) ?? name,
    source: factoryDroidHistory.id,
    model: modelOf(path),
  };
  let writer: ConversationWriter | undefined;
  let offset = tail?.offset ?? 0;
  for (const { value, end } of readRecords(path, { offset, sink })) {
    offset = end;
    if (value.type === "session_start" && !writer && !tail) {
      meta = { ...meta, ...sessionMeta(value, name) };
      continue;
    }
    for (const message of recordMessages(value, calls)) {
      writer ??= new ConversationWriter(sink, meta, tail?.index);
      writer.message(withExitCodes(message));
      if (writer.refused) return undefined;
    }
  }
  if (tail && offset === tail.offset) return request.state;
  writer?.close();
  const index = writer?.index ?? tail?.index ?? 0;
  return { ...resumePoint(path, offset, index), id: meta.id, calls: calls.toJson() };
}

function modelOf(path: string): string | undefined {
  const settings = readSideJson(settingsPath(path));
  return isObject(settings) ? firstString(settings, "model") : undefined;
}

function sessionMeta(start: JsonObject, name: string): Partial<ConversationMeta> {
  const id = firstString(start, "id") ?? name;
  const parent = firstString(start, "callingSessionId");
  return defined({
    id,
    title: titleFrom(firstString(start, "sessionTitle", "title")),
    project: firstString(start, "cwd"),
    created: toIso(start.timestamp),
    ...(parent && parent !== id ? { parent, parent_kind: "subagent" as const } : {}),
  });
}

/** `calls` has the tools whose results have not come yet, by call id. */
function recordMessages(record: JsonObject, calls: OpenCalls): Message[] {
  const time = toIso(record.timestamp);
  const uid = firstString(record, "id");
  if (record.type === "compaction_state") {
    const part = textPart("text", firstString(record, "summaryText", "summary"));
    return part ? [{ role: "system", time, parts: [part], uid, kind: "summary" }] : [];
  }
  if (record.type !== "message") return [];
  const message = asObject(record.message);
  const blocks = blocksOf(message.content);
  if (message.role === "assistant") {
    const parts = assistantParts(blocks);
    const answer: Message = { role: "assistant", time, parts, uid, model: firstString(message, "model") };
    calls.remember(answer);
    return parts.length > 0 ? [answer] : [];
  }
  if (message.role !== "user" && message.role !== "tool") return [];
  return userMessages(blocks, calls).map((said, position) => ({
    ...said,
    time,
    uid: uid && (position === 0 ? uid : `${uid}:${said.role}`),
  }));
}

function userMessages(blocks: readonly JsonObject[], calls: OpenCalls): Message[] {
  const results: ToolResultPart[] = [];
  const typed: Part[] = [];
  for (const block of blocks) {
    if (block.type === "tool_result") {
      results.push(resultPart(block, (id) => calls.take(id)));
      continue;
    }
    const part = typedPart(block);
    if (part) typed.push(part);
  }
  const messages: Message[] = [];
  if (results.length > 0) messages.push({ role: "tool", parts: results });
  if (typed.length > 0) messages.push({ role: "user", parts: typed });
  return messages;
}

function typedPart(block: JsonObject): Part | undefined {
  if (isAttachment(block)) return textPart("text", attachmentText(block));
  const text = stripBlocks(asString(block.text) ?? "", NOISE);
  return isHousekeeping(text) ? undefined : textPart("text", text);
}
