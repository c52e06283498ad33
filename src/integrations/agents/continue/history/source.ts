/** Continue: one JSON document per session, and a list of sessions with their times. Messages have no times. */
import { basename, dirname, join } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asNumber, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { textParts, toolCalls, userParts } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { requestUsage, withSessionUsage } from "../../../history/building/usage.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { folderOfUri } from "../../../history/folders.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { documentSource, wholeObject } from "../../../history/forms/document.ts";
import { fileContainer, walkFiles } from "../../../history/reading/files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { ReadRequest, Source } from "../../../history/source.ts";
import { continueSessions } from "../integration.ts";

const ID = "continue";
const LIST = "sessions.json";

export const continueHistory: Source = documentSource({
  id: ID,
  places: (env) => continueSessions(env).map((path) => ({ path, what: "sessions of the extensions and of `cn`" })),
  discover: (env) =>
    continueSessions(env)
      .flatMap((folder) => walkFiles(folder, 0, (name) => name.endsWith(".json") && name !== LIST))
      .flatMap((path) => asList(fileContainer(ID, path))),
  read(request) {
    const session = wholeObject(request);
    return session && [conversation(session, request)];
  },
});

function conversation(session: JsonObject, { container }: ReadRequest): WholeConversation {
  const id = firstString(session, "sessionId") ?? basename(container.path, ".json");
  const created = Number(listed(container.path, id).dateCreated);
  const items = asArray(session.history).map(asObject);
  return {
    meta: {
      id,
      title: titleFrom(asString(session.title)),
      project: folderOfUri(asString(session.workspaceDirectory)),
      created: toIso(created),
      updated: toIso(container.mtimeMs),
      model: firstString(session, "chatModelTitle"),
    },
    messages: withSessionUsage(messagesOf(items), usageOf(session, items, id)),
  };
}

/**
 * The command line records the sum of the session. Continue copies the provider's numbers: Anthropic's input excludes
 * the cache, and all others' includes it.
 */
function usageOf(session: JsonObject, items: readonly JsonObject[], id: string): Usage[] | undefined {
  const usage = asObject(session.usage);
  const details = asObject(usage.promptTokensDetails);
  const read = asNumber(details.cachedTokens) ?? 0;
  const written = asNumber(details.cacheWriteTokens) ?? 0;
  const models = [asString(session.chatModelTitle), ...items.map(modelOf)].join(" ");
  const isApart = written > 0 || read > (asNumber(usage.promptTokens) ?? 0) || /claude|anthropic/i.test(models);
  const counts = { ...usage, cacheReadTokens: read, cacheWriteTokens: written };
  const facts = { id: requestId(ID, "session", id), cost: asNumber(usage.totalCost) };
  return requestUsage(counts, { inputHasCache: !isApart }, defined(facts));
}

function modelOf(item: JsonObject): string | undefined {
  return asArray(item.promptLogs)
    .map((log) => firstString(asObject(log), "modelTitle"))
    .find((title) => title !== undefined);
}

/** The states of calls have their results; a message of role `tool` that follows repeats them. */
function messagesOf(items: readonly JsonObject[]): Message[] {
  const states = items.flatMap((item) => asArray(item.toolCallStates).map(asObject));
  const answered = new Set(states.filter((state) => Array.isArray(state.output)).map((state) => state.toolCallId));
  return items
    .filter((item) => !answered.has(asObject(item.message).toolCallId))
    .flatMap((item) => [...itemMessages(item, asObject(item.message)), ...summary(item)]);
}

function summary(item: JsonObject): Message[] {
  const part = textPart("text", asString(item.conversationSummary));
  return part ? [{ role: "system", kind: "summary", parts: [part] }] : [];
}

function listed(path: string, id: string): JsonObject {
  const sessions = asArray(readSideJson(join(dirname(path), LIST))).map(asObject);
  return sessions.find((each) => each.sessionId === id || each.session_id === id) ?? {};
}

function itemMessages(item: JsonObject, message: JsonObject): Message[] {
  const uid = firstString(message, "id");
  switch (message.role) {
    case "user":
      return unlessEmpty({ role: "user", parts: userParts(message.content), uid });
    case "thinking":
      return unlessEmpty({ role: "assistant", parts: textParts(message.content).map(asThinking), uid });
    case "assistant":
      return assistantMessages(item, message, uid);
    case "tool":
      return unlessEmpty({ role: "tool", parts: toolParts(message), uid });
    default:
      return [];
  }
}

function asThinking(part: Part): Part {
  return part.type === "text" ? { type: "thinking", text: part.text } : part;
}

function assistantMessages(item: JsonObject, message: JsonObject, uid: string | undefined): Message[] {
  const reasoning = asObject(item.reasoning);
  const model = modelOf(item);
  const time = toIso(reasoning.endAt) ?? toIso(reasoning.startAt);
  const parts = [
    ...asList(textPart("thinking", asString(reasoning.text))),
    ...textParts(message.content),
    ...toolCalls(message.toolCalls),
  ];
  const results = asArray(item.toolCallStates).flatMap((state) => stateResult(asObject(state)));
  return [
    ...unlessEmpty({ role: "assistant", parts, uid, model, time }),
    ...unlessEmpty({ role: "tool", parts: results, uid: uid && `${uid}:tool` }),
  ];
}

function stateResult(state: JsonObject): Part[] {
  if (!Array.isArray(state.output)) return [];
  const output = state.output.map((each) => asString(asObject(each).content) ?? "").filter((text) => text !== "");
  return [
    defined({
      type: "tool_result" as const,
      id: firstString(state, "toolCallId"),
      name: firstString(asObject(asObject(state.toolCall).function), "name"),
      output: output.join("\n"),
      is_error: state.status === "errored" || state.status === "canceled" ? true : undefined,
    }),
  ];
}

function toolParts(message: JsonObject): Part[] {
  const output = textParts(message.content).flatMap((part) => (part.type === "text" ? [part.text] : []));
  const id = firstString(message, "toolCallId");
  return output.length > 0 ? [defined({ type: "tool_result" as const, id, output: output.join("\n") })] : [];
}
