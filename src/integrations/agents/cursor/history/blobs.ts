/**
 * The store of one chat of cursor-agent: blobs named by their hash. Messages are JSON; their order is in protobuf nodes
 * that list the hashes of their children, and the metadata names the newest node.
 */
import { asObject, isObject, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { columnText, type ForeignDatabase } from "../../../history/reading/sqlite.ts";
import { addressPath } from "./projects.ts";

/** Hexadecimal JSON. */
export function metaOf(db: ForeignDatabase): JsonObject {
  const value = columnText(db.get("SELECT value FROM meta WHERE key = '0'")?.value);
  return asObject(parseJson(/^[0-9a-f]+$/i.test(value) ? Buffer.from(value, "hex").toString("utf8") : value));
}

export interface ChatRecord {
  id: string;
  value: JsonObject;
}

const BRACE = 0x7b;

export class Blobs {
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
