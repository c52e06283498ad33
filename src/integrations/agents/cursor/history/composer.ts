/** One conversation of Cursor's editor, assembled from its row, its bubbles, and the records that name its folder. */
import { basename } from "node:path";
import type { ConversationMeta, Message } from "../../../../conversations/model.ts";
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
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { columnText, type ForeignDatabase } from "../../../history/reading/sqlite.ts";
import type { SourceEnv } from "../../../history/source.ts";
import { userFolder } from "../integration.ts";
import { bubbleMessages, bubbleModel, modelName } from "./bubbles.ts";
import { addressPath, folderOfFiles, uriPath, workspaceFolder } from "./projects.ts";
import { chatTitle } from "./prompt.ts";
import { type BubbleText, revertedTurns } from "./reverted.ts";
import { item, type Membership, memberships } from "./workspaces.ts";

const SOURCE = "cursor";

export interface Composer {
  id: string;
  /** Changes with every message. */
  hash: string;
  /** True if there is at least one bubble or an embedded conversation. */
  filled: boolean;
  title: string | undefined;
  created: string | undefined;
  updated: string | undefined;
  /** Conversations of its subagents. */
  children: string[];
}

export interface LoadedComposer extends Pick<WholeConversation, "abandoned" | "rejoined"> {
  meta: ConversationMeta;
  messages: Message[];
  /** Records that could not be read. */
  malformed: string[];
}

export class ComposerReader {
  readonly #db: ForeignDatabase;
  readonly #env: SourceEnv;
  readonly #parents = new Map<string, string>();
  readonly #headers: ReadonlySet<string>;
  #memberships: ReadonlyMap<string, Membership> | undefined;
  #listed: ReadonlyMap<string, JsonObject> | undefined;

  constructor(db: ForeignDatabase, env: SourceEnv, list: readonly Composer[]) {
    this.#db = db;
    this.#env = env;
    for (const composer of list) for (const child of composer.children) this.#parents.set(child, composer.id);
    this.#headers = db.snapshot(() => db.columns("composerHeaders"));
  }

