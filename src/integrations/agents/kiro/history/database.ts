/**
 * The database of Kiro's command line and of Amazon Q's: each conversation is a JSON document by folder. The same file
 * has the user's credentials in other tables, which dex never reads.
 */
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asArray,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { isHousekeeping } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { textColumn, timeColumn } from "../../../history/forms/database.ts";
import { columnText, type ForeignDatabase } from "../../../history/reading/sqlite.ts";
import { exitCode, resultText } from "./cli.ts";

/** Which of the two tables a conversation is in, and its key there. */
const TABLES = { conversations_v2: "conversation_id", conversations: "key" } as const;
type Table = keyof typeof TABLES;

export const conversationDatabase = { sessions, load };

function sessions(db: ForeignDatabase): { id: string; mark: string }[] | undefined {
  const tables = (Object.keys(TABLES) as Table[]).filter((table) => db.columns(table).has("value"));
  if (tables.length === 0) return undefined;
  return tables.flatMap((table) => {
    const updated = db.columns(table).has("updated_at") ? "updated_at" : "0";
    const rows = db.all(
      `SELECT ${TABLES[table]} AS id, ${updated} AS updated, length(value) AS size FROM ${table} ORDER BY 1`,
    );
    return rows.map((row) => ({ id: `${table}:${row.id}`, mark: `${row.updated} ${row.size}` }));
  });
}

function load(db: ForeignDatabase, listed: string): WholeConversation | undefined {
  const table = (Object.keys(TABLES) as Table[]).find((each) => listed.startsWith(`${each}:`));
  if (table === undefined) return undefined;
  const row = db.get(`SELECT * FROM ${table} WHERE ${TABLES[table]} = ?`, listed.slice(table.length + 1));
  const document = row && parseJson(columnText(row.value));
  if (!row || !isObject(document)) return undefined;
  const folder = textColumn(row, "key");
  return {
    meta: {
      id: firstString(document, "conversation_id") ?? folder ?? listed,
      project: folder,
      created: toIso(timeColumn(row, "created_at")),
      updated: toIso(timeColumn(row, "updated_at")),
      model: firstString(asObject(document.model_info), "model_id") ?? asString(document.model),
    },
    messages: asArray(document.history).flatMap((turn) => turnMessages(asObject(turn))),
  };
}

function turnMessages(turn: JsonObject): Message[] {
  const user = asObject(turn.user);
  const request = asObject(turn.request_metadata);
  const model = firstString(request, "model_id");
  const time = toIso(user.timestamp);
  const answer = asObject(turn.assistant);
  const said_at = toIso(request.stream_end_timestamp_ms) ?? toIso(answer.timestamp);
  return [
    ...userMessages(user, time),
    ...unlessEmpty({ role: "assistant", time: said_at, parts: answerParts(answer), uid: messageId(answer), model }),
  ];
}

function userMessages(user: JsonObject, time: string | undefined): Message[] {
  const content = asObject(user.content);
  const results = asObject(content.ToolUseResults ?? content.CancelledToolUses);
  const typed = firstString(asObject(content.Prompt), "prompt") ?? firstString(results, "prompt") ?? "";
  const parts = asArray(results.tool_use_results).map((result) => resultOf(asObject(result)));
  return [
    ...unlessEmpty({ role: "tool", time, parts }),
    ...unlessEmpty({
      role: "user",
      time,
      parts: [
        ...(isHousekeeping(typed) ? [] : asList(textPart("text", typed))),
        ...asArray(user.images).map((): Part => ({ type: "text", text: "[image]" })),
      ],
    }),
  ];
}

function messageId(answer: JsonObject): string | undefined {
  return firstString(asObject(answer.Response ?? answer.ToolUse), "message_id");
}

function answerParts(answer: JsonObject): Part[] {
  const given = asObject(answer.Response ?? answer.ToolUse);
  const calls = asArray(given.tool_uses).flatMap((each): Part[] => {
    const use = asObject(each);
    const name = firstString(use, "name", "orig_name");
    return name === undefined
      ? []
      : [defined({ type: "tool_call" as const, id: asString(use.id), name, input: use.args ?? {} })];
  });
  return [...asList(textPart("text", asString(given.content))), ...calls];
}

function resultOf(result: JsonObject): Part {
  const contents = asArray(result.content).map((each): Json | undefined => asObject(each).Text ?? asObject(each).Json);
  const status = asString(result.status);
  return defined({
    type: "tool_result" as const,
    id: asString(result.tool_use_id),
    output: contents
      .map(resultText)
      .filter((text) => text !== "")
      .join("\n"),
    is_error: status !== undefined && status.toLowerCase() !== "success" ? true : undefined,
    exit_code: contents.map(exitCode).find((code) => code !== undefined),
  });
}
