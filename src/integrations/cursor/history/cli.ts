/**
 * cursor-agent's chats: `~/.cursor/chats/<md5 of the folder>/<chat>/store.db`, a store of blobs named by their hash.
 * Messages are JSON; their order is in protobuf nodes that list the hashes of their children, and the metadata names
 * the newest node. Nothing has a time of its own, and equal texts are one blob that is listed twice.
 */
import { basename, dirname, join } from "node:path";
import type { Message, Part, ToolResultPart } from "../../../conversations/model.ts";
import { defined } from "../../../kernel/defined.ts";
import {
  asNumber,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from "../../../kernel/json.ts";
import { toIso } from "../../../kernel/time.ts";
import { blocksOf, contentText, isAttachment, textPart } from "../../history/reading/blocks.ts";
import { databaseContainer, fileContainer, listDir } from "../../history/reading/files.ts";
import { columnText, type ForeignDatabase, withDatabase } from "../../history/reading/sqlite.ts";
import { silent } from "../../history/reading/tail.ts";
import { readSideJson } from "../../history/reading/whole_json.ts";
import { ConversationWriter } from "../../history/reading/writer.ts";
import type { Container, ReadRequest, Sink, SourceEnv } from "../../history/source.ts";
import { agentFolder } from "../integration.ts";
import { modelName } from "./bubbles.ts";
import { composerOf } from "./ide.ts";
import { addressPath, folderOfHash } from "./projects.ts";
import { chatTitle, promptText, promptTime } from "./prompt.ts";

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

/** Hexadecimal JSON. */
function metaOf(db: ForeignDatabase): JsonObject {
  const value = columnText(db.get("SELECT value FROM meta WHERE key = '0'")?.value);
  return asObject(parseJson(/^[0-9a-f]+$/i.test(value) ? Buffer.from(value, "hex").toString("utf8") : value));
}

interface ChatRecord {
  id: string;
  value: JsonObject;
}

const BRACE = 0x7b;

class Blobs {
  /** The folder's address, if the root names it. */
  workspace: string | undefined;
  readonly #db: ForeignDatabase;

  constructor(db: ForeignDatabase) {
    this.#db = db;
  }

  /**
   * Messages below a node, in order. A node is entered once; a message counts again only where the same node lists it
   * again.
   */
  walk(root: string): ChatRecord[] {
    const found: ChatRecord[] = [];
    const listedBy = new Map<string, string>();
    const waiting = [{ id: root, from: "" }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { id, from } = next;
      const data = this.#data(id);
      const isMessage = data?.[0] === BRACE;
      const before = listedBy.get(id);
      if (!data || (before !== undefined && !(isMessage && before === from))) continue;
      listedBy.set(id, from);
      if (isMessage) {
        found.push(...record(id, data));
        continue;
      }
      const { children, workspace } = nodeOf(data);
      this.workspace ??= workspace;
      for (const child of children.reverse()) waiting.push({ id: child, from: id });
    }
    return found;
  }

  inRowOrder(): ChatRecord[] {
    const rows = this.#db.all("SELECT id, data FROM blobs ORDER BY rowid");
    return rows.flatMap((row) => {
      const data = bytesOf(row.data);
      return data?.[0] === BRACE ? record(String(row.id), data) : [];
    });
  }

  #data(id: string): Uint8Array | undefined {
    return bytesOf(this.#db.get("SELECT data FROM blobs WHERE id = ?", id)?.data);
  }
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  return typeof value === "string" ? Buffer.from(value, "utf8") : undefined;
}

function record(id: string, data: Uint8Array): ChatRecord[] {
  const value = parseJson(Buffer.from(data).toString("utf8"));
  return isObject(value) && typeof value.role === "string" ? [{ id, value }] : [];
}

const HASH_BYTES = 32;
const CHILD_FIELDS = [1, 2];
const WORKSPACE_FIELD = 9;

/** The fields of a protobuf message that matter here; a truncated message gives the fields it has. */
function nodeOf(data: Uint8Array): { children: string[]; workspace: string | undefined } {
  const bytes = Buffer.from(data);
  const children: string[] = [];
  let workspace: string | undefined;
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= 128) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    return Number.NaN;
  };
  while (at < bytes.length) {
    const tag = number();
    const field = Math.floor(tag / 8);
    const kind = tag % 8;
    if (kind === 0) number();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else if (kind === 2) {
      const length = number();
      if (!(at + length <= bytes.length)) break;
      const content = bytes.subarray(at, at + length);
      at += length;
      if (CHILD_FIELDS.includes(field) && length === HASH_BYTES) children.push(content.toString("hex"));
      if (field === WORKSPACE_FIELD) workspace ??= addressOf(content.toString("utf8"));
    } else break;
  }
  return { children, workspace };
}