  load(composer: Composer): LoadedComposer {
    const malformed: string[] = [];
    const data = this.#value(`composerData:${composer.id}`);
    if (!data) {
      return {
        meta: { id: composer.id, source: SOURCE },
        messages: [],
        malformed: [`composer ${composer.id} is not a JSON object`],
      };
    }
    const { listed: bubbles, others } = this.#bubbles(composer.id, data, malformed);
    const texts = bubbles.map(textOf);
    return {
      meta: this.#meta(
        composer,
        data,
        bubbles.map(({ bubble }) => bubble),
      ),
      messages: texts.flatMap(({ messages }) => messages),
      malformed,
      ...revertedTurns(texts, others.map(textOf)),
    };
  }

  /** Reads the bubbles with a header in the order of the conversation; bubbles of reverted turns have no header. */
  #bubbles(composer: string, data: JsonObject, malformed: string[]): { listed: Bubble[]; others: Bubble[] } {
    const headers = asArray(data.fullConversationHeadersOnly).filter(isObject);
    const tools = olderTools(data);
    if (headers.length === 0) return { listed: inline(asArray(data.conversation), tools), others: [] };
    const rows = this.#db.all(
      "SELECT substr(key, ?) AS id, value FROM cursorDiskKV WHERE key >= ? AND key < ? AND value IS NOT NULL",
      `bubbleId:${composer}:`.length + 1,
      `bubbleId:${composer}:`,
      `bubbleId:${composer};`,
    );
    const values = new Map(rows.map((row) => [String(row.id), row.value]));
    const inside = asObject(data.conversationMap);
    const listed = headers.flatMap((header): Bubble[] => {
      const id = firstString(header, "bubbleId") ?? "";
      const value = values.get(id);
      values.delete(id);
      const bubble = value === undefined ? inside[id] : parseJson(columnText(value));
      if (isObject(bubble)) return [{ id, bubble, header, tool: tools.get(id) }];
      if (value !== undefined && bubble !== null) malformed.push(`bubble ${id} is not a JSON object`);
      return [];
    });
    const others = [...values].flatMap(([id, value]): Bubble[] => {
      const bubble = parseJson(columnText(value));
      return isObject(bubble) ? [{ id, bubble, tool: tools.get(id) }] : [];
    });
    return { listed, others };
  }

  #meta(composer: Composer, data: JsonObject, bubbles: readonly JsonObject[]): ConversationMeta {
    const head = this.#head(composer.id);
    const member = this.#membership(composer.id, data, head);
    const parent =
      firstString(asObject(data.subagentInfo ?? head.subagentInfo), "parentComposerId") ??
      this.#parents.get(composer.id);
    const models = bubbles.flatMap((bubble) => bubbleModel(bubble) ?? []);
    return {
      id: composer.id,
      source: SOURCE,
      title: composer.title ?? chatTitle(firstString(head, "name")) ?? chatTitle(member?.title),
      project: workspacePath(data) ?? workspacePath(head) ?? member?.folder ?? this.#placeOf(data, bubbles),
      branch: branchOf(data) ?? branchOf(head) ?? member?.branch,
      model: modelName(firstString(asObject(data.modelConfig), "modelName")) ?? models.at(-1),
      created: composer.created,
      updated: composer.updated,
      ...(parent && parent !== composer.id ? { parent, parent_kind: "subagent" as const } : {}),
    };
  }

  /** The list in Cursor's sidebar: a table in newer versions, before that one value. */
  #head(id: string): JsonObject {
    const row = this.#headers.has("composerId") && this.#headers.has("value") ? this.#headRow(id) : undefined;
    if (row) return row;
    this.#listed ??= new Map(
      asArray(item(this.#db, "composer.composerHeaders").allComposers).map((head) => {
        const object = asObject(head);
        return [firstString(object, "composerId") ?? "", object];
      }),
    );
    return this.#listed.get(id) ?? {};
  }

  #headRow(id: string): JsonObject | undefined {
    const workspace = this.#headers.has("workspaceId") ? "workspaceId" : "NULL AS workspaceId";
    const row = this.#db.get(`SELECT value, ${workspace} FROM composerHeaders WHERE composerId = ?`, id);
    if (!row) return undefined;
    const head = asObject(parseJson(columnText(row.value)));
    const hash = asString(row.workspaceId);
    return hash && !isObject(head.workspaceIdentifier) ? { ...head, workspaceIdentifier: { id: hash } } : head;
  }

  /** Read from the workspaces' own databases only if the conversation itself does not name its folder. */
  #membership(id: string, data: JsonObject, head: JsonObject): Membership | undefined {
    if (workspacePath(data) ?? workspacePath(head)) return undefined;
    const user = userFolder(this.#env);
    for (const owner of [data, head]) {
      const hash = firstString(asObject(owner.workspaceIdentifier), "id");
      const folder = hash && basename(hash) === hash ? workspaceFolder(user, hash) : undefined;
      if (folder !== undefined) return { folder };
    }
    this.#memberships ??= memberships(user);
    return this.#memberships.get(id);
  }

  #placeOf(data: JsonObject, bubbles: readonly JsonObject[]): string | undefined {
    for (const bubble of bubbles) {
      const folder =
        addressPath(firstString(bubble, "workspaceProjectDir")) ??
        addressPath(asString(asArray(bubble.workspaceUris)[0]));
      if (folder !== undefined) return folder;
    }
    const context = asObject(data.context);
    const opened = asArray(context.folderSelections).flatMap((selection) => uriPath(asObject(selection).uri) ?? []);
    if (opened[0] !== undefined) return opened[0];
    const selected = asArray(context.fileSelections).flatMap((selection) => uriPath(asObject(selection).uri) ?? []);
    const edited = Object.keys(asObject(data.codeBlockData)).flatMap((address) => addressPath(address) ?? []);
    return folderOfFiles(this.#env, selected.length > 0 ? selected : edited);
  }

  #value(key: string): JsonObject | undefined {
    const value = parseJson(columnText(this.#db.get("SELECT value FROM cursorDiskKV WHERE key = ?", key)?.value));
    return isObject(value) ? value : undefined;
  }
}

interface Bubble {
  id: string | undefined;
  bubble: JsonObject;
  header?: JsonObject;
  tool?: JsonObject;
}

function textOf({ id, bubble, header, tool }: Bubble): BubbleText {
  return { id, messages: bubbleMessages(bubble, { id, header, tool }) };
}

export function inlineMessages(bubbles: readonly Json[], data: JsonObject): Message[] {
  return inline(bubbles, olderTools(data)).flatMap(({ bubble, id, tool }) => bubbleMessages(bubble, { id, tool }));
}

/** The conversation inside its own record, as old versions stored it. */
function inline(bubbles: readonly Json[], tools: ReadonlyMap<string, JsonObject>): Bubble[] {
  return bubbles.filter(isObject).map((bubble) => {
    const id = firstString(bubble, "bubbleId", "id");
    return { id, bubble, tool: tools.get(id ?? "") };
  });
}

/** Before version 3, tool calls are apart from their bubbles, in a map that may itself be a string. */
function olderTools(data: JsonObject): Map<string, JsonObject> {
  const tools = new Map<string, JsonObject>();
  for (const capability of asArray(data.capabilities)) {
    const map = asObject(asObject(capability).data).bubbleDataMap;
    for (const [id, tool] of Object.entries(asObject(typeof map === "string" ? parseJson(map) : map))) {
      if (isObject(tool)) tools.set(id, tool);
    }
  }
  return tools;
}

function workspacePath(owner: JsonObject): string | undefined {
  return uriPath(asObject(owner.workspaceIdentifier).uri);
}

function branchOf(owner: JsonObject): string | undefined {
  const repository = asObject(asArray(owner.trackedGitRepos)[0]);
  return (
    firstString(asObject(asArray(repository.branches)[0]), "branchName") ??
    firstString(owner, "createdOnBranch", "committedToBranch")
  );
}
