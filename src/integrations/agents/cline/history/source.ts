/**
 * Cline, its forks Roo and Kilo (before it left Cline's format), and the Cline CLI.
 *
 * A task is a folder of JSON documents that are rewritten at every turn. The model's history is the conversation. The
 * displayed messages give the times, and replace that history if it is missing.
 */
import { basename, dirname, join } from "node:path";
import type { ConversationMeta, Message } from "../../../../conversations/model.ts";
import { asArray, asObject, asString, firstString, isObject, type Json } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { ConversationWriter } from "../../../history/building/writer.ts";
import { fileContainer, listDir } from "../../../history/reading/files.ts";
import { readSideJson, readWholeJson } from "../../../history/reading/whole_json.ts";
import type { Container, HistoryPlace, ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { clinePlaces } from "../integration.ts";
import { folderInPrompt, historyMessages } from "./api_history.ts";
import { customStorages } from "./custom_storage.ts";
import { taskMeta } from "./task.ts";
import { requestsOf, timesFromUi, uiMessages, withRequests } from "./ui.ts";
import { wordsOf } from "./user.ts";

export const clineHistory: Source = { id: "cline", places, discover, read };

const HISTORY = "api_conversation_history.json";
const SHOWN = "ui_messages.json";
/** The name that the first versions gave it. */
const FORMERLY_SHOWN = "claude_messages.json";
const MESSAGES = ".messages.json";

function places(env: SourceEnv): HistoryPlace[] {
  const { storages, sessions, tasks } = clinePlaces(env);
  return [
    ...storages.map((path) => ({ path, what: "Cline, Roo and Kilo tasks, in <extension>/tasks" })),
    { path: sessions, what: "Cline CLI sessions" },
    ...tasks.map((path) => ({ path, what: "tasks of the command lines of Cline and Roo" })),
  ];
}

function discover(env: SourceEnv): Container[] {
  const { storages, sessions, tasks } = clinePlaces(env);
  const custom = storages.flatMap((storage) => customStorages(dirname(storage)));
  const extensions = [...storages.flatMap(folders), ...custom].map((extension) => join(extension, "tasks"));
  const found = [...extensions, ...tasks].flatMap((folder) =>
    folders(folder).flatMap((task) => taskContainer(task) ?? []),
  );
  // A task copied from one editor to another is one conversation: dex reads the copy that was used last.
  const newest = new Map<string, Container>();
  for (const container of found) {
    const id = basename(dirname(container.path));
    const other = newest.get(id);
    if (!other || container.mtimeMs > other.mtimeMs) newest.set(id, container);
  }
  return [...newest.values(), ...folders(sessions).flatMap(sessionContainers)];
}

function folders(path: string): string[] {
  const entries = listDir(path).filter((entry) => entry.isDirectory());
  return entries.map((entry) => join(path, entry.name)).sort();
}

function taskContainer(folder: string): Container | undefined {
  const [main] = [HISTORY, SHOWN, FORMERLY_SHOWN].flatMap((name) => container(join(folder, name)) ?? []);
  return (
    main &&
    withSides(
      main,
      [SHOWN, FORMERLY_SHOWN, "task_metadata.json", "history_item.json"].map((name) => join(folder, name)),
    )
  );
}

/** The session's messages and those of its subagents are in the same folder. */
function sessionContainers(folder: string): Container[] {
  const manifest = join(folder, `${basename(folder)}.json`);
  const names = listDir(folder).map((entry) => entry.name);
  return names
    .filter((name) => name.endsWith(MESSAGES))
    .sort()
    .flatMap((name) => {
      const main = container(join(folder, name));
      return main ? withSides(main, [manifest]) : [];
    });
}

function container(path: string): Container | undefined {
  return fileContainer(clineHistory.id, path);
}

function withSides(main: Container, sides: readonly string[]): Container {
  const others = sides.filter((path) => path !== main.path).flatMap((path) => container(path) ?? []);
  return {
    ...main,
    stamp: [main, ...others].map((each) => each.stamp).join("+"),
    bytes: [main, ...others].reduce((sum, each) => sum + each.bytes, 0),
    mtimeMs: Math.max(main.mtimeMs, ...others.map((each) => each.mtimeMs)),
  };
}

function read(request: ReadRequest): Json | undefined {
  const { path, stamp } = request.container;
  if (asObject(request.state).stamp === stamp) return request.state;
  const main = readWholeJson(path, request.sink);
  if (main.kind === "torn") return request.state;
  if (main.kind !== "read") return { stamp };
  const list = isObject(main.value) ? main.value.messages : main.value;
  if (!Array.isArray(list)) {
    request.sink.malformed(path, "holds no list of messages");
    return { stamp };
  }
  if (path.endsWith(MESSAGES))
    return write(
      request,
      sessionMeta(path, asObject(main.value)),
      historyMessages(list, () => undefined),
    );
  return readTask(request, list);
}

function readTask(request: ReadRequest, list: Json[]): Json | undefined {
  const folder = dirname(request.container.path);
  const id = basename(folder);
  const meta: ConversationMeta = { id, source: clineHistory.id, ...taskMeta(folder, id) };
  if (basename(request.container.path) !== HISTORY) {
    const displayed = list.map(asObject);
    return write(request, meta, withRequests([...uiMessages(displayed)], requestsOf(displayed, id)));
  }
  const [side] = [SHOWN, FORMERLY_SHOWN].flatMap((name) => container(join(folder, name)) ?? []);
  const shown = readWholeJson(side?.path ?? join(folder, SHOWN), request.sink);
  const ui = asArray(shown.kind === "read" ? shown.value : undefined).map(asObject);
  meta.project ??= folderInPrompt(list);
  return write(request, meta, withRequests([...historyMessages(list, timesFromUi(ui, list))], requestsOf(ui, id)));
}

function write(request: ReadRequest, meta: ConversationMeta, messages: Iterable<Message>): Json | undefined {
  const writer = new ConversationWriter(request.sink, meta);
  let model = meta.model;
  for (const message of messages) {
    model = message.model ?? model;
    writer.message(message);
    if (writer.refused) return undefined;
  }
  writer.close({ model });
  return { stamp: request.container.stamp };
}

function sessionMeta(path: string, document: { [key: string]: Json | undefined }): ConversationMeta {
  const session = basename(dirname(path));
  const manifest = asObject(readSideJson(join(dirname(path), `${session}.json`)));
  const known = asObject(manifest.metadata);
  const name = basename(path, MESSAGES);
  const origin = asObject(document.origin);
  const common = {
    source: clineHistory.id,
    project: firstString(manifest, "cwd", "workspace_root"),
    branch: firstString(asObject(known.git), "branch"),
    model: firstString(manifest, "model"),
  };
  if (name === session) {
    const title = firstString(known, "title") ?? wordsOf(asString(manifest.prompt) ?? "")[0];
    const times = { created: toIso(manifest.started_at), updated: toIso(document.updated_at) };
    return { ...common, ...times, id: session, title: titleFrom(title) };
  }
  return {
    ...common,
    id: `${session}__${name}`,
    title: titleFrom(firstString(origin, "subagent") ?? firstString(document, "agent")),
    parent: firstString(origin, "parentThreadId") ?? session,
    parent_kind: "subagent",
  };
}
