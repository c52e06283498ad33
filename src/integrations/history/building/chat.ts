/** Messages in OpenAI's chat form, which many agents store: `content`, `tool_calls`, `tool_call_id`. */
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
  parseJson,
} from "../../../kernel/json.ts";
import { attachmentText, blocksOf, contentText, isAttachment, textPart } from "./blocks.ts";
import { asList, unlessEmpty } from "./messages.ts";
import { isHousekeeping } from "./wrappers.ts";

/** A message of role user, assistant or tool; none for any other role and for one without content. */
export function chatMessages(
  record: JsonObject,
  nameOf: (id: string) => string | undefined = () => undefined,
): Message[] {
  switch (record.role) {
    case "user":
    case "human":
      return unlessEmpty({ role: "user", parts: userParts(record.content) });
    case "assistant":
    case "model":
      return unlessEmpty({ role: "assistant", parts: answerParts(record) });
    case "tool":
      return unlessEmpty({ role: "tool", parts: chatResult(record, nameOf) });
    default:
      return [];
  }
}

function answerParts(record: JsonObject): Part[] {
  return [
    ...asList(textPart("thinking", thinkingText(record))),
    ...textParts(record.content),
    ...toolCalls(record.tool_calls),
  ];
}

export function userParts(content: Json | undefined): Part[] {
  return textParts(content).filter((part) => part.type !== "text" || !isHousekeeping(part.text));
}

/** The text of a content that is a string or blocks; attachments become a placeholder. */
export function textParts(content: Json | undefined): Part[] {
  return blocksOf(content).flatMap((block) => {
    if (isAttachment(block)) return [{ type: "text" as const, text: attachmentText(block) }];
    return asList(textPart("text", asString(block.text)));
  });
}

function thinkingText(record: JsonObject): string | undefined {
  return firstString(record, "reasoning_content", "reasoning", "thinking");
}

export function toolCalls(calls: Json | undefined): Part[] {
  return asArray(calls).flatMap((each) => {
    const call = asObject(each);
    const called = isObject(call.function) ? call.function : call;
    const name = firstString(called, "name");
    if (name === undefined) return [];
    const id = firstString(call, "id", "call_id");
    return [defined({ type: "tool_call" as const, id, name, input: parsedInput(called.arguments ?? called.args) })];
  });
}

/** Arguments are JSON in a string; ones that do not parse are kept as they are. */
export function parsedInput(value: Json | undefined): Json {
  if (typeof value !== "string") return value ?? {};
  return parseJson(value) ?? value;
}

function chatResult(record: JsonObject, nameOf: (id: string) => string | undefined): Part[] {
  const id = firstString(record, "tool_call_id");
  const result = defined({
    type: "tool_result" as const,
    id,
    name: firstString(record, "name", "tool_name") ?? (id === undefined ? undefined : nameOf(id)),
    output: contentText(record.content),
    is_error: record.is_error === true ? true : undefined,
  });
  return id === undefined && result.output === "" ? [] : [result];
}
