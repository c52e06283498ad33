/**
 * cursor-agent's chats: `~/.cursor/chats/<md5 of the folder>/<chat>/store.db`, and next to it a small description of the
 * chat.
 */
import { basename, dirname, join } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { asNumber, asObject, firstString, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { ConversationWriter } from "../../../history/building/writer.ts";
import { databaseContainer, fileContainer, listDir } from "../../../history/reading/files.ts";
import { withDatabase } from "../../../history/reading/sqlite.ts";
import { silent } from "../../../history/reading/tail.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { Container, ReadRequest, Sink, SourceEnv } from "../../../history/source.ts";
import { agentFolder } from "../integration.ts";
import { Blobs, metaOf } from "./blobs.ts";
import { modelName } from "./bubbles.ts";
import { chatMessages } from "./chat_messages.ts";
import { composerOf } from "./ide.ts";
import { folderOfHash } from "./projects.ts";
import { chatTitle } from "./prompt.ts";

const SOURCE = "cursor";
const STORE = "store.db";

interface Chat {
  meta: JsonObject;
  root: string | undefined;
  workspace: string | undefined;
  messages: Message[];
  blobs: number;
}

export function chatContainers(env: SourceEnv): Container[] {
  const chats = join(agentFolder(env), "chats");
  const folders = listDir(chats).flatMap((project) => chatFolders(join(chats, project.name)));
  return [...folders, ...chatFolders(join(agentFolder(env), "acp-sessions"))].flatMap((folder) => {
    const container = databaseContainer(SOURCE, join(folder, STORE));
    if (!container) return [];
    const side = fileContainer(SOURCE, join(folder, "meta.json"));
    return [side ? { ...container, stamp: `${container.stamp}+${side.stamp}` } : container];
  });
}

function chatFolders(folder: string): string[] {
  return listDir(folder).flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []));
}

export function isChatStore(path: string): boolean {
  return basename(path) === STORE;
}

/** Whether the agent's own store has this conversation: its transcripts contain less. */
export function hasReadableChat(env: SourceEnv, id: string): boolean {
  const chats = join(agentFolder(env), "chats");
  const stores = listDir(chats).map((project) => join(chats, project.name, basename(id), STORE));
  return stores.some((path) => databaseContainer(SOURCE, path) && (load(path, silent)?.messages.length ?? 0) > 0);
}

export function readChat({ container, env, sink, state }: ReadRequest): Json | undefined {
  const folder = dirname(container.path);
  const id = basename(folder);
  // The editor's record of the same chat has times and is read in its place.
  if (composerOf(env, id)?.filled) return undefined;
  const chat = load(container.path, sink);
  if (!chat) return state;
  const side = asObject(readSideJson(join(folder, "meta.json")));
  const read = { root: chat.root ?? null, blobs: chat.blobs, side: JSON.stringify(side) };
  if (JSON.stringify(read) === JSON.stringify(state)) return state;
  if (chat.messages.length === 0 && chat.blobs > 0) sink.malformed(container.path, "has no readable message");
  const writer = new ConversationWriter(sink, {
    id,
    source: SOURCE,
    title: chatTitle(firstString(chat.meta, "name")) ?? chatTitle(firstString(side, "title")),
    project: firstString(side, "cwd") ?? chat.workspace ?? folderOfHash(env, basename(dirname(folder))),
    model: modelName(firstString(chat.meta, "lastUsedModel")),
    created: toIso(asNumber(chat.meta.createdAt)) ?? toIso(asNumber(side.createdAtMs)),
    updated: toIso(asNumber(side.updatedAtMs)) ?? toIso(container.mtimeMs),
  });
  for (const message of chat.messages) {
    writer.message(message);
    if (writer.refused) return undefined;
  }
  writer.close();
  return read;
}

function load(path: string, sink: Pick<Sink, "malformed">): Chat | undefined {
  return withDatabase(path, sink, (db) =>
    db.snapshot((): Chat => {
      if (!db.columns("blobs").has("data"))
        return { meta: {}, root: undefined, workspace: undefined, messages: [], blobs: 0 };
      const meta = db.columns("meta").has("value") ? metaOf(db) : {};
      const root = firstString(meta, "latestRootBlobId");
      const store = new Blobs(db);
      const found = root === undefined ? [] : store.walk(root);
      const records = found.length > 0 ? found : store.inRowOrder();
      const blobs = Number(db.get("SELECT count(*) AS n FROM blobs")?.n ?? 0);
      return { meta, root, workspace: store.workspace, messages: chatMessages(records), blobs };
    }),
  );
}
