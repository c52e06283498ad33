/**
 * Values as LangGraph stores them: MessagePack, or JSON for text that is not valid Unicode. An object of Python is a list
 * of its module, its class and its fields; dex needs only the fields.
 */
import type { SQLOutputValue } from "node:sqlite";
import {
  asArray,
  asObject,
  asString,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from "../../../../kernel/json.ts";
import { decodeMsgpack } from "../../../history/reading/msgpack.ts";
import { columnText } from "../../../history/reading/sqlite.ts";

/** In the place of a list: this list replaces all values before it. LangGraph has the same name in JSON. */
export const OVERWRITE = "__overwrite__";
/** A list that replaces all values before it, which is stored as it is. */
const SNAPSHOT_TYPE = 7;

/** Undefined if it cannot be read. */
export function storedValue(type: SQLOutputValue | undefined, value: SQLOutputValue | undefined): Json | undefined {
  if (type === "msgpack") return value instanceof Uint8Array ? decodeMsgpack(value, objectOf) : undefined;
  if (type !== "json") return undefined;
  const read = parseJson(columnText(value));
  return read === undefined ? undefined : revivedWithin(read);
}

function revivedWithin(value: Json): Json | undefined {
  try {
    return revived(value);
  } catch (error) {
    // Nested deeper than the stack allows.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function objectOf(type: number, payload: Uint8Array, decode: (bytes: Uint8Array) => Json | undefined): Json {
  const held = decode(payload);
  if (type === SNAPSHOT_TYPE) return held ?? null;
  const [, name, fields] = asArray(held);
  return named(asString(name), fields ?? null);
}

/** JSON names a class by its path. Messages state their kind in a field as well, most of the time. */
function revived(value: Json): Json {
  if (Array.isArray(value)) return value.map(revived);
  if (!isObject(value)) return value;
  const path = asArray(value.id);
  if (value.type !== "constructor" || path.length === 0) return mapped(value);
  const name = asString(path.at(-1));
  const fields = mapped(asObject(value.kwargs));
  const kind = KINDS.get(name ?? "");
  return named(name, kind === undefined ? fields : { type: kind, ...fields });
}

const KINDS = new Map([
  ["HumanMessage", "human"],
  ["AIMessage", "ai"],
  ["ToolMessage", "tool"],
  ["SystemMessage", "system"],
  ["RemoveMessage", "remove"],
]);

function mapped(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, each === undefined ? each : revived(each)]),
  );
}

function named(name: string | undefined, fields: Json): Json {
  return name === "Overwrite" ? { [OVERWRITE]: asObject(fields).value ?? null } : fields;
}
