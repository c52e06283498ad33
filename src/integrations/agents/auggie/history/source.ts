/** Auggie: one JSON document per session; each exchange is a request with its answer, both split into typed nodes. */
import { basename } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { contentText, textPart } from "../../../history/building/blocks.ts";
import { parsedInput } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { isHousekeeping } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { documentSource, wholeObject } from "../../../history/forms/document.ts";
import { fileContainer, walkFiles } from "../../../history/reading/files.ts";
import type { Source } from "../../../history/source.ts";
import { auggieSessions } from "../integration.ts";

const ID = "auggie";
const NODE = { text: 0, toolResult: 1, image: 2, toolUse: 5, thinking: 8 } as const;

export const auggieHistory: Source = documentSource({
  id: ID,
  places: ({ home }) => [{ path: auggieSessions(home), what: "sessions of Auggie" }],
  discover: ({ home }) =>
    walkFiles(auggieSessions(home), 0, (name) => name.endsWith(".json")).flatMap((path) =>
      asList(fileContainer(ID, path)),
    ),
  read(request) {
    const session = wholeObject(request);
    return session && [conversation(session, basename(request.container.path, ".json"))];
  },
});

function conversation(session: JsonObject, name: string): WholeConversation {
  const names = new Map<string, string>();
  return {
    meta: {
      id: firstString(session, "sessionId") ?? name,
      project: firstString(session, "workspaceRoot"),
      created: toIso(session.created),
      updated: toIso(session.modified),
    },
    messages: asArray(session.chatHistory).flatMap((item) => messagesOf(asObject(item), names)),
  };
}

function messagesOf(item: JsonObject, names: Map<string, string>): Message[] {
  const exchange = asObject(item.exchange);
  const uid = firstString(exchange, "request_id");
  const time = toIso(item.finishedAt);
  const answer = answerParts(exchange, names);
  if (item.isHistorySummary === true) {
    const text = textPart("text", firstString(exchange, "response_text", "request_message"));
    return unlessEmpty({ role: "system", kind: "summary", parts: asList(text), uid, time });
  }
  const requests = asArray(exchange.request_nodes).map(asObject);
  const results = requests.filter((node) => node.type === NODE.toolResult).map((node) => resultOf(node, names));
  return [
    ...unlessEmpty({ role: "tool", parts: results, uid: uid && `${uid}:tool` }),
    ...unlessEmpty({ role: "user", parts: typedParts(exchange, requests), uid }),
    ...unlessEmpty({
      role: "assistant",
      parts: answer,
      uid: uid && `${uid}:answer`,
      time,
      model: firstString(exchange, "model_id"),
    }),
  ];
}

/** The whole request is also there as a text; it is empty in an exchange that only returns results. */
function typedParts(exchange: JsonObject, nodes: readonly JsonObject[]): Part[] {
  const texts = nodes.filter((node) => node.type === NODE.text).map((node) => nodeText(node) ?? "");
  const typed = firstString(exchange, "request_message") ?? texts.join("\n");
  const images = nodes.filter((node) => node.type === NODE.image).map((): Part => ({ type: "text", text: "[image]" }));
  return isHousekeeping(typed) ? images : [...asList(textPart("text", typed)), ...images];
}

function nodeText(node: JsonObject): string | undefined {
  return firstString(asObject(node.text_node), "content") ?? asString(node.content);
}

function answerParts(exchange: JsonObject, names: Map<string, string>): Part[] {
  const nodes = asArray(exchange.response_nodes).map(asObject);
  const parts = nodes.flatMap((node): Part[] => {
    if (node.type === NODE.text) return asList(textPart("text", nodeText(node)));
    if (node.type === NODE.thinking) return asList(textPart("thinking", thinkingText(node)));
    return node.type === NODE.toolUse ? toolCall(asObject(node.tool_use), names) : [];
  });
  if (parts.some((part) => part.type === "text")) return parts;
  return [...asList(textPart("text", asString(exchange.response_text))), ...parts];
}

function thinkingText(node: JsonObject): string | undefined {
  const thinking = asObject(node.thinking);
  return firstString(thinking, "content", "summary", "text") ?? nodeText(node);
}

function toolCall(use: JsonObject, names: Map<string, string>): Part[] {
  const name = firstString(use, "tool_name");
  const id = firstString(use, "tool_use_id");
  if (name === undefined) return [];
  if (id !== undefined) names.set(id, name);
  return [defined({ type: "tool_call" as const, id, name, input: parsedInput(use.input_json) })];
}

function resultOf(node: JsonObject, names: ReadonlyMap<string, string>): Part {
  const result = asObject(node.tool_result_node);
  const id = firstString(result, "tool_use_id");
  const nested = asArray(result.content_nodes).map(
    (each) => firstString(asObject(each), "text_content", "text", "content") ?? "",
  );
  return defined({
    type: "tool_result" as const,
    id,
    name: id === undefined ? undefined : names.get(id),
    output: contentText(result.content) || nested.filter((text) => text !== "").join("\n"),
    is_error: result.is_error === true ? true : undefined,
  });
}
