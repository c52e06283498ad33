/** A session of Kiro's editor: a log of what was said and done, with the facts about the session beside it. */
import { basename, dirname, join } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { contentText, textPart } from "../../../history/building/blocks.ts";
import { chatMessages, parsedInput, userParts } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { allRecords } from "../../../history/forms/document.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { ReadRequest } from "../../../history/source.ts";

export function editorSession(request: ReadRequest): WholeConversation {
  const folder = dirname(request.container.path);
  const facts = asObject(readSideJson(join(folder, "session.json")));
  const [project] = asArray(facts.workspacePaths);
  const names = new Map<string, string>();
  return {
    meta: {
      id: firstString(facts, "id") ?? basename(folder),
      title: titleFrom(asString(facts.title)),
      project: asString(project),
      created: toIso(facts.createdAt),
      updated: toIso(facts.updatedAt),
      model: firstString(facts, "modelId"),
    },
    messages: allRecords(request).flatMap((record) => messagesOf(record, names)),
  };
}

function messagesOf(record: JsonObject, names: Map<string, string>): Message[] {
  const payload = asObject(record.payload);
  const common = { time: toIso(record.timestamp), uid: firstString(record, "id") };
  switch (payload.type) {
    case "user":
      return unlessEmpty({ ...common, role: "user", parts: userParts(payload.content) });
    case "assistant": {
      const kind = payload.operationType === "Reasoning" ? "thinking" : "text";
      return unlessEmpty({ ...common, role: "assistant", parts: asList(textPart(kind, contentText(payload.content))) });
    }
    case "tool_call": {
      const name = firstString(payload, "toolName");
      const id = asString(payload.toolCallId);
      if (name === undefined) return [];
      if (id !== undefined) names.set(id, name);
      const input = parsedInput(payload.arguments ?? payload.args ?? payload.input);
      return unlessEmpty({
        ...common,
        role: "assistant",
        parts: [defined({ type: "tool_call" as const, id, name, input })],
      });
    }
    case "tool_result": {
      const id = asString(payload.toolCallId);
      const name = id === undefined ? undefined : names.get(id);
      const is_error = payload.isError === true || payload.status === "error" ? true : undefined;
      const result = defined({
        type: "tool_result" as const,
        id,
        name,
        output: contentText(payload.content),
        is_error,
      });
      return unlessEmpty({ ...common, role: "tool", parts: [result] });
    }
    default:
      // Older lines of the same file have a role instead of a payload.
      return record.payload === undefined
        ? chatMessages(record).map((message) => defined({ ...message, ...common }))
        : [];
  }
}
