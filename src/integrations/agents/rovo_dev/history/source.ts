/** Rovo Dev: a folder per session with its metadata and the messages as its model saw them, rewritten at every turn. */
import { basename, dirname, join } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { contentText, textPart } from "../../../history/building/blocks.ts";
import { parsedInput, userParts } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { documentSource, wholeObject, withSideFiles } from "../../../history/forms/document.ts";
import { listDir } from "../../../history/reading/files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { Source } from "../../../history/source.ts";
import { rovoSessions } from "../integration.ts";

const ID = "rovo_dev";

export const rovoDevHistory: Source = documentSource({
  id: ID,
  places: ({ home }) => [{ path: rovoSessions(home), what: "sessions, in <session>/session_context.json" }],
  discover({ home }) {
    const folders = listDir(rovoSessions(home)).map(({ name }) => join(rovoSessions(home), name));
    return folders
      .sort()
      .flatMap((folder) => withSideFiles(ID, join(folder, "session_context.json"), [join(folder, "metadata.json")]));
  },
  read(request) {
    const context = wholeObject(request);
    return context && [conversation(context, dirname(request.container.path))];
  },
});

function conversation(context: JsonObject, folder: string): WholeConversation {
  const meta = asObject(readSideJson(join(folder, "metadata.json")));
  const id = firstString(meta, "session_id") ?? basename(folder);
  const parent = firstString(meta, "parent_session_id", "fork_session_id");
  return {
    meta: {
      id,
      title: titleFrom(asString(meta.title)),
      project: firstString(meta, "workspace_path"),
      created: toIso(meta.created_at),
      updated: toIso(meta.updated_at),
      ...(parent === undefined || parent === id ? {} : { parent, parent_kind: "fork" }),
    },
    messages: asArray(context.message_history).flatMap((message) => messagesOf(asObject(message))),
  };
}

/** A message has parts of several roles: what was typed, the answer, calls, and results. */
function messagesOf(message: JsonObject): Message[] {
  const parts = asArray(message.parts).map(asObject);
  const time =
    toIso(message.created_at) ?? toIso(message.timestamp) ?? toIso(parts.find((part) => part.timestamp)?.timestamp);
  const uid = firstString(message, "id");
  const isAnswer = message.kind === "response" || message.role === "assistant";
  const results = parts.filter((part) => isResult(part)).map(resultOf);
  if (isAnswer) {
    const model = firstString(message, "model_name", "model");
    return [
      ...unlessEmpty({ role: "assistant", time, uid, model, parts: parts.flatMap(answerPart) }),
      ...unlessEmpty({ role: "tool", time, parts: results }),
    ];
  }
  const typed = parts.filter(
    (part) => kindOf(part) === "user-prompt" || (kindOf(part) === "text" && message.role === "user"),
  );
  return [
    ...unlessEmpty({ role: "tool", time, uid: uid && `${uid}:tool`, parts: results }),
    ...unlessEmpty({ role: "user", time, uid, parts: typed.flatMap((part) => userParts(part.content ?? part.text)) }),
  ];
}

/** A retry prompt with a tool's name is what the tool said about a call that it refused. */
function isResult(part: JsonObject): boolean {
  const kind = kindOf(part);
  return (
    /^tool[-_](?:return|result)$/.test(kind) ||
    (kind === "retry-prompt" && firstString(part, "tool_name") !== undefined)
  );
}

function kindOf(part: JsonObject): string {
  return firstString(part, "part_kind", "kind") ?? "";
}

function answerPart(part: JsonObject): Part[] {
  const text = firstString(part, "content", "text");
  switch (kindOf(part)) {
    case "text":
      return asList(textPart("text", text));
    case "thinking":
      return asList(textPart("thinking", text));
    case "tool-call":
    case "tool_use": {
      const name = firstString(part, "tool_name", "name");
      const id = firstString(part, "tool_call_id", "id");
      return name === undefined
        ? []
        : [defined({ type: "tool_call" as const, id, name, input: parsedInput(part.args ?? part.input) })];
    }
    default:
      return [];
  }
}

function resultOf(part: JsonObject): Part {
  return defined({
    type: "tool_result" as const,
    id: firstString(part, "tool_call_id", "tool_use_id"),
    name: firstString(part, "tool_name", "name"),
    output: contentText(part.content),
    is_error: part.is_error === true || kindOf(part) === "retry-prompt" ? true : undefined,
  });
}
