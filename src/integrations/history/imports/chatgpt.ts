/** A conversation of a ChatGPT export: a tree of messages, of which the branch to the current node was last shown. */
import type { Message, Part } from "../../../conversations/model.ts";
import { defined } from "../../../kernel/defined.ts";
import {
  asArray,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
} from "../../../kernel/json.ts";
import { toIso } from "../../../kernel/time.ts";
import { contentText, textPart } from "../reading/blocks.ts";
import { present, said } from "../reading/messages.ts";
import { titleFrom } from "../reading/wrappers.ts";
import type { PlainConversation } from "./plain.ts";

const SOURCE = "chatgpt";

export function isChatgpt(conversation: JsonObject): boolean {
  return isObject(conversation.mapping);
}

/** Undefined if it has no id. */
export function chatgptConversation(conversation: JsonObject): PlainConversation | undefined {
  const id = firstString(conversation, "conversation_id", "id");
  if (id === undefined) return undefined;
  const messages = branch(asObject(conversation.mapping), asString(conversation.current_node)).flatMap(messagesOf);
  const model = messages.findLast((message) => message.model !== undefined)?.model;
  return {
    meta: defined({
      id,
      source: SOURCE,
      title: titleFrom(asString(conversation.title)),
      created: toIso(conversation.create_time),
      updated: toIso(conversation.update_time),
      model,
    }),
    messages,
  };
}

/** From the root to the current node; without one, to the last node that has no children. */
function branch(mapping: JsonObject, current: string | undefined): JsonObject[] {
  const leaf = Object.keys(mapping).findLast((key) => asArray(asObject(mapping[key]).children).length === 0);
  const nodes: JsonObject[] = [];
  const seen = new Set<string>();
  let at = current !== undefined && isObject(mapping[current]) ? current : leaf;
  while (at !== undefined && isObject(mapping[at]) && !seen.has(at)) {
    seen.add(at);
    const node = asObject(mapping[at]);
    nodes.push(node);
    at = asString(node.parent);
  }
  return nodes.reverse();
}

function messagesOf(node: JsonObject): Message[] {
  const message = asObject(node.message);
  const metadata = asObject(message.metadata);
  if (metadata.is_visually_hidden_from_conversation === true) return [];
  const author = asObject(message.author);
  const content = asObject(message.content);
  const common = { time: toIso(message.create_time), uid: asString(message.id) };
  switch (author.role) {
    case "user":
      if (content.content_type === "user_editable_context") return [];
      return said({ ...common, role: "user", parts: textsOf(content) });
    case "assistant":
      return said({
        ...common,
        role: "assistant",
        model: firstString(metadata, "model_slug"),
        parts: answerParts(message, content),
      });
    case "tool": {
      const result = defined({ type: "tool_result" as const, name: asString(author.name), output: plainText(content) });
      return result.output === "" ? [] : said({ ...common, role: "tool", parts: [result] });
    }
    default:
      return [];
  }
}

/** A text addressed to a tool is a call of it. */
function answerParts(message: JsonObject, content: JsonObject): Part[] {
  const recipient = asString(message.recipient);
  if (content.content_type === "thoughts") {
    const thoughts = asArray(content.thoughts).map((each) => firstString(asObject(each), "content", "summary") ?? "");
    return present(textPart("thinking", thoughts.join("\n")));
  }
  if (content.content_type === "reasoning_recap") return [];
  if (recipient !== undefined && recipient !== "all") {
    return [{ type: "tool_call", name: recipient, input: { text: plainText(content) } }];
  }
  return textsOf(content);
}

function textsOf(content: JsonObject): Part[] {
  const parts = asArray(content.parts);
  if (parts.length === 0) return present(textPart("text", plainText(content)));
  return parts.flatMap((part) => present(textPart("text", partText(part))));
}

function partText(part: Json): string {
  if (typeof part === "string") return part;
  return isObject(part) && asString(part.content_type)?.includes("image") ? "[image]" : contentText(part);
}

function plainText(content: JsonObject): string {
  const parts = asArray(content.parts).map(partText);
  const text = firstString(content, "text", "result") ?? parts.filter((each) => each !== "").join("\n");
  return [firstString(content, "title", "url"), text].filter(Boolean).join("\n");
}
