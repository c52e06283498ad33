/** A conversation of a Claude.ai export. */
import type { Message, Part } from "../../../conversations/model.ts";
import { asArray, asObject, asString, firstString, type Json, type JsonObject } from "../../../kernel/json.ts";
import { toIso } from "../../../kernel/time.ts";
import { assistantParts, resultPart, textPart } from "../building/blocks.ts";
import { branchesOf } from "../building/branch.ts";
import { asList, unlessEmpty } from "../building/messages.ts";
import { conversationOf } from "../forms/conversation.ts";
import { chatMeta, withBranches } from "./chat_branches.ts";
import type { PlainConversation } from "./plain.ts";

const SOURCE = "claude_ai";

export function isClaudeAi(conversation: JsonObject): boolean {
  return Array.isArray(conversation.chat_messages);
}

/** The conversation and its abandoned branches; undefined if it has no id. */
export function claudeAiConversations(conversation: JsonObject): PlainConversation[] | undefined {
  const id = firstString(conversation, "uuid");
  if (id === undefined) return undefined;
  const all = asArray(conversation.chat_messages).map(asObject);
  // Newer exports contain every version of an edited message.
  const nodes = all.map(({ uuid, parent_message_uuid: parent }): JsonObject => {
    return { uuid: uuid ?? null, ...(parent === undefined ? {} : { parent: isNobody(parent) ? null : parent }) };
  });
  const { name: title, created_at: created, updated_at: updated } = conversation;
  const meta = chatMeta(SOURCE, id, { title, created, updated });
  const whole = conversationOf(
    meta,
    branchesOf(nodes, "uuid", "parent"),
    (position) => asString(all[position]?.uuid),
    (positions) => positions.flatMap((position) => messagesOf(all[position] as JsonObject)),
  );
  return withBranches(meta, whole);
}

/** The first message of a conversation, and every other version of it, names a parent of zeros. */
function isNobody(parent: Json): boolean {
  return parent === null || (typeof parent === "string" && /^0{8}-/.test(parent));
}

function messagesOf(message: JsonObject): Message[] {
  const common = { time: toIso(message.created_at), uid: asString(message.uuid) };
  const blocks = asArray(message.content).map(asObject);
  if (message.sender === "human") {
    const texts = blocks.flatMap((block) => asList(textPart("text", asString(block.text))));
    const typed = texts.length > 0 ? texts : asList(textPart("text", asString(message.text)));
    return unlessEmpty({ ...common, role: "user", parts: [...typed, ...attached(message)] });
  }
  if (message.sender !== "assistant") return [];
  const names = new Map<string, string>();
  const parts = blocks.length > 0 ? assistantParts(blocks) : asList(textPart("text", asString(message.text)));
  for (const part of parts) if (part.type === "tool_call" && part.id !== undefined) names.set(part.id, part.name);
  const results = blocks
    .filter((block) => block.type === "tool_result")
    .map((block) => resultPart(block, (id) => names.get(id)));
  return [
    ...unlessEmpty({ ...common, role: "assistant", parts }),
    ...unlessEmpty({ ...common, uid: common.uid && `${common.uid}:tool`, role: "tool", parts: results }),
  ];
}

/** The names of files, not their content. */
function attached(message: JsonObject): Part[] {
  return [...asArray(message.attachments), ...asArray(message.files)].flatMap((each) => {
    const name = firstString(asObject(each), "file_name");
    return asList(name === undefined ? undefined : textPart("text", `[file ${name}]`));
  });
}
