/**
 * Cursor keeps conversations in three stores: the editor's database, the chats of its command line agent, and
 * transcripts for its agents. One conversation may be in all three under one id; dex reads it from the richest.
 */
import { basename, dirname, join } from "node:path";
import type { Json } from "../../../../kernel/json.ts";
import { databaseContainer, listDir } from "../../../history/reading/files.ts";
import type { Container, HistoryPlace, ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { agentFolder, projectsFolder, userFolder } from "../integration.ts";
import { chatContainers, isChatStore, readChat } from "./cli.ts";
import { globalState, readGlobalState, readWorkspaceState } from "./ide.ts";
import { readTranscript, transcriptContainers } from "./transcripts.ts";

export const cursorHistory: Source = { id: "cursor", places, discover, read };

function places(env: SourceEnv): HistoryPlace[] {
  return [
    { path: globalState(env), what: "conversations of the editor" },
    {
      path: join(userFolder(env), "workspaceStorage"),
      what: "conversations of old versions, and folders of workspaces",
    },
    { path: join(agentFolder(env), "chats"), what: "chats of cursor-agent" },
    { path: projectsFolder(env), what: "agent transcripts" },
  ];
}

/** The richest store first: a conversation it has is not read from the others. */
function discover(env: SourceEnv): Container[] {
  const workspaces = join(userFolder(env), "workspaceStorage");
  const databases = [globalState(env), ...listDir(workspaces).map(({ name }) => join(workspaces, name, "state.vscdb"))];
  return [
    ...databases.flatMap((path) => databaseContainer(cursorHistory.id, path) ?? []),
    ...chatContainers(env),
    ...transcriptContainers(env),
  ];
}

function read(request: ReadRequest): Json | undefined {
  const { path } = request.container;
  if (isChatStore(path)) return readChat(request);
  if (basename(path) !== "state.vscdb") return readTranscript(request);
  return basename(dirname(path)) === "globalStorage" ? readGlobalState(request) : readWorkspaceState(request);
}
