/** The measuring sets as stored in their files. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { asArray, asString, isObject, type JsonObject, parseJson } from "../../src/kernel/json.ts";
import { sharedData } from "../../test/support/program/dex.ts";

export interface Item {
  id: string;
  text: string;
  title?: string;
  /** Of conversations only. */
  conversation: string;
  session: string;
  role: string;
  speaker: string;
}

export interface Query {
  id: string;
  query: string;
  gold: string[];
  /** The group or kind it belongs to. */
  group: string;
  conversation: string;
  /** Of real histories: the repository it is about. */
  repository: string;
}

export interface PublicSet {
  items: Item[];
  queries: Query[];
}

/** Undefined if the set is not next to this checkout. */
export function readPublicSet(name: string): PublicSet | undefined {
  const corpus = sharedData("data", "quality", name, "corpus.jsonl.gz");
  const queries = sharedData("data", "quality", name, "queries.jsonl.gz");
  if (corpus.skip || queries.skip) return undefined;
  return { items: objects(corpus.path).map(itemOf), queries: objects(queries.path).map(queryOf) };
}

/** Queries over real histories, and the parents of subagents. Undefined if they are not next to this checkout. */
export function readSessions(): { queries: Query[]; parents: Map<string, string> } | undefined {
  const queries = sharedData("data", "sessions", "queries.jsonl");
  const families = sharedData("data", "sessions", "families.json");
  const home = sharedData("data", "dev-home.tar.xz");
  if (queries.skip || families.skip || home.skip) return undefined;
  const parents = new Map<string, string>();
  for (const [child, parent] of Object.entries(parseJson(readFileSync(families.path, "utf8")) ?? {})) {
    if (typeof parent === "string") parents.set(child, parent);
  }
  return { queries: objects(queries.path).map(queryOf), parents };
}

function objects(path: string): JsonObject[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text.split("\n").flatMap((line, at) => {
    if (line === "") return [];
    const value = parseJson(line);
    if (!isObject(value)) throw new Error(`${path}, line ${at + 1}, is not a JSON object`);
    return [value];
  });
}

function itemOf(object: JsonObject): Item {
  return {
    id: required(object, "id"),
    text: required(object, "text"),
    title: asString(object.title),
    conversation: asString(object.conversation) ?? "",
    session: asString(object.session) ?? "",
    role: asString(object.role) ?? "user",
    speaker: asString(object.speaker) ?? "",
  };
}

function queryOf(object: JsonObject): Query {
  const gold = asArray(object.gold).flatMap((id) => asString(id) ?? []);
  const id = required(object, "id");
  if (gold.length === 0) throw new Error(`the query ${id} has no answer`);
  return {
    id,
    query: required(object, "query"),
    gold,
    group: asString(object.group) ?? asString(object.kind) ?? "",
    conversation: asString(object.conversation) ?? "",
    repository: asString(object.repo) ?? "",
  };
}

function required(object: JsonObject, field: string): string {
  const value = asString(object[field]);
  if (value === undefined) throw new Error(`${JSON.stringify(object).slice(0, 100)} has no ${field}`);
  return value;
}
