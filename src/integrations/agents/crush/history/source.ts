/** Crush: one database per project, in `.crush` by default; a list in the user's data folder names the projects. */
import { dirname, isAbsolute, join } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asNumber, asObject, asString, firstString, type Json, parseJson } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { attachmentText, textPart } from "../../../history/building/blocks.ts";
import { parsedInput } from "../../../history/building/chat.ts";
import { asList } from "../../../history/building/messages.ts";
import { withSessionUsage } from "../../../history/building/usage.ts";
import { isHousekeeping, titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { databaseSource, hasTables, presentColumns, textColumn, timeColumn } from "../../../history/forms/database.ts";
import { databaseContainer } from "../../../history/reading/files.ts";
import { columnText, type ForeignDatabase, type Row } from "../../../history/reading/sqlite.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { Container, ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { crushProjects } from "../integration.ts";

const ID = "crush";
const DATABASE = "crush.db";
const MAX_PROJECTS = 2000;

export const crushHistory: Source = {
  ...databaseSource({
    id: ID,
    places: (env) => [
      { path: crushProjects(env), what: "the list of projects; sessions in <project>/.crush/crush.db" },
    ],
    discover: (env) => databases(env).flatMap((path) => asList(databaseContainer(ID, path))),
    sessions,
    load,
  }),
  besideCode: ({ path }: Container) => ({ project: projectOf(path), history: path }),
};

function databases(env: SourceEnv): string[] {
  const listed = asArray(asObject(readSideJson(crushProjects(env))).projects).slice(0, MAX_PROJECTS);
  const folders = listed.map(asObject).flatMap((project) => {
    const path = asString(project.path) ?? "";
    const data = asString(project.data_dir) ?? join(path, ".crush");
    if (!isAbsolute(path)) return [];
    return [isAbsolute(data) ? data : join(path, data)];
  });
  const near = env.roots.map((root) => join(root, ".crush"));
  return [...new Set([...folders, ...near].map((folder) => join(folder, DATABASE)))].sort();
}

function projectOf(path: string): string {
  return dirname(dirname(path));
}

function sessions(db: ForeignDatabase): { id: string; mark: string }[] | undefined {
  if (!hasTables(db, "sessions", "messages")) return undefined;
  const rows = db.all(
    `SELECT s.id, s.updated_at, count(m.id) AS messages, max(m.updated_at) AS last, sum(length(m.parts)) AS size
       FROM sessions s JOIN messages m ON m.session_id = s.id GROUP BY s.id ORDER BY s.id`,
  );
  const conversations = rows.filter((row) => !String(row.id).startsWith("title-"));
  return conversations.map((row) => ({
    id: String(row.id),
    mark: `${row.updated_at} ${row.messages} ${row.last} ${row.size}`,
  }));
}

function load(db: ForeignDatabase, id: string, { container }: ReadRequest): WholeConversation | undefined {
  const facts = presentColumns(db, "sessions", ["title", "parent_session_id", "cost", "created_at", "updated_at"]);
  const row = db.get(`SELECT ${facts} FROM sessions WHERE id = ?`, id);
  if (!row) return undefined;
  const parent = textColumn(row, "parent_session_id");
  const columns = presentColumns(db, "messages", ["id", "role", "parts", "model", "created_at", "is_summary_message"]);
  const rows = db.all(`SELECT ${columns} FROM messages WHERE session_id = ? ORDER BY created_at, rowid`, id);
  return {
    meta: {
      id,
      title: titleFrom(textColumn(row, "title")),
      project: projectOf(container.path),
      created: toIso(timeColumn(row, "created_at")),
      updated: toIso(timeColumn(row, "updated_at")),
      ...(parent === undefined ? {} : { parent, parent_kind: "subagent" }),
    },
    messages: withSessionUsage(rows.flatMap(messagesOf), usageOf(db, row, id)),
  };
}

/**
 * The cost of the session without its subagents: Crush adds their costs to that of the session that started them. Its
 * counts of tokens are those of the last request alone, so they say nothing about the session.
 */
function usageOf(db: ForeignDatabase, row: Row, id: string): Usage[] | undefined {
  const cost = Number(row.cost ?? 0);
  if (!(cost > 0)) return undefined;
  const started =
    db.columns("sessions").has("parent_session_id") &&
    db.get("SELECT sum(cost) AS cost FROM sessions WHERE parent_session_id = ? AND id NOT LIKE 'title-%'", id);
  const own = cost - (started ? Number(started.cost ?? 0) : 0);
  return own > 0 ? [defined({ id: requestId(ID, "session", id), cost: own })] : undefined;
}

function messagesOf(row: Row): Message[] {
  const parts = asArray(parseJson(columnText(row.parts))).map(asObject);
  const typed = parts.flatMap((part) => partsOf(asString(part.type), part.data));
  if (typed.length === 0) return [];
  const role = textColumn(row, "role");
  if (role !== "user" && role !== "assistant" && role !== "tool") return [];
  const common = { time: toIso(timeColumn(row, "created_at")), uid: String(row.id) };
  if (row.is_summary_message === 1) return [{ ...common, role: "system", kind: "summary", parts: typed }];
  const model = role === "assistant" ? textColumn(row, "model") : undefined;
  const results = typed.filter((part) => part.type === "tool_result");
  const said = typed.filter((part) => part.type !== "tool_result");
  // A shell command that the user ran is in one message together with its output.
  return [
    ...(said.length > 0 ? [defined<Message>({ ...common, role, parts: said, model })] : []),
    ...(results.length > 0 ? [defined<Message>({ ...common, role: "tool", parts: results })] : []),
  ];
}

function partsOf(type: string | undefined, value: Json | undefined): Part[] {
  const data = asObject(value);
  switch (type) {
    case "text":
      return asList(textPart("text", asString(data.text))).filter(
        (part) => !("text" in part) || !isHousekeeping(part.text),
      );
    case "reasoning":
      return asList(textPart("thinking", asString(data.thinking)));
    case "tool_call": {
      const name = firstString(data, "name");
      return name === undefined
        ? []
        : [defined({ type: "tool_call" as const, id: asString(data.id), name, input: parsedInput(data.input) })];
    }
    case "tool_result":
      return [
        defined({
          type: "tool_result" as const,
          id: asString(data.tool_call_id),
          name: firstString(data, "name"),
          output: asString(data.content) ?? "",
          is_error: data.is_error === true ? true : undefined,
        }),
      ];
    case "shell_command":
      return [
        ...asList(textPart("text", `! ${asString(data.command) ?? ""}`)),
        defined({
          type: "tool_result" as const,
          name: "bash",
          output: asString(data.output) ?? "",
          exit_code: asNumber(data.exit_code),
        }),
      ];
    case "image_url":
    case "binary":
      return [{ type: "text", text: attachmentText({ ...data, type: type ?? "" }) }];
    default:
      return [];
  }
}
