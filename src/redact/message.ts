/** A message without its secrets. What has none comes back as the object it was. */
import type { Message, Part } from "../conversations/model.ts";
import { redactJson, redactText } from "./redact.ts";

export function redactMessage(message: Message): { message: Message; count: number } {
  let count = 0;
  const parts = message.parts.map((part) => {
    const clean = redactPart(part);
    count += clean.count;
    return clean.part;
  });
  return { message: count === 0 ? message : { ...message, parts }, count };
}

function redactPart(part: Part): { part: Part; count: number } {
  if (part.type === "tool_call") {
    const { value, count } = redactJson(part.input);
    return { part: count === 0 ? part : { ...part, input: value }, count };
  }
  const { text, count } = redactText(part.type === "tool_result" ? part.output : part.text);
  if (count === 0) return { part, count };
  return { part: part.type === "tool_result" ? { ...part, output: text } : { ...part, text }, count };
}
