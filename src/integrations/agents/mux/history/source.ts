/**
 * Mux: a folder per workspace with a log of messages, and the message that is being written in a file of its own.
 * Subagents have folders below. A tool call is repeated when its result is there: the last one counts.
 */
import { basename, dirname, join } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { requestId } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, isObject, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { contentText, textPart } from "../../../history/building/blocks.ts";
import { userParts } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { allRecords, documentSource, withSideFiles } from "../../../history/forms/document.ts";
import { walkFiles } from "../../../history/reading/files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { ReadRequest, Source } from "../../../history/source.ts";
import { muxSessions } from "../integration.ts";

const ID = "mux";
const SUBAGENTS = "subagent-transcripts";

export const muxHistory: Source = documentSource({
  id: ID,
  places: (env) => [{ path: muxSessions(env), what: "chats, in <workspace>/chat.jsonl" }],
  discover: (env) =>
    walkFiles(muxSessions(env), 3, (name) => name === "chat.jsonl").flatMap((path) =>
      withSideFiles(ID, path, [join(dirname(path), "partial.json"), join(dirname(path), "metadata.json")]),
    ),
  read: (request) => [conversation(request)],
});

function conversation(request: ReadRequest): WholeConversation {
  const folder = dirname(request.container.path);
  const facts = asObject(readSideJson(join(folder, "metadata.json")));
  const above = dirname(folder);
  const parent = basename(above) === SUBAGENTS ? basename(dirname(above)) : undefined;
  return {
    meta: {
      id: basename(folder),
      title: titleFrom(firstString(facts, "title", "name")),
      project: firstString(facts, "projectPath"),
      updated: toIso(facts.updatedAt),
      model: firstString(facts, "model"),
      ...(parent === undefined ? {} : { parent, parent_kind: "subagent" }),
    },
    messages: messagesOf(withPartial(allRecords(request), readSideJson(join(folder, "partial.json")))),
  };
}

/** The message that is being written replaces the row of its sequence number if it has more parts. */
function withPartial(rows: readonly JsonObject[], partial: unknown): JsonObject[] {
  if (!isObject(partial)) return [...rows];
  const sequence = asObject(partial.metadata).historySequence;
  const at = rows.findIndex((row) => asObject(row.metadata).historySequence === sequence);
  if (at < 0) return [...rows, partial];
  const longer = asArray(partial.parts).length > asArray(rows[at]?.parts).length;
  return longer ? rows.with(at, partial) : [...rows];
}

function messagesOf(rows: readonly JsonObject[]): Message[] {
  const finished = new Map<string, JsonObject>();
  const lastRow = new Map<string, number>();
  for (const [position, row] of rows.entries()) {
    for (const part of asArray(row.parts).map(asObject)) {
      const id = asString(part.toolCallId);
      if (id === undefined) continue;
      if (!lastRow.has(id)) lastRow.set(id, position);
      finished.set(id, part);
    }
  }
  return rows.flatMap((row, position) =>
    rowMessages(row, (id) => (lastRow.get(id) === position ? finished.get(id) : undefined)),
  );
}

function rowMessages(row: JsonObject, callOf: (id: string) => JsonObject | undefined): Message[] {
  const facts = asObject(row.metadata);
  const common = { time: toIso(row.createdAt) ?? toIso(facts.timestamp), uid: firstString(row, "id") };
  const parts = asArray(row.parts).map(asObject);
  if (row.role === "user") return unlessEmpty({ ...common, role: "user", parts: userParts(row.parts) });
  if (row.role !== "assistant") return [];
  const calls = parts.flatMap((part) => {
    const id = asString(part.toolCallId);
    const call = part.type === "dynamic-tool" && id !== undefined ? callOf(id) : undefined;
    return call ? [call] : [];
  });
  return [
    ...unlessEmpty({
      ...common,
      role: "assistant",
      model: firstString(facts, "model"),
      usage: requestUsage(facts.usage, {}, defined({ id: requestId(common.uid, common.time) })),
      parts: parts.flatMap((part) => answerPart(part, callOf)),
    }),
    ...unlessEmpty({
      ...common,
      uid: common.uid && `${common.uid}:tool`,
      role: "tool",
      parts: calls.flatMap(resultOf),
    }),
  ];
}

function answerPart(part: JsonObject, callOf: (id: string) => JsonObject | undefined): Part[] {
  if (part.type === "text") return asList(textPart("text", asString(part.text)));
  if (part.type === "reasoning") return asList(textPart("thinking", asString(part.text)));
  const id = asString(part.toolCallId);
  const name = firstString(part, "toolName");
  if (part.type !== "dynamic-tool" || name === undefined || id === undefined || !callOf(id)) return [];
  return [{ type: "tool_call", id, name, input: part.input ?? {} }];
}

function resultOf(call: JsonObject): Part[] {
  if (call.state !== "output-available" && call.state !== "output-error") return [];
  const output = call.output ?? call.errorText;
  return [
    defined({
      type: "tool_result" as const,
      id: asString(call.toolCallId),
      name: firstString(call, "toolName"),
      output: output === undefined ? "" : contentText(output),
      is_error: call.state === "output-error" ? true : undefined,
    }),
  ];
}
