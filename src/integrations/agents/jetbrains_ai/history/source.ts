/**
 * JetBrains AI Assistant: the chats of a project are elements of its workspace file. Of a chat with an agent the file has
 * the prompts only; the work is in a log of events beside it. A chat whose work another agent stored is left out: dex
 * reads that agent.
 */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { asObject, asString, firstString, parseJson } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { documentSource } from "../../../history/forms/document.ts";
import { fileContainer, listDir, statOrUndefined } from "../../../history/reading/files.ts";
import type { Container, ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { Blocks } from "../../junie/history/blocks.ts";
import { jetbrainsFolders } from "../integration.ts";
import { type Chat, chatsIn, workspaceFolders } from "./workspace.ts";

const ID = "jetbrains_ai";
const EVENTS_HEADER = "AUI_EVENTS_V1";
const MAX_FILE_BYTES = 64 << 20;

export const jetbrainsAiHistory: Source = documentSource({
  id: ID,
  places: (env) => jetbrainsFolders(env).map((path) => ({ path, what: "chats, in <product>/workspace/<project>.xml" })),
  discover,
  read: (request) => conversations(request),
});

function discover(env: SourceEnv): Container[] {
  const products = jetbrainsFolders(env).flatMap((root) => listDir(root).map(({ name }) => join(root, name)));
  const files = products.flatMap((product) =>
    listDir(join(product, "workspace"))
      .filter(({ name }) => name.endsWith(".xml"))
      .map(({ name }) => join(product, "workspace", name)),
  );
  return files.sort().flatMap((path) => {
    const container = fileContainer(ID, path);
    if (!container) return [];
    // An agent's events change without the workspace file.
    const events = statOrUndefined(join(productOf(path), "aia-task-history"))?.mtimeMs;
    return [events === undefined ? container : { ...container, stamp: `${container.stamp}+${events}` }];
  });
}

function productOf(path: string): string {
  return dirname(dirname(path));
}

function conversations({ container, env, sink }: ReadRequest): WholeConversation[] {
  const { path } = container;
  if (container.bytes > MAX_FILE_BYTES) {
    sink.malformed(path, `${container.bytes} bytes are too many for a workspace file`);
    return [];
  }
  const chats = chatsIn(readFileSync(path, "utf8"));
  if (chats.length === 0) return [];
  const project = workspaceFolders(productOf(path), env.home).get(basename(path, ".xml"));
  return chats.flatMap((chat) => {
    const history = join(productOf(path), "aia-task-history");
    if (statOrUndefined(join(history, `${chat.id}.agentsession`))) return [];
    return [
      {
        meta: metaOf(chat, project),
        messages: eventMessages(join(history, `${chat.id}.events`)) ?? chatMessages(chat),
      },
    ];
  });
}

function metaOf(chat: Chat, project: string | undefined): WholeConversation["meta"] {
  return {
    id: chat.id,
    title: titleFrom(chat.title),
    project,
    model: chat.model,
    created: toIso(chat.created),
    updated: toIso(chat.modified),
  };
}

function chatMessages(chat: Chat): Message[] {
  return chat.messages.flatMap(({ author, text }) =>
    unlessEmpty({ role: author === "Assistant" ? "assistant" : "user", parts: asList(textPart("text", text)) }),
  );
}

/** One event per line, in base64. Undefined if the chat has no log. */
function eventMessages(path: string): Message[] | undefined {
  const stats = statOrUndefined(path);
  if (!stats?.isFile() || stats.size > MAX_FILE_BYTES) return undefined;
  const [header, ...lines] = readFileSync(path, "utf8").split("\n");
  if (header?.trim() !== EVENTS_HEADER) return undefined;
  const blocks = new Blocks();
  for (const line of lines) {
    const event = asObject(parseJson(Buffer.from(line.trim(), "base64").toString("utf8")));
    const type = asString(event.type) ?? "";
    if (type.endsWith("ChatSessionUserPromptEvent")) blocks.prompt(firstString(event, "prompt"), undefined);
    else if (type.endsWith("ChatSessionMessageBlockEvent")) blocks.update(asObject(event.event), undefined);
  }
  const messages = blocks.messages();
  return messages.length > 0 ? messages : undefined;
}
