/**
 * Replaces secrets and private blocks with `[REDACTED:<rule>]` before a text is archived or indexed. Redaction is idempotent,
 * and a value without secrets is returned as the same object.
 */
import type { Json, JsonObject } from "../kernel/json.ts";
import { withoutInvisible } from "../text/invisible.ts";
import { memberSpans } from "./finders/assignments.ts";
import { isCommand } from "./finders/commands.ts";
import { isKubernetesValue } from "./finders/documents.ts";
import { mergeSpans, replaceSpans, type Span, throughInvisible } from "./finders/span.ts";
import { secretName } from "./judges/names.ts";
import { privateSpans, type Utterance } from "./private.ts";
import { findSpans } from "./scan.ts";

/** Deeper than any real record; deeper values are not scanned, so they are removed. */
const MAX_DEPTH = 500;
const NONE: readonly Span[] = [];
const NOT_RENAMED: ReadonlyMap<string, string> = new Map();
const MAX_ROUNDS = 8;
const MAX_ARGUMENTS = 64;

export function redactText(text: string, utterance: Utterance = "said"): { text: string; count: number } {
  const hidden = privateSpans(text, utterance);
  if (hidden.length === 0) return replaceAll(text, findSpans(text));
  const open = replaceSpans(text, hidden);
  const rest = replaceAll(open, findSpans(open));
  return { text: rest.text, count: hidden.length + rest.count };
}

/** A marker changes the context of its neighbours, so the text is scanned again until nothing is found. */
function replaceAll(text: string, found: readonly Span[]): { text: string; count: number } {
  let result = text;
  let count = 0;
  for (let round = 0, spans = found; spans.length > 0 && round < MAX_ROUNDS; round++, spans = findSpans(result)) {
    result = replaceSpans(result, spans);
    count += spans.length;
  }
  return { text: result, count };
}

/** Redacts the strings of a JSON value by their shape and by their keys. Unchanged parts are shared. */
export function redactJson(value: Json): { value: Json; count: number } {
  return redactAt(value, undefined, 0);
}

function redactAt(value: Json, name: string | undefined, depth: number): { value: Json; count: number } {
  if (typeof value === "string") return redactNamed(value, name);
  if (typeof value !== "object" || value === null) return { value, count: 0 };
  if (depth >= MAX_DEPTH) return { value: "[REDACTED:too-deep]", count: 1 };
  return Array.isArray(value) ? redactArray(value, name, depth) : redactObject(value, depth);
}

function redactNamed(given: string, name: string | undefined): { value: string; count: number } {
  const hidden = privateSpans(given, "said");
  const value = hidden.length === 0 ? given : replaceSpans(given, hidden);
  const own = findSpans(value);
  const named = name === undefined ? NONE : namedSpans(withoutInvisible(name), value);
  if (own.length + named.length === 0) return { value, count: hidden.length };
  const { text, count } = replaceAll(value, mergeSpans([...own, ...named]));
  return { value: text, count: hidden.length + count };
}

function namedSpans(name: string, value: string): readonly Span[] {
  if (secretName(name) === undefined) return NONE;
  return throughInvisible(value, (seen) => memberSpans(name, seen));
}

/** Items of an array take its name; in an argument list, an item takes the name of the option before it. */
function redactArray(array: Json[], name: string | undefined, depth: number): { value: Json; count: number } {
  let copy: Json[] | undefined;
  let count = 0;
  const hidden = commandItems(array);
  for (const [index, item] of array.entries()) {
    const before = array[index - 1];
    const option = typeof before === "string" && /^--?[A-Za-z]/.test(before) ? before : undefined;
    const redacted = hidden.get(index) ?? redactAt(item, option ?? name, depth + 1);
    if (redacted.count === 0) continue;
    copy ??= [...array];
    copy[index] = redacted.value;
    count += redacted.count;
  }
  return { value: copy ?? array, count };
}

