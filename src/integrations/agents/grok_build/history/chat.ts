/** The messages of Grok Build as its model saw them: today's records by type, and older ones in OpenAI's form. */
import type { Message } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { chatMessages } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";

export function chatHistory(records: readonly JsonObject[]): Message[] {
  const names = new Map<string, string>();
  return records.flatMap((record) => {
    const messages = recordMessages(record, names);
    for (const { parts } of messages) {
      for (const part of parts) if (part.type === "tool_call" && part.id !== undefined) names.set(part.id, part.name);
    }
    return messages;
  });
}

function recordMessages(record: JsonObject, names: ReadonlyMap<string, string>): Message[] {
  if (record.type === "reasoning") {
    const text = asArray(record.summary).map((each) => firstString(asObject(each), "text") ?? "");
    return unlessEmpty({ role: "assistant", parts: asList(textPart("thinking", text.join("\n"))) });
  }
  if (record.type === "backend_tool_call") return serverCall(asObject(record.kind));
  // Instructions of the project are given in the user's name; words typed while the agent worked are the user's own.
  const reason = asString(record.synthetic_reason);
  if (reason !== undefined && reason !== "interjection") return [];
  const role = record.type === "tool_result" ? "tool" : (record.role ?? record.type);
  const model = firstString(record, "model_id");
  return chatMessages({ ...record, role }, (id) => names.get(id)).map((message) => ({
    ...message,
    ...(model !== undefined && message.role === "assistant" ? { model } : {}),
  }));
}

/** A search that the provider ran for the model: its result is not recorded. */
function serverCall(call: JsonObject): Message[] {
  const name = firstString(call, "tool_type");
  if (name === undefined) return [];
  const part = defined({ type: "tool_call" as const, id: asString(call.id), name, input: call.action ?? {} });
  return [{ role: "assistant", parts: [part] }];
}
