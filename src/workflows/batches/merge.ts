/**
 * Merges the items that workers found: equal items become one, with a count and all sources.
 *
 * Two items are equal when their keys are or, without keys, when their texts differ only in case, punctuation and
 * spaces. The first item wins; later ones only add fields that it lacks.
 */
import { asArray, asString, isObject, type Json, type JsonObject } from "../../kernel/json.ts";
import { compareText } from "../../kernel/text.ts";

export interface FoundItem {
  item: Json;
  /** The file or batch it came from. */
  from: string;
}

export interface Merged {
  item: JsonObject;
  /** How often it was found; an item with a `count` field counts that many times. */
  count: number;
  /** References and ids of the items. */
  sources: string[];
  /** The files or batches of the items. */
  from: string[];
}

const TEXT_FIELDS = ["text", "rule", "preference", "statement", "summary", "title", "name", "description", "content"];
const SOURCE_FIELDS = ["sources", "source", "refs", "ref", "references", "reference"];
const MAX_SOURCES = 1000;
const MAX_SOURCE_CHARS = 500;
const MAX_IDENTITY_CHARS = 10_000;
const MAX_COUNT = 1_000_000_000;

/** Most frequent first; ties by text. */
export function mergeItems(found: Iterable<FoundItem>, keys: readonly string[] = []): Merged[] {
  const merged = new Map<
    string,
    { fields: Map<string, Json>; count: number; sources: Set<string>; from: Set<string> }
  >();
  for (const { item, from } of found) {
    const object = isObject(item) ? item : { text: item };
    const identity = identityOf(object, keys);
    const known = merged.get(identity);
    const target = known ?? { fields: new Map(), count: 0, sources: new Set(), from: new Set() };
    if (!known) merged.set(identity, target);
    for (const [name, value] of Object.entries(object)) {
      if (value === undefined || name === "count" || SOURCE_FIELDS.includes(name) || target.fields.has(name)) continue;
      target.fields.set(name, value);
    }
    target.count = Math.min(MAX_COUNT, target.count + countOf(object));
    for (const source of sourcesOf(object)) if (target.sources.size < MAX_SOURCES) target.sources.add(source);
    target.from.add(from);
  }
  return [...merged]
    .sort(([a, left], [b, right]) => right.count - left.count || compareText(a, b))
    .map(([, { fields, count, sources, from }]) => ({
      item: Object.fromEntries(fields),
      count,
      sources: [...sources],
      from: [...from],
    }));
}

/** The text without case, punctuation, Markdown marks and spaces. Empty when it has no letter or digit. */
export function normalText(text: string): string {
  const plain = text.slice(0, MAX_IDENTITY_CHARS).normalize("NFKC").toLowerCase();
  return plain
    .replace(/['’`]/g, "")
    .replace(/[^\p{L}\p{N}\p{M}+#]+/gu, " ")
    .trim();
}

/** The text of an item, from the first of the usual fields. */
export function textOf(item: JsonObject): string | undefined {
  for (const name of TEXT_FIELDS) {
    const text = asString(item[name]);
    if (text !== undefined && text.trim() !== "") return text;
  }
  return undefined;
}

function identityOf(item: JsonObject, keys: readonly string[]): string {
  const values = keys.map((key) => item[key]);
  if (keys.length > 0 && values.every((value) => value !== undefined && value !== null && value !== "")) {
    return `key ${JSON.stringify(values.map((value) => (typeof value === "string" ? sameText(value) : value)))}`;
  }
  const text = textOf(item);
  return text === undefined ? `json ${canonical(item).slice(0, MAX_IDENTITY_CHARS)}` : `text ${sameText(text)}`;
}

/** A text of punctuation alone is compared as it is: "++" and "--" differ. */
function sameText(text: string): string {
  return normalText(text) || text.slice(0, MAX_IDENTITY_CHARS).trim();
}

/** Independent of the order of the fields, and without the source fields. */
function canonical(item: JsonObject): string {
  const rest = Object.entries(item).filter(([name]) => name !== "count" && !SOURCE_FIELDS.includes(name));
  return JSON.stringify(rest.sort(([a], [b]) => compareText(a, b)));
}

function countOf(item: JsonObject): number {
  const count = item.count;
  return typeof count === "number" && Number.isInteger(count) && count > 0 ? Math.min(count, MAX_COUNT) : 1;
}

function sourcesOf(item: JsonObject): string[] {
  return SOURCE_FIELDS.flatMap((name) => {
    const value = item[name];
    return typeof value === "string" ? [value] : asArray(value).flatMap((each) => asString(each) ?? []);
  }).flatMap((source) => source.trim().slice(0, MAX_SOURCE_CHARS) || []);
}