/** Redacted items of a command line whose command takes a password without naming it: `["mysql", "-px"]`. */
function commandItems(array: readonly Json[]): Map<number, { value: Json; count: number }> {
  const items = new Map<number, { value: Json; count: number }>();
  if (array.length < 2 || array.length > MAX_ARGUMENTS || typeof array[0] !== "string" || !isCommand(array[0]))
    return items;
  const words = array.map((item) => (typeof item === "string" ? item : ""));
  const line = words.join(" ");
  const spans = findSpans(line);
  let from = 0;
  for (const [index, word] of words.entries()) {
    const to = from + word.length;
    const inside = spans
      .filter(({ start, end }) => start < to && end > from)
      .map(({ start, end, id }) => ({ start: Math.max(0, start - from), end: Math.min(end, to) - from, id }));
    if (inside.length > 0) items.set(index, { value: replaceSpans(word, inside), count: inside.length });
    from = to + 1;
  }
  return items;
}

/** Members take their key as name; in a `{name, value}` pair the value takes the stated name. */
function redactObject(object: JsonObject, depth: number): { value: Json; count: number } {
  let changed: Map<string, Json> | undefined;
  let count = 0;
  const keys = Object.keys(object);
  for (const key of keys) {
    const member = object[key];
    if (member === undefined) continue;
    const secret = isKubernetesSecret(object, key) ? redactValues(member) : undefined;
    const redacted = secret ?? redactAt(member, key === "value" ? pairName(object) : key, depth + 1);
    if (redacted.count === 0) continue;
    changed ??= new Map();
    changed.set(key, redacted.value);
    count += redacted.count;
  }
  const renamed = redactKeys(keys);
  count += renamed.size;
  if (count === 0) return { value: object, count };
  // From entries, so a member called __proto__ stays a member.
  const entries = Object.entries(object).map(([key, member]) => [renamed.get(key) ?? key, changed?.get(key) ?? member]);
  return { value: Object.fromEntries(entries), count };
}

function isKubernetesSecret(object: JsonObject, key: string): boolean {
  return object.kind === "Secret" && (key === "data" || key === "stringData");
}

/** The values of a Kubernetes Secret; `undefined` where none is one. */
function redactValues(values: Json): { value: Json; count: number } | undefined {
  if (typeof values !== "object" || values === null || Array.isArray(values)) return undefined;
  const secret = (value: Json | undefined) =>
    typeof value === "string" && isKubernetesValue(value) && !/^\[REDACTED:/.test(value);
  const count = Object.values(values).filter(secret).length;
  if (count === 0) return undefined;
  const entries = Object.entries(values).map(([key, value]) => [
    key,
    secret(value) ? "[REDACTED:kubernetes-secret]" : value,
  ]);
  return { value: Object.fromEntries(entries), count };
}

function pairName(object: JsonObject): string {
  const { name, key } = object;
  if (typeof name === "string") return name;
  return typeof key === "string" ? key : "value";
}

/** Keys without a secret: tools have few different ones, which come again in every call. */
const plainKeys = new Set<string>();
const MAX_PLAIN_KEYS = 1000;
const MAX_PLAIN_KEY_CHARS = 40;

function isPlainKey(key: string): boolean {
  if (plainKeys.has(key)) return true;
  if (redactText(key).count > 0) return false;
  if (plainKeys.size < MAX_PLAIN_KEYS && key.length <= MAX_PLAIN_KEY_CHARS) plainKeys.add(key);
  return true;
}

/** Keys can be secrets too (a map from token to user); equal results are numbered, so no member is lost. */
function redactKeys(keys: string[]): ReadonlyMap<string, string> {
  if (keys.every(isPlainKey)) return NOT_RENAMED;
  const renamed = new Map<string, string>();
  const uses = new Map<string, number>();
  const taken = new Set(keys);
  for (const key of keys) {
    const { text, count } = redactText(key);
    if (count === 0) continue;
    let unique: string;
    do {
      const use = (uses.get(text) ?? 0) + 1;
      uses.set(text, use);
      unique = use === 1 ? text : `${text} ${use}`;
    } while (taken.has(unique));
    renamed.set(key, unique);
  }
  return renamed;
}
