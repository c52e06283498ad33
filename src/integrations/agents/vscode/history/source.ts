/**
 * The chat of VS Code and of editors made from it. A session is a JSON document, or since VS Code 1.109 a log of changes
 * to that document. A session whose folder became a workspace is there twice: the newest counts.
 */
import { basename, dirname, join } from "node:path";
import { asObject, asString, firstString, isObject, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { asList } from "../../../history/building/messages.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { editorUserFolders, folderOfUri, parentFolder } from "../../../history/folders.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { allRecords, documentSource, wholeObject } from "../../../history/forms/document.ts";
import { fileContainer, listDir } from "../../../history/reading/files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { Container, ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { replayed } from "./mutation_log.ts";
import { requestMessages } from "./request.ts";

const ID = "vscode";
const SESSION_FILE = /\.jsonl?$/;

export const vscodeHistory: Source = documentSource({
  id: ID,
  places: (env) =>
    editorUserFolders(env).map((user) => ({
      path: join(user, "workspaceStorage"),
      what: "chats, in <workspace>/chatSessions",
    })),
  discover,
  read(request) {
    const session = documentOf(request);
    return session && [conversation(session, request)];
  },
});

function discover(env: SourceEnv): Container[] {
  const newest = new Map<string, Container>();
  for (const path of editorUserFolders(env).flatMap(sessionFiles)) {
    const container = fileContainer(ID, path);
    if (!container) continue;
    const id = basename(path).replace(SESSION_FILE, "");
    const other = newest.get(id);
    if (!other || isBetter(container, other)) newest.set(id, container);
  }
  return [...newest.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** In one folder the log counts; of copies in two, the newest. */
function isBetter(one: Container, other: Container): boolean {
  if (dirname(one.path) === dirname(other.path)) return one.path.endsWith(".jsonl");
  return one.mtimeMs > other.mtimeMs;
}

function sessionFiles(user: string): string[] {
  const workspaces = join(user, "workspaceStorage");
  const folders = [
    ...listDir(workspaces).map(({ name }) => join(workspaces, name, "chatSessions")),
    join(user, "globalStorage", "emptyWindowChatSessions"),
  ];
  return folders.flatMap((folder) =>
    listDir(folder)
      .filter(({ name }) => SESSION_FILE.test(name))
      .map(({ name }) => join(folder, name)),
  );
}

function documentOf(request: ReadRequest): JsonObject | undefined {
  return request.container.path.endsWith(".jsonl") ? replayed(allRecords(request)) : wholeObject(request);
}

function conversation(session: JsonObject, { container }: ReadRequest): WholeConversation {
  const requests = Array.isArray(session.requests) ? session.requests.filter(isObject) : [];
  return {
    meta: {
      id: firstString(session, "sessionId") ?? basename(container.path).replace(SESSION_FILE, ""),
      title: titleFrom(firstString(session, "customTitle", "computedTitle")),
      project: projectOf(container.path),
      created: toIso(session.creationDate),
      updated: toIso(session.lastMessageDate),
    },
    messages: requests.flatMap((request, position) => requestMessages(request, `request-${position}`)),
  };
}

/** The workspace's folder, or the folder of its workspace file. */
function projectOf(path: string): string | undefined {
  const workspace = asObject(readSideJson(join(dirname(dirname(path)), "workspace.json")));
  const folder = folderOfUri(asString(workspace.folder));
  const [file] = asList(folderOfUri(asString(workspace.workspace) ?? asString(workspace.configuration)));
  return folder ?? (file === undefined ? undefined : parentFolder(file));
}
