/** ForgeCode: one database; each conversation is a row with its whole context, which is overwritten at every turn. */
import type { Message, Part } from "../../../../conversations/model.ts";
import type { Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  isObject,
  type JsonObject,
  parseJson,
} from "../../../../kernel/json.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { toolCalls } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { isHousekeeping, titleFrom } from "../../../history/building/wrappers.ts";
import { parentFolder, sharedFolder } from "../../../history/folders.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { databaseSource, hasTables, isoColumn, textColumn } from "../../../history/forms/database.ts";
import { databaseContainer } from "../../../history/reading/files.ts";
import { columnText, type ForeignDatabase } from "../../../history/reading/sqlite.ts";
import type { Source } from "../../../history/source.ts";
import { forgeDatabases } from "../integration.ts";

const ID = "forgecode";

export const forgecodeHistory: Source = databaseSource({
  id: ID,
  places: (env) => forgeDatabases(env).map((path) => ({ path, what: "conversations" })),
  discover: (env) => forgeDatabases(env).flatMap((path) => asList(databaseContainer(ID, path))),
  sessions(db) {
    if (!hasTables(db, "conversations")) return undefined;
    const rows = db.all(
      "SELECT conversation_id, updated_at, length(context) AS size FROM conversations ORDER BY conversation_id",
    );
    return rows.map((row) => ({ id: String(row.conversation_id), mark: `${row.updated_at} ${row.size}` }));
  },
  load,
});

function load(db: ForeignDatabase, id: string): WholeConversation | undefined {
  const row = db.get("SELECT title, context, created_at, updated_at FROM conversations WHERE conversation_id = ?", id);
  const context = row && parseJson(columnText(row.context));
  if (!row || !isObject(context)) return undefined;
  const messages = asArray(context.messages).flatMap((each) => {
    const entry = asObject(each);
    const said = messagesOf(asObject(entry.message));
    const usage = usageOf(asObject(entry.usage));
    const [last, ...before] = [...said].reverse();
    return last && usage ? [...before.reverse(), { ...last, usage }] : said;
  });
  return {
    meta: {
      id,
      title: titleFrom(textColumn(row, "title")),
      project: folderOf(messages),
      created: isoColumn(row, "created_at"),
      updated: isoColumn(row, "updated_at"),
    },
    messages,
  };
}

/** The tokens of a request are with its answer. ForgeCode marks a number as counted or as approximate. */
function usageOf(usage: JsonObject): Usage[] | undefined {
  const counted = (name: string): number | undefined => {
    const count = asObject(usage[name]);
    return asNumber(count.actual) ?? asNumber(count.Actual);
  };
  const counts = defined({
    prompt_tokens: counted("prompt_tokens"),
    completion_tokens: counted("completion_tokens"),
    cached_tokens: counted("cached_tokens"),
  });
  return requestUsage(counts, { inputHasCache: true }, defined({ cost: asNumber(usage.cost) }));
}

/** ForgeCode stores only a hash of the folder: it is the one that all commands and paths of its tools are in. */
function folderOf(messages: readonly Message[]): string | undefined {
  return sharedFolder(
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) => {
        if (part.type !== "tool_call") return [];
        const input = asObject(part.input);
        const path = firstString(input, "path", "file_path");
        return asList(firstString(input, "cwd") ?? (path && parentFolder(path)));
      }),
    ),
  );
}

function messagesOf(message: JsonObject): Message[] {
  if (isObject(message.tool)) return unlessEmpty({ role: "tool", parts: [resultOf(message.tool)] });
  if (message.image !== undefined) return [{ role: "user", parts: [{ type: "text", text: "[image]" }] }];
  const text = asObject(message.text);
  if (text.role === "User") {
    // `raw_content` is what was typed, before the program added to it.
    const typed = rawText(text) ?? asString(text.content) ?? "";
    return text.droppable === true || isHousekeeping(typed)
      ? []
      : unlessEmpty({ role: "user", parts: asList(textPart("text", typed)) });
  }
  if (text.role !== "Assistant") return [];
  const thinking = asArray(text.reasoning_details).flatMap((each) =>
    asList(textPart("thinking", asString(asObject(each).text))),
  );
  const parts = [...thinking, ...asList(textPart("text", asString(text.content))), ...toolCalls(text.tool_calls)];
  return unlessEmpty({ role: "assistant", parts, model: firstString(text, "model") });
}

function rawText(text: JsonObject): string | undefined {
  const raw = text.raw_content;
  return asString(raw) ?? (isObject(raw) ? firstString(raw, "Text", "text") : undefined);
}

function resultOf(tool: JsonObject): Part {
  const output = asObject(tool.output);
  const values = asArray(output.values).map(asObject);
  const texts = values.map((value) => {
    const agent = asObject(value.ai ?? value.aI ?? value.AI);
    return firstString(value, "text") ?? firstString(agent, "value") ?? (value.image === undefined ? "" : "[image]");
  });
  const agent = values.map((value) => firstString(asObject(value.ai ?? value.aI ?? value.AI), "conversation_id"));
  return defined({
    type: "tool_result" as const,
    id: asString(tool.call_id),
    name: firstString(tool, "name"),
    output: texts.filter((text) => text !== "").join("\n"),
    is_error: output.is_error === true ? true : undefined,
    agent: agent.find((id) => id !== undefined),
  });
}
