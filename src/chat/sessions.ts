/**
 * Chats on disk: a folder each in `DEX_HOME/chat-sessions`, named after its start time. dex finds a folder by listing,
 * never by a path built from typed text.
 */
import { type Dirent, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { DexError, systemCode } from "../kernel/errors.ts";
import { diskError, ensureFolder, writeFileAtomic } from "../kernel/files/atomic_write.ts";
import { parseJson } from "../kernel/json.ts";
import { acquireLock, type Lock } from "../kernel/lock.ts";
import { compareText } from "../kernel/text.ts";

export const chatSchema = z.object({
  id: z.string(),
  /** OpenCode's title, or the first question. */
  summary: z.string(),
  /** The folder in which it was started. */
  project: z.string(),
  started: z.string(),
  ended: z.string().optional(),
  /** Time in the chat, over all its sessions. */
  duration_ms: z.number(),
  model: z.string().optional(),
  tokens: z.object({
    input: z.number(),
    output: z.number(),
    reasoning: z.number(),
    cache_read: z.number(),
    cache_write: z.number(),
  }),
  messages: z.number(),
  /** OpenCode's own session id, used to resume it. */
  session: z.string().optional(),
  /** The last exit status of OpenCode; absent while it runs, and after a kill. */
  exit_status: z.number().optional(),
});

export type Chat = z.infer<typeof chatSchema>;

const FOLDER = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(-\d{1,3})?$/;
const MAX_METADATA_BYTES = 1 << 20;

/** Creates a folder, named after the current second. */
export function createChat(chats: string, now: number): string {
  ensureFolder(chats);
  const name = `${new Date(now).toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
  for (let n = 1; n < 1000; n += 1) {
    const id = n === 1 ? name : `${name}-${n}`;
    try {
      mkdirSync(join(chats, id), { mode: 0o700 });
      return id;
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw diskError(error, join(chats, id));
    }
  }
  throw new DexError("too_many_chats", `${chats} already holds too many chats started in this second.`, {
    hint: "Wait a second, then run the command again.",
  });
}

/** Newest first. */
export function chatIds(chats: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(chats, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
  return entries
    .filter((entry) => entry.isDirectory() && FOLDER.test(entry.name))
    .map((entry) => entry.name)
    .sort((a, b) => compareText(parts(b)[0], parts(a)[0]) || parts(b)[1] - parts(a)[1]);
}

/** The second, and the number of the chat within it. */
function parts(id: string): [string, number] {
  const end = id.indexOf("Z") + 1;
  return [id.slice(0, end), Number(id.slice(end + 1)) || 1];
}

/** Finds a chat by its id or a unique prefix. */
export function findChat(chats: string, typed: string): string {
  const ids = chatIds(chats);
  if (ids.includes(typed)) return typed;
  const matching = typed === "" ? [] : ids.filter((id) => id.startsWith(typed));
  if (matching.length === 1 && matching[0]) return matching[0];
  if (matching.length > 1) {
    const some = matching.slice(0, 5).join(", ");
    throw new DexError("ambiguous_chat", `"${typed}" matches ${matching.length} chats: ${some}.`, {
      hint: "Give more of the id.",
    });
  }
  throw new DexError("no_such_chat", `There is no chat "${typed}".`, {
    hint: "`dex chat list` shows them.",
    exitCode: 1,
  });
}

/** A chat's metadata; only id and time when the metadata cannot be read. */
export function readChat(chats: string, id: string): Chat {
  const path = join(chats, id, "metadata.json");
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const text = size > 0 && size <= MAX_METADATA_BYTES ? readFileSync(path, "utf8") : "";
  const parsed = chatSchema.safeParse(parseJson(text));
  return parsed.success ? { ...parsed.data, id } : emptyChat(id, "");
}

export function emptyChat(id: string, project: string): Chat {
  const started = `${id.slice(0, 10)}T${id.slice(11, 19).replaceAll("-", ":")}.000Z`;
  const tokens = { input: 0, output: 0, reasoning: 0, cache_read: 0, cache_write: 0 };
  return { id, summary: "", project, started, duration_ms: 0, tokens, messages: 0 };
}

export function writeChat(chats: string, chat: Chat): void {
  writeFileAtomic(join(chats, chat.id, "metadata.json"), `${JSON.stringify(chat, null, 2)}\n`);
}

/** The lock is held while OpenCode runs in the chat; undefined when another process holds it. */
export function lockChat(chats: string, id: string): Lock | undefined {
  return acquireLock(join(chats, id, "lock.db"), 0);
}

export function removeChat(chats: string, id: string): void {
  const lock = lockChat(chats, id);
  if (!lock) throw runningError(id);
  lock.release();
  rmSync(join(chats, id), { recursive: true, force: true });
}

export function runningError(id: string): DexError {
  return new DexError("chat_running", `The chat ${id} is open in another terminal.`, { hint: "End it there first." });
}
