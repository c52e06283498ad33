/** Conversations in the databases of Cursor's workspaces: the folder of each, and the full text of very old ones. */
import { join } from "node:path";
import {
  asArray,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { databaseContainer, listDir, stampedCache } from "../../../history/reading/files.ts";
import { columnText, type ForeignDatabase, withDatabase } from "../../../history/reading/sqlite.ts";
import { silent } from "../../../history/reading/tail.ts";
import { workspaceFolder } from "./projects.ts";

export interface Membership {
  folder?: string;
  title?: string;
  branch?: string;
}

interface OldChat {
  id: string;
  title: string | undefined;
  times: { created?: string; updated?: string };
  bubbles: Json[];
  data: JsonObject;
}

const membershipCache = stampedCache<ReadonlyMap<string, Membership>>();

/** Conversations by id, over all workspaces; the first workspace that has one keeps it. */
export function memberships(user: string): ReadonlyMap<string, Membership> {
  const storage = join(user, "workspaceStorage");
  const found = new Map<string, Membership>();
  for (const { name } of listDir(storage)) {
    const container = databaseContainer("cursor", join(storage, name, "state.vscdb"));
    if (!container) continue;
    const inside = membershipCache(container.path, container.stamp, () => {
      const folder = workspaceFolder(user, name);
      return withDatabase(container.path, silent, (db) => db.snapshot(() => members(db, folder))) ?? new Map();
    });
    for (const [id, membership] of inside) if (!found.has(id)) found.set(id, membership);
  }
  return found;
}

function members(db: ForeignDatabase, folder: string | undefined): Map<string, Membership> {
  const found = new Map<string, Membership>();
  const list = item(db, "composer.composerData");
  for (const composer of asArray(list.allComposers).map(asObject)) {
    const id = firstString(composer, "composerId");
    if (id === undefined) continue;
    const branch = firstString(composer, "createdOnBranch", "committedToBranch");
    found.set(id, { folder, title: firstString(composer, "name"), branch });
  }
  const open = [...asArray(list.selectedComposerIds), ...asArray(list.lastFocusedComposerIds)];
  for (const id of [...open.flatMap((each) => asString(each) ?? []), ...panes(db)]) {
    if (!found.has(id)) found.set(id, { folder });
  }
  return found;
}

/** The keys of their state name the conversations of the open tabs. */
function panes(db: ForeignDatabase): string[] {
  if (!hasItems(db)) return [];
  const rows = db.all(
    "SELECT value FROM ItemTable WHERE key >= 'workbench.panel.composerChatViewPane' AND key < 'workbench.panel.composerChatViewPanf'",
  );
  return rows.flatMap((row) =>
    Object.keys(asObject(parseJson(columnText(row.value)))).flatMap((key) => {
      const id = /^workbench\.panel\.aichat\.view\.([0-9a-f-]{36})$/.exec(key)?.[1];
      return id ?? [];
    }),
  );
}

/** Tabs of the chat before the composer, and composers that still store their conversation in the workspace. */
export function oldChats(db: ForeignDatabase): { chats: OldChat[]; malformed: string | undefined } {
  const chats: OldChat[] = [];
  const data = item(db, CHATS);
  for (const tab of asArray(data.tabs).map(asObject)) {
    const id = firstString(tab, "tabId");
    if (id === undefined) continue;
    const updated = toIso(tab.lastSendTime);
    chats.push({
      id,
      title: firstString(tab, "chatTitle"),
      times: { updated },
      bubbles: asArray(tab.bubbles),
      data: tab,
    });
  }
  for (const composer of asArray(item(db, "composer.composerData").allComposers).map(asObject)) {
    const id = firstString(composer, "composerId");
    const bubbles = asArray(composer.conversation);
    if (id === undefined || bubbles.length === 0) continue;
    const times = { created: toIso(composer.createdAt), updated: toIso(composer.lastUpdatedAt) };
    chats.push({ id, title: firstString(composer, "name"), times, bubbles, data: composer });
  }
  return { chats, malformed: unreadable(db) ? `${CHATS} is not a JSON object` : undefined };
}

const CHATS = "workbench.panel.aichat.view.aichat.chatdata";

function unreadable(db: ForeignDatabase): boolean {
  const value = raw(db, CHATS);
  return value !== "" && !isObject(parseJson(value));
}

/** A value of the table of settings and states. */
export function item(db: ForeignDatabase, key: string): JsonObject {
  return asObject(parseJson(raw(db, key)));
}

function raw(db: ForeignDatabase, key: string): string {
  return hasItems(db) ? columnText(db.get("SELECT value FROM ItemTable WHERE key = ?", key)?.value) : "";
}

function hasItems(db: ForeignDatabase): boolean {
  return db.columns("ItemTable").has("value");
}
