/**
 * Merging what workers found: items that say the same become one, with how often it was said and where.
 *
 * Two items are the same when their keys are, or, without keys, when their texts are but for case, punctuation and
 * space. The first is kept, and what it lacks is taken from the later ones; nothing of another's words replaces it.
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
  /** How often it was found; an item with a `count` of its own counts as that many. */
  count: number;
  /** References and ids that the items gave. */
  sources: string[];
  /** Where the items came from. */
  from: string[];
}

const TEXT_FIELDS = ["text", "rule", "preference", "statement", "summary", "title", "name", "description", "content"];
const SOURCE_FIELDS = ["sources", "source", "refs", "ref", "references", "reference"];
const MOST_SOURCES = 1000;
const LONGEST_SOURCE = 500;
const LONGEST_IDENTITY = 10_000;
const MOST_COUNT = 1_000_000_000;

/** The most frequent first; ties in order of their text. */
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
    target.count = Math.min(MOST_COUNT, target.count + countOf(object));
    for (const source of sourcesOf(object)) if (target.sources.size < MOST_SOURCES) target.sources.add(source);
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

/** The text but for case, punctuation, Markdown marks and space. Empty when it has no letter or digit. */
export function normalText(text: string): string {
  const plain = text.slice(0, LONGEST_IDENTITY).normalize("NFKC").toLowerCase();
  return plain
    .replace(/['’`]/g, "")
    .replace(/[^\p{L}\p{N}\p{M}+#]+/gu, " ")
    .trim();
}

/** What an item says, under whichever of the usual names. */
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
  return text === undefined ? `json ${canonical(item).slice(0, LONGEST_IDENTITY)}` : `text ${sameText(text)}`;
}

/** Punctuation alone is compared as it is: "++" and "--" are not the same. */
function sameText(text: string): string {
  return normalText(text) || text.slice(0, LONGEST_IDENTITY).trim();
}

/** The same whatever the order of the fields, without what only says where it was found. */
function canonical(item: JsonObject): string {
  const rest = Object.entries(item).filter(([name]) => name !== "count" && !SOURCE_FIELDS.includes(name));
  return JSON.stringify(rest.sort(([a], [b]) => compareText(a, b)));
}

function countOf(item: JsonObject): number {
  const count = item.count;
  return typeof count === "number" && Number.isInteger(count) && count > 0 ? Math.min(count, MOST_COUNT) : 1;
}

function sourcesOf(item: JsonObject): string[] {
  return SOURCE_FIELDS.flatMap((name) => {
    const value = item[name];
    return typeof value === "string" ? [value] : asArray(value).flatMap((each) => asString(each) ?? []);
  }).flatMap((source) => source.trim().slice(0, LONGEST_SOURCE) || []);
}
