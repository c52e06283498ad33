/** The parts of a workspace file of JetBrains that hold chats, and the list of projects that names their folders. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Parser } from "htmlparser2";
import { statOrUndefined } from "../../../history/reading/files.ts";

export interface Chat {
  id: string;
  title: string | undefined;
  model: string | undefined;
  created: number | undefined;
  modified: number | undefined;
  messages: { author: string | undefined; text: string | undefined }[];
}

const COMPONENT = "ChatSessionStateTemp";
const CHAT = "SerializedChat";
const MESSAGE = "SerializedChatMessage";
const MAX_LIST_BYTES = 16 << 20;

/** Most workspace files have no chat: they are not parsed. */
export function chatsIn(xml: string): Chat[] {
  if (!xml.includes(COMPONENT)) return [];
  const chats: Chat[] = [];
  let chat: Chat | undefined;
  let message: Chat["messages"][number] | undefined;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === CHAT) {
          chat = { id: "", title: undefined, model: undefined, created: undefined, modified: undefined, messages: [] };
          chats.push(chat);
        } else if (name === MESSAGE && chat) {
          message = { author: undefined, text: undefined };
          chat.messages.push(message);
        }
        if (name === "option" && chat) setOption(chat, message, attributes.name ?? "", attributes.value);
      },
      onclosetag(name) {
        if (name === MESSAGE) message = undefined;
        if (name === CHAT) chat = undefined;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return chats.filter(({ id }) => id !== "");
}

function setOption(
  chat: Chat,
  message: Chat["messages"][number] | undefined,
  name: string,
  value: string | undefined,
): void {
  if (value === undefined) return;
  if (message) {
    if (name === "author") message.author = value;
    if (name === "displayContent" || (name === "internalContent" && message.text === undefined)) message.text = value;
    return;
  }
  if (name === "uid") chat.id = value;
  if (name === "chatModelId") chat.model = value;
  if (name === "modifiedAt") chat.modified = Number(value);
  if (name === "startTime" || name === "startedAt") chat.created = Number(value);
  if (name === "title" || name === "text") chat.title ??= value;
}

/** The folder of each workspace id. */
export function workspaceFolders(product: string, home: string): ReadonlyMap<string, string> {
  const path = join(product, "options", "recentProjects.xml");
  const folders = new Map<string, string>();
  const stats = statOrUndefined(path);
  if (!stats?.isFile() || stats.size > MAX_LIST_BYTES) return folders;
  let folder: string | undefined;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === "entry" && attributes.key !== undefined) folder = attributes.key.replace("$USER_HOME$", home);
        const id =
          attributes.projectWorkspaceId ?? (attributes.name === "projectWorkspaceId" ? attributes.value : undefined);
        if (id !== undefined && folder !== undefined) folders.set(id, folder);
      },
    },
    { xmlMode: true },
  );
  parser.end(readFileSync(path, "utf8"));
  return folders;
}
