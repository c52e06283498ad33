/** Letta Code: a folder per conversation with pi's entries, or in older versions with bare messages. */
import { basename, dirname, join } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { asObject, asString, firstString, isObject, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { branchesOf } from "../../../history/building/branch.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { conversationOf, type WholeConversation } from "../../../history/forms/conversation.ts";
import { allRecords, documentSource, withSideFiles } from "../../../history/forms/document.ts";
import { listDir } from "../../../history/reading/files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { ReadRequest, Source } from "../../../history/source.ts";
import { entryMessages } from "../../pi/history/entry.ts";
import { lettaConversations } from "../integration.ts";

const ID = "letta";

export const lettaHistory: Source = documentSource({
  id: ID,
  places: (env) => [{ path: lettaConversations(env), what: "conversations of the local backend" }],
  discover(env) {
    const folders = listDir(lettaConversations(env)).map(({ name }) => join(lettaConversations(env), name));
    return folders
      .sort()
      .flatMap((folder) => withSideFiles(ID, join(folder, "messages.jsonl"), [join(folder, "conversation.json")]));
  },
  read: (request) => [conversation(request)],
});

function conversation(request: ReadRequest): WholeConversation {
  const folder = dirname(request.container.path);
  const facts = asObject(readSideJson(join(folder, "conversation.json")));
  const records = allRecords(request);
  const header = records.find((record) => record.type === "session") ?? {};
  const entries = records.filter((record) => record.type !== "session").map(asEntry);
  return conversationOf(
    {
      id: firstString(facts, "id") ?? basename(folder),
      title: titleFrom(firstString(facts, "title", "summary", "name")),
      project: firstString(header, "cwd") ?? firstString(facts, "cwd", "working_directory"),
      created: toIso(facts.created_at) ?? toIso(header.timestamp),
      updated: toIso(facts.updated_at),
    },
    branchesOf(entries, "id", "parentId"),
    (position) => asString(entries[position]?.id),
    (positions) => latest(positions.map((position) => entries[position] as JsonObject)),
  );
}

function asEntry(record: JsonObject): JsonObject {
  return isObject(record.message) || record.role === undefined ? record : { type: "message", message: record };
}

/** A later entry with the id of an earlier message replaces it. */
function latest(entries: readonly JsonObject[]): Message[] {
  const slots: Message[][] = [];
  const places = new Map<string, number>();
  for (const entry of entries) {
    const id = asString(asObject(entry.message).id);
    const at = id === undefined ? undefined : places.get(id);
    const messages = entryMessages(entry);
    if (at !== undefined) slots[at] = messages;
    else {
      if (id !== undefined) places.set(id, slots.length);
      slots.push(messages);
    }
  }
  return slots.flat();
}
