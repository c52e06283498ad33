/** Messages of Goose, from rows of its database or lines of its older files. Results come in messages of the user. */
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { contentText, textPart } from "../../../history/building/blocks.ts";
import { userParts } from "../../../history/building/chat.ts";
import { asList } from "../../../history/building/messages.ts";

interface GooseRecord {
  id: string | undefined;
  role: string | undefined;
  created: Json | undefined;
  content: Json | undefined;
  metadata: JsonObject;
}

export function gooseMessages(records: readonly GooseRecord[]): Message[] {
  const names = new Map<string, string>();
  return records.flatMap((record) => messagesOf(record, names));
}

function messagesOf({ id, role, created, content, metadata }: GooseRecord, names: Map<string, string>): Message[] {
  const blocks = asArray(content).map(asObject);
  const common = { time: toIso(created), uid: id };
  const summary = metadata.userVisible === false;
  if (role === "assistant") {
    const parts = blocks.flatMap((block) => answerParts(block, names));
    const model = firstString(asObject(metadata.inference), "resolvedModel", "requestedModel");
    return parts.length > 0 ? [defined({ ...common, role: "assistant", parts, model })] : [];
  }
  const results = blocks.flatMap((block) => resultParts(block, names));
  const said = userParts(content);
  return [
    ...(results.length > 0 ? [defined<Message>({ ...common, role: "tool", parts: results })] : []),
    ...(said.length > 0
      ? [
          defined<Message>({
            ...common,
            ...(summary ? { role: "system", kind: "summary" } : { role: "user" }),
            parts: said,
          }),
        ]
      : []),
  ];
}

function answerParts(block: JsonObject, names: Map<string, string>): Part[] {
  if (block.type === "text") return asList(textPart("text", asString(block.text)));
  if (block.type === "thinking") return asList(textPart("thinking", asString(block.thinking)));
  if (block.type !== "toolRequest" && block.type !== "frontendToolRequest") return [];
  const call = asObject(asObject(block.toolCall).value);
  const name = firstString(call, "name");
  const id = asString(block.id);
  if (name === undefined) return [];
  if (id !== undefined) names.set(id, name);
  return [defined({ type: "tool_call" as const, id, name, input: call.arguments ?? {} })];
}

/** The value of a result is a list of blocks, or an object that holds one; an error is a string. */
function resultParts(block: JsonObject, names: Map<string, string>): Part[] {
  if (block.type !== "toolResponse") return [];
  const result = asObject(block.toolResult);
  const value = result.value;
  const id = asString(block.id);
  const is_error = result.status === "error" || asObject(value).isError === true ? true : undefined;
  const output = result.status === "error" ? contentText(result.error) : contentText(asObject(value).content ?? value);
  return [defined({ type: "tool_result" as const, id, name: names.get(id ?? ""), output, is_error })];
}
