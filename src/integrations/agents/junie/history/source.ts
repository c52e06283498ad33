/** Junie: a folder per session with a log of events, and a list of sessions with their projects and names. */
import { basename, dirname, join } from "node:path";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { asList } from "../../../history/building/messages.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { stripBlocks, titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { allRecords, documentSource } from "../../../history/forms/document.ts";
import { fileContainer, walkFiles } from "../../../history/reading/files.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { silent } from "../../../history/reading/tail.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { ReadRequest, Source } from "../../../history/source.ts";
import { junieSessions } from "../integration.ts";
import { Blocks } from "./blocks.ts";

const ID = "junie";

export const junieHistory: Source = documentSource({
  id: ID,
  places: (env) => [{ path: junieSessions(env), what: "sessions, in <session>/events.jsonl" }],
  discover: (env) =>
    walkFiles(junieSessions(env), 1, (name) => name === "events.jsonl").flatMap((path) =>
      asList(fileContainer(ID, path)),
    ),
  read: (request) => [conversation(request)],
});

function conversation(request: ReadRequest): WholeConversation {
  const folder = dirname(request.container.path);
  const id = basename(folder);
  const listed = listedSession(dirname(folder), id);
  const blocks = new Blocks();
  for (const record of allRecords(request)) readEvent(blocks, record, id);
  // A run without a terminal has no prompt event: its state holds the task.
  const task = blocks.hasPrompt ? undefined : stripBlocks(taskOf(folder) ?? "", ["additional_context"]);
  return {
    meta: {
      id,
      title: titleFrom(asString(listed.taskName)),
      project: firstString(listed, "projectDir") ?? blocks.folder,
      created: toIso(listed.createdAt),
      updated: toIso(listed.updatedAt),
    },
    messages: blocks.messages(task),
  };
}

function readEvent(blocks: Blocks, record: JsonObject, session: string): void {
  const time = toIso(record.timestampMs);
  if (record.kind === "UserPromptEvent") blocks.prompt(firstString(record, "presentablePrompt", "prompt"), time);
  if (record.kind !== "SessionA2uxEvent") return;
  const event = asObject(asObject(record.event).agentEvent);
  blocks.update(event, time);
  if (event.kind === "LlmResponseMetadataEvent") blocks.use(usageOf(event, session, time));
}

/** A response may name several models. Its `cost` has no unit: Junie shows it in the one of the account. */
function usageOf(event: JsonObject, session: string, time: string | undefined): Usage[] {
  return asArray(event.modelUsage).flatMap((each, index) => {
    const counts = asObject(each);
    const id = time === undefined ? undefined : requestId(ID, session, time, String(index));
    return requestUsage(counts, {}, defined({ id, time, model: firstString(counts, "model") })) ?? [];
  });
}

/** The last line of a session counts. */
function listedSession(sessions: string, id: string): JsonObject {
  const index = join(sessions, "index.jsonl");
  if (!fileContainer(ID, index)) return {};
  let found: JsonObject = {};
  for (const { value } of readRecords(index, { sink: silent })) if (value.sessionId === id) found = value;
  return found;
}

function taskOf(folder: string): string | undefined {
  const state = asObject(readSideJson(join(folder, "state.json")));
  return firstString(state, "issueDescription", "task") ?? firstString(asObject(state.issue), "description");
}
