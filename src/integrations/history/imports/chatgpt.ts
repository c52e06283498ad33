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
import { contentText, textPart } from "../building/blocks.ts";
import { type Branches, branchesByParents } from "../building/branch.ts";
import { asList, unlessEmpty } from "../building/messages.ts";
import { conversationOf } from "../forms/conversation.ts";
import { chatMeta, withBranches } from "./chat_branches.ts";
import type { PlainConversation } from "./plain.ts";

const SOURCE = "chatgpt";

export function isChatgpt(conversation: JsonObject): boolean {
  return isObject(conversation.mapping);
}

/** The conversation and its abandoned branches; undefined if it has no id. */
export function chatgptConversations(conversation: JsonObject): PlainConversation[] | undefined {
  const id = firstString(conversation, "conversation_id", "id");
  if (id === undefined) return undefined;
  const { keys, nodes, tree } = treeOf(asObject(conversation.mapping), asString(conversation.current_node));
  const { title, create_time: created, update_time: updated } = conversation;
  const meta = chatMeta(SOURCE, id, { title, created, updated });
  const whole = conversationOf(
    meta,
    tree,
    (position) => keys[position],
    (positions) => positions.flatMap((position) => messagesOf(nodes[position] as JsonObject)),
  );
  const model = whole.messages.findLast((message) => message.model !== undefined)?.model;
  return withBranches(defined({ ...meta, model }), whole);
}

/** Parents before their children, and the branch to the current node last: it is the one that was last shown. */
function treeOf(
  mapping: JsonObject,
  current: string | undefined,
): { keys: string[]; nodes: JsonObject[]; tree: Branches } {
  const shown = new Set<string>();
  for (let at = current; at !== undefined && !shown.has(at); at = asString(asObject(mapping[at]).parent)) shown.add(at);
  const children = new Map<string, string[]>();
  const roots: string[] = [];
  for (const key of Object.keys(mapping)) {
    const parent = asString(asObject(mapping[key]).parent);
    const siblings = parent !== undefined && isObject(mapping[parent]) ? (children.get(parent) ?? []) : roots;
    siblings.push(key);
    if (siblings !== roots && parent !== undefined) children.set(parent, siblings);
  }
  const places = new Map<string, number>();
  const parents: number[] = [];
  // Taken from the end: the branch that was shown must be the first one in.
  const ordered = (among: readonly string[]): string[] =>
    among.toSorted((a, b) => Number(shown.has(a)) - Number(shown.has(b))).reverse();
  const waiting = ordered(roots);
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (places.has(key)) continue;
    parents.push(places.get(asString(asObject(mapping[key]).parent) ?? "") ?? -1);
    places.set(key, places.size);
    waiting.push(...ordered(children.get(key) ?? []));
  }
  const keys = [...places.keys()];
  return { keys, nodes: keys.map((key) => asObject(mapping[key])), tree: branchesByParents(parents) };
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
      return unlessEmpty({ ...common, role: "user", parts: textsOf(content) });
    case "assistant":
      return unlessEmpty({
        ...common,
        role: "assistant",
        model: firstString(metadata, "model_slug"),
        parts: answerParts(message, content),
      });
    case "tool": {
      const result = defined({ type: "tool_result" as const, name: asString(author.name), output: plainText(content) });
      return result.output === "" ? [] : unlessEmpty({ ...common, role: "tool", parts: [result] });
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
    return asList(textPart("thinking", thoughts.join("\n")));
  }
  if (content.content_type === "reasoning_recap") return [];
  if (recipient !== undefined && recipient !== "all") {
    return [{ type: "tool_call", name: recipient, input: { text: plainText(content) } }];
  }
  return textsOf(content);
}

function textsOf(content: JsonObject): Part[] {
  const parts = asArray(content.parts);
  if (parts.length === 0) return asList(textPart("text", plainText(content)));
  return parts.flatMap((part) => asList(textPart("text", partText(part))));
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
