/**
 * The tokens of an answer. Each record of an answer repeats its usage, and the output grows while it is streamed: the
 * greatest counts.
 */
import { type Usage, requestId } from "../../../conversations/usage.ts";
import type { Message } from "../../../conversations/model.ts";
import { asObject, firstString, type JsonObject } from "../../../kernel/json.ts";
import { toIso } from "../../../kernel/time.ts";
import { requestUsage } from "../../history/reading/usage.ts";

export function answerUsage(record: JsonObject, message: JsonObject): Usage[] | undefined {
  const recorded = asObject(message.usage);
  const model = firstString(message, "model");
  // Fast mode has its own price.
  const fast = recorded.speed === "fast" && model !== undefined ? { model: `${model}-fast` } : {};
  const answer = firstString(message, "id");
  const id = answer === undefined ? undefined : requestId(answer, firstString(record, "requestId"));
  const time = toIso(record.timestamp);
  return requestUsage(recorded, {}, { ...(id ? { id } : {}), ...(time ? { time } : {}), ...fast });
}

/** Sets the usage, unless the message has one with as much output. */
export function withUsage(message: Message, usage: Usage[] | undefined): Message {
  const output = message.usage?.[0]?.output ?? -1;
  if (usage && (usage[0]?.output ?? 0) > output) message.usage = usage;
  return message;
}
