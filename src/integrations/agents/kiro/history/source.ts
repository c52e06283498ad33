/**
 * Kiro. Its command line writes a log per session, with a document of facts beside it, and a database for runs without a
 * terminal; its editor writes a folder per session.
 */
import { basename, dirname, join } from "node:path";
import type { Json } from "../../../../kernel/json.ts";
import { asList } from "../../../history/building/messages.ts";
import { databaseSource } from "../../../history/forms/database.ts";
import { documentSource, withSideFiles } from "../../../history/forms/document.ts";
import { databaseContainer, listDir } from "../../../history/reading/files.ts";
import type { Container, HistoryPlace, ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { kiroDatabase, kiroEditorStorages, kiroSessions } from "../integration.ts";
import { chatFile, chatFiles, isChatFile } from "./chat_files.ts";
import { cliSession } from "./cli.ts";
import { conversationDatabase } from "./database.ts";
import { editorSession } from "./editor.ts";
import { olderSession, olderSessions } from "./older_editor.ts";

const ID = "kiro";
const CLI = "cli";
const OLDER_SESSIONS = "workspace-sessions";

const form = { id: ID, places, discover };
const stored = databaseSource({ ...form, ...conversationDatabase });
const files = documentSource({
  ...form,
  read(request) {
    const { path } = request.container;
    if (path.endsWith(".json")) return olderSession(request);
    if (isChatFile(path)) return chatFile(request, join(dirname(dirname(path)), OLDER_SESSIONS));
    return [isCli(path) ? cliSession(request) : editorSession(request)];
  },
});

export const kiroHistory: Source = { ...form, read };

function places(env: SourceEnv): HistoryPlace[] {
  return [
    { path: kiroSessions(env), what: "sessions of the command line in cli/, of the editor in <workspace>/" },
    { path: kiroDatabase(env), what: "sessions without a terminal, and older ones" },
    ...kiroEditorStorages(env).map((path) => ({ path, what: "sessions of the editor before version 1" })),
  ];
}

function discover(env: SourceEnv): Container[] {
  const root = kiroSessions(env);
  const entries = listDir(root).map(({ name }) => name);
  const cli = listDir(join(root, CLI))
    .filter(({ name }) => name.endsWith(".jsonl"))
    .map(({ name }) => join(root, CLI, name));
  const editor = entries
    .filter((name) => name !== CLI)
    .flatMap((workspace) =>
      listDir(join(root, workspace)).map(({ name }) => join(root, workspace, name, "messages.jsonl")),
    );
  return [
    ...cli.sort().flatMap((path) => withSideFiles(ID, path, [path.replace(/\.jsonl$/, ".json")])),
    ...editor.sort().flatMap((path) => withSideFiles(ID, path, [join(dirname(path), "session.json")])),
    ...asList(databaseContainer(ID, kiroDatabase(env))),
    ...kiroEditorStorages(env).flatMap((storage) => [
      ...olderSessions(ID, join(storage, OLDER_SESSIONS)),
      ...chatFiles(ID, storage),
    ]),
  ];
}

function isCli(path: string): boolean {
  return basename(dirname(path)) === CLI;
}

function read(request: ReadRequest): Json | undefined {
  return (request.container.path.endsWith(".sqlite3") ? stored : files).read(request);
}