function addressOf(text: string): string | undefined {
  return /^(?:[a-z][a-z0-9+.-]+:\/\/)?\//i.test(text) ? addressPath(text) : undefined;
}

function chatMessages(records: readonly ChatRecord[]): Message[] {
  const names = new Map<string, string>();
  const given = new Set<string>();
  return records.flatMap(({ id, value }): Message[] => {
    const message = chatMessage(value, names);
    if (!message || message.parts.length === 0) return [];
    const first = !given.has(id);
    given.add(id);
    return [defined({ ...message, uid: first ? id : undefined })];
  });
}

const SUMMARY = /^\[?previous conversation summary\]?:/i;

function chatMessage(value: JsonObject, names: Map<string, string>): Message | undefined {
  const blocks = blocksOf(value.content);
  if (value.role === "user") {
    const parts = blocks.flatMap((block): Part[] => {
      if (isAttachment(block)) return [{ type: "text", text: "[image]" }];
      return some(textPart("text", promptText(asString(block.text) ?? "")));
    });
    const text = contentText(value.content);
    if (SUMMARY.test(text.trimStart())) return { role: "system", kind: "summary", parts };
    const time = promptTime(text);
    return { role: "user", ...(time === undefined ? {} : { time }), parts };
  }
  if (value.role === "assistant")
    return { role: "assistant", parts: blocks.flatMap((block) => assistantPart(block, names)) };
  if (value.role !== "tool") return undefined;
  return { role: "tool", parts: blocks.flatMap((block) => toolResult(block, value, names)) };
}

function assistantPart(block: JsonObject, names: Map<string, string>): Part[] {
  if (block.type === "text") return some(textPart("text", asString(block.text)));
  if (block.type === "reasoning") return some(textPart("thinking", asString(block.text)));
  const name = firstString(block, "toolName");
  if (block.type !== "tool-call" || name === undefined) return [];
  const id = firstString(block, "toolCallId");
  if (id !== undefined) names.set(id, name);
  return [defined({ type: "tool_call" as const, id, name, input: block.args ?? block.input ?? {} })];
}

function toolResult(block: JsonObject, value: JsonObject, names: ReadonlyMap<string, string>): ToolResultPart[] {
  if (block.type !== "tool-result") return [];
  const id = firstString(block, "toolCallId");
  const output = contentText(block.result ?? block.output ?? block.experimental_content);
  const exit = exitCode(value, output);
  return [
    defined({
      type: "tool_result" as const,
      id,
      name: firstString(block, "toolName") ?? names.get(id ?? ""),
      output,
      is_error: block.isError === true || (exit !== undefined && exit !== 0) ? true : undefined,
      exit_code: exit,
    }),
  ];
}

/**
 * Cursor stores the result in its own form next to the one the model sees; the latter begins with the exit code too.
 */
function exitCode(value: JsonObject, output: string): number | undefined {
  const cursor = asObject(asObject(value.providerOptions).cursor);
  const outcome = asObject(asObject(cursor.highLevelToolCallResult).output);
  for (const kind of ["success", "failure"]) {
    const exit = asNumber(asObject(outcome[kind]).exitCode);
    if (exit !== undefined) return exit;
  }
  const exitCodeMatch = /^Exit code: (-?\d{1,9})\b/.exec(output);
  return exitCodeMatch ? Number(exitCodeMatch[1]) : undefined;
}

function some<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
