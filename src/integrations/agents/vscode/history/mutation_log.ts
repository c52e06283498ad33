/** Replays the log in which VS Code stores a chat: the whole object first, then changes at paths in it. */
import { asNumber, isObject, type Json, type JsonObject } from "../../../../kernel/json.ts";

const KIND = { whole: 0, set: 1, append: 2, remove: 3 } as const;
const MAX_PATH = 32;
const MAX_ITEMS = 1_000_000;

/** Undefined if the log has no object yet. A change that does not fit the object is left out. */
export function replayed(records: readonly JsonObject[]): JsonObject | undefined {
  let root: JsonObject | undefined;
  for (const record of records) {
    if (record.kind === KIND.whole && isObject(record.v)) root = record.v;
    else if (root) change(root, record);
  }
  return root;
}

function change(root: JsonObject, record: JsonObject): void {
  const path = Array.isArray(record.k) ? record.k : [];
  const last = path.at(-1);
  if (path.length > MAX_PATH || !isKey(last)) return;
  let holder: Json | undefined = root;
  for (const key of path.slice(0, -1)) holder = isKey(key) ? valueAt(holder, key) : undefined;
  if (!isHolder(holder)) return;
  if (record.kind === KIND.set) setAt(holder, last, record.v);
  if (record.kind === KIND.remove) setAt(holder, last, undefined);
  if (record.kind === KIND.append) append(holder, last, record);
}

/** Cuts the list to the given length, then adds the items. */
function append(holder: JsonObject | Json[], key: string | number, record: JsonObject): void {
  const found = valueAt(holder, key);
  const list = Array.isArray(found) ? found : [];
  const kept = asNumber(record.i);
  if (kept !== undefined && kept >= 0 && kept < list.length) list.length = Math.floor(kept);
  if (Array.isArray(record.v) && list.length + record.v.length <= MAX_ITEMS)
    for (const item of record.v) list.push(item);
  setAt(holder, key, list);
}

function isKey(key: Json | undefined): key is string | number {
  return typeof key === "string" ? key !== "__proto__" : typeof key === "number" && Number.isInteger(key) && key >= 0;
}

function isHolder(value: Json | undefined): value is JsonObject | Json[] {
  return Array.isArray(value) || isObject(value);
}

function valueAt(holder: Json | undefined, key: string | number): Json | undefined {
  if (Array.isArray(holder)) return typeof key === "number" ? holder[key] : undefined;
  return isObject(holder) && Object.hasOwn(holder, key) ? holder[String(key)] : undefined;
}

function setAt(holder: JsonObject | Json[], key: string | number, value: Json | undefined): void {
  if (!Array.isArray(holder)) {
    if (value === undefined) delete holder[String(key)];
    else holder[String(key)] = value;
  } else if (typeof key === "number" && key <= holder.length && key < MAX_ITEMS) {
    holder[key] = value ?? null;
  }
}
