/** Lingma: a database per editor; each row of a session is a prompt with the summary of its answer. */
import { join } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { asObject, firstString, parseJson } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { isHousekeeping } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { databaseSource, hasTables, textColumn, timeColumn } from "../../../history/forms/database.ts";
import { databaseContainer, listDir } from "../../../history/reading/files.ts";
import type { ForeignDatabase, Row } from "../../../history/reading/sqlite.ts";
import type { Source, SourceEnv } from "../../../history/source.ts";
import { lingmaHome } from "../integration.ts";

const ID = "lingma";
/** Below the folder of each editor: `vscode`, `jetbrains`, … */
const DATABASE = join("sharedClientCache", "cache", "db", "local.db");

export const lingmaHistory: Source = databaseSource({
  id: ID,
  places: (env) => [{ path: lingmaHome(env), what: `chats, in <editor>/${DATABASE}` }],
  discover: (env) => databases(env).flatMap((path) => asList(databaseContainer(ID, path))),
  sessions(db) {
    if (!hasTables(db, "chat_record")) return undefined;
    const rows = db.all(
      `SELECT session_id, count(*) AS rows, max(gmt_create) AS last, sum(length(summary)) AS size FROM chat_record
         GROUP BY session_id ORDER BY session_id`,
    );
    return rows.map((row) => ({ id: String(row.session_id), mark: `${row.rows} ${row.last} ${row.size}` }));
  },
  load,
});

function databases(env: SourceEnv): string[] {
  const editors = listDir(lingmaHome(env)).map(({ name }) => name);
  return [DATABASE, ...editors.sort().map((editor) => join(editor, DATABASE))].map((path) =>
    join(lingmaHome(env), path),
  );
}

function load(db: ForeignDatabase, id: string): WholeConversation {
  const rows = db.all(
    `SELECT request_id, chat_prompt, summary, error_result, gmt_create, extra FROM chat_record WHERE session_id = ?
       ORDER BY gmt_create, rowid`,
    id,
  );
  return { meta: { id }, messages: rows.flatMap(rowMessages) };
}

function rowMessages(row: Row): Message[] {
  const time = toIso(timeColumn(row, "gmt_create"));
  const uid = textColumn(row, "request_id");
  const typed = textColumn(row, "chat_prompt") ?? "";
  const model = firstString(asObject(parseJson(textColumn(row, "extra") ?? "")), "model");
  const failure = firstString(asObject(parseJson(textColumn(row, "error_result") ?? "")), "message");
  const answer = textPart("text", textColumn(row, "summary") ?? failure);
  return [
    ...(isHousekeeping(typed) ? [] : unlessEmpty({ role: "user", time, uid, parts: asList(textPart("text", typed)) })),
    ...unlessEmpty({ role: "assistant", time, uid: uid && `${uid}:answer`, model, parts: asList(answer) }),
  ];
}
