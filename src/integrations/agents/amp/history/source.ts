/** Amp: one JSON document per thread, for threads from before Amp moved them to its server. */
import { basename } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { requestId } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { assistantParts, blocksOf, contentText } from "../../../history/building/blocks.ts";
import { userParts } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { folderOfUri } from "../../../history/folders.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { documentSource, wholeObject } from "../../../history/forms/document.ts";
import { fileContainer, walkFiles } from "../../../history/reading/files.ts";
import type { Source } from "../../../history/source.ts";
import { ampThreads } from "../integration.ts";

const ID = "amp";

export const ampHistory: Source = documentSource({
  id: ID,
  places: (env) => [{ path: ampThreads(env), what: "threads that are kept on this machine" }],
  discover: (env) =>
    walkFiles(ampThreads(env), 0, (name) => /^T-.*\.json$/.test(name)).flatMap((path) =>
      asList(fileContainer(ID, path)),
    ),
  read(request) {
    const thread = wholeObject(request);
    return thread && [conversation(thread, basename(request.container.path, ".json"))];
  },
});

function conversation(thread: JsonObject, name: string): WholeConversation {
  const id = firstString(thread, "id") ?? name;
  const parent = firstString(thread, "originThreadID");
  const names = new Map<string, string>();
  return {
    meta: {
      id,
      title: titleFrom(asString(thread.title)),
      project: folderOfUri(asString(asObject(asArray(asObject(asObject(thread.env).initial).trees)[0]).uri)),
      created: toIso(thread.created),
      ...(parent === undefined || parent === id ? {} : { parent, parent_kind: "fork" }),
    },
    messages: asArray(thread.messages).flatMap((message) => messagesOf(asObject(message), names, id)),
  };
}

function messagesOf(message: JsonObject, names: Map<string, string>, thread: string): Message[] {
  const blocks = blocksOf(message.content);
  const usage = asObject(message.usage);
  const uid =
    firstString(message, "messageId") ??
    (asNumber(message.messageId) === undefined ? undefined : String(message.messageId));
  if (message.role === "assistant") {
    const parts = assistantParts(blocks);
    for (const part of parts) if (part.type === "tool_call" && part.id !== undefined) names.set(part.id, part.name);
    const time = toIso(usage.timestamp) ?? thinkingTime(blocks);
    const id = requestId(thread, uid, time);
    const requests = requestUsage(usage, {}, id ? { id } : {});
    return unlessEmpty({ role: "assistant", parts, time, uid, model: firstString(usage, "model"), usage: requests });
  }
  if (message.role !== "user") return [];
  const time = toIso(asObject(message.meta).sentAt);
  const results = blocks.filter((block) => block.type === "tool_result").map((block) => resultOf(block, names));
  const typed = userParts(blocks.filter((block) => block.type !== "tool_result"));
  return [
    ...unlessEmpty({ role: "tool", parts: results, time, uid: uid && `${uid}:tool` }),
    ...unlessEmpty({ role: "user", parts: typed, time, uid }),
  ];
}

function thinkingTime(blocks: readonly JsonObject[]): string | undefined {
  return blocks.map((block) => toIso(block.finalTime) ?? toIso(block.startTime)).find((time) => time !== undefined);
}

/** Newer threads keep the run of the tool; older ones have Anthropic's form. */
function resultOf(block: JsonObject, names: ReadonlyMap<string, string>): Part {
  const id = firstString(block, "toolUseID", "tool_use_id");
  const run = asObject(block.run);
  const failed = run.status === "error" || run.status === "rejected-by-user" || block.is_error === true;
  const result = asObject(run.result);
  return defined({
    type: "tool_result" as const,
    id,
    name: id === undefined ? undefined : names.get(id),
    output: runText(run) ?? contentText(block.content),
    is_error: failed ? true : undefined,
    exit_code: asNumber(result.exitCode),
  });
}

function runText(run: JsonObject): string | undefined {
  const message = firstString(asObject(run.error), "message");
  const value: Json | undefined = run.result;
  if (message !== undefined) return message;
  if (!isObject(value)) return value === undefined ? undefined : contentText(value);
  return firstString(value, "output", "content", "diff") ?? JSON.stringify(value);
}
