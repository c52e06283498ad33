/**
 * Grok Build: a folder per session. `updates.jsonl` has every update with its time; `chat_history.jsonl`, without times,
 * has the messages as the model saw them, and is all that older sessions have.
 */
import { basename, dirname, join } from "node:path";
import { asObject, asString, firstString } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { allRecords, documentSource, withSideFiles } from "../../../history/forms/document.ts";
import { isPresent, listDir } from "../../../history/reading/files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { Container, ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { grokSessions } from "../integration.ts";
import { chatHistory } from "./chat.ts";
import { updateMessages } from "./updates.ts";

const ID = "grok_build";
const UPDATES = "updates.jsonl";

export const grokBuildHistory: Source = documentSource({
  id: ID,
  places: (env) => [{ path: grokSessions(env), what: "sessions, in <folder>/<session>" }],
  discover,
  read: (request) => [conversation(request)],
});

function discover(env: SourceEnv): Container[] {
  const root = grokSessions(env);
  const sessions = listDir(root)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => listDir(join(root, name)).map((entry) => join(root, name, entry.name)));
  return sessions.sort().flatMap((folder) => {
    const summary = [join(folder, "summary.json")];
    const updates = withSideFiles(ID, join(folder, UPDATES), summary);
    return updates.length > 0 ? updates : withSideFiles(ID, join(folder, "chat_history.jsonl"), summary);
  });
}

function conversation(request: ReadRequest): WholeConversation {
  const { path } = request.container;
  const folder = dirname(path);
  const summary = asObject(readSideJson(join(folder, "summary.json")));
  const info = asObject(summary.info);
  const id = firstString(info, "id") ?? basename(folder);
  const isSubagent = asString(summary.session_kind)?.startsWith("subagent") ?? false;
  const parent = firstString(summary, "parent_session_id") ?? (isSubagent ? startedBy(folder, id) : undefined);
  const records = allRecords(request);
  return {
    meta: {
      id,
      title: titleFrom(firstString(summary, "generated_title", "session_summary")),
      project: firstString(info, "cwd") ?? folderOf(basename(dirname(folder))),
      branch: firstString(summary, "head_branch"),
      created: toIso(summary.created_at),
      updated: toIso(summary.updated_at),
      model: firstString(summary, "current_model_id"),
      ...(parent === undefined || parent === id ? {} : { parent, parent_kind: isSubagent ? "subagent" : "fork" }),
    },
    messages: basename(path) === UPDATES ? updateMessages(records) : chatHistory(records),
  };
}

/** A session keeps a folder for each subagent it started, which is a session beside it. */
function startedBy(folder: string, id: string): string | undefined {
  const sessions = dirname(folder);
  return listDir(sessions)
    .map(({ name }) => name)
    .find((name) => name !== basename(folder) && isPresent(join(sessions, name, "subagents", id)));
}

/** Sessions are in a folder named after the encoded path of the project. */
function folderOf(name: string): string | undefined {
  try {
    const path = decodeURIComponent(name);
    return path.startsWith("/") ? path : undefined;
  } catch {
    return undefined;
  }
}
