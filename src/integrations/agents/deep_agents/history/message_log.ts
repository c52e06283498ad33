/**
 * The messages of a thread, from the writes to them: each write adds messages, replaces some by their ids, deletes some,
 * or replaces all. dex keeps those that a summary replaced, which came before it, and drops those that were deleted.
 */
import { asObject, asString, firstString, isObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { OVERWRITE } from "./stored_value.ts";

export interface LoggedMessage {
  record: JsonObject;
  /** When it was written first. */
  time: string | undefined;
  /** The node of the graph that wrote it. */
  task: string | undefined;
  /** A text next to the messages: it is in none of the lists that replace all of them. */
  isNote?: true;
}

const REMOVE_ALL = "__remove_all__";

export class MessageLog {
  readonly #summarised: LoggedMessage[] = [];
  #current = new Set<LoggedMessage>();
  readonly #byId = new Map<string, LoggedMessage>();

  messages(): LoggedMessage[] {
    return [...this.#summarised, ...this.#current];
  }

  write(value: Json, time: string | undefined, task?: string): void {
    if (isObject(value) && OVERWRITE in value) {
      this.replaceAll(recordsOf(value[OVERWRITE] ?? null), time);
      return;
    }
    const records = recordsOf(value);
    const reset = records.findLastIndex((record) => record.type === "remove" && record.id === REMOVE_ALL);
    if (reset >= 0) this.replaceAll(records.slice(reset + 1), time);
    else for (const record of records) this.#add(record, time, task);
  }

  /** Adds a text that is not one of the messages. */
  note(record: JsonObject, time: string | undefined): void {
    const id = asString(record.id);
    if (id !== undefined && this.#byId.has(id)) return;
    const note: LoggedMessage = { record, time, task: undefined, isNote: true };
    if (id !== undefined) this.#byId.set(id, note);
    this.#current.add(note);
  }

  replaceAll(records: readonly JsonObject[], time: string | undefined): void {
    const unnamed = new Map<string, LoggedMessage>();
    for (const each of this.#current)
      if (asString(each.record.id) === undefined) unnamed.set(wordsOf(each.record), each);
    const next = records.map((record): LoggedMessage => {
      const known = this.#byId.get(asString(record.id) ?? "") ?? unnamed.get(wordsOf(record));
      if (known) known.record = record;
      return known ?? { record, time, task: undefined };
    });
    const kept = new Set(next);
    const left = [...this.#current].filter((each) => !kept.has(each));
    const isSummarised = records.some(isSummary);
    if (isSummarised) for (const each of left) this.#summarised.push(each);
    else for (const { record } of left) this.#byId.delete(asString(record.id) ?? "");
    this.#current = isSummarised ? kept : this.#withNotes(kept);
    for (const each of this.#current) {
      const id = asString(each.record.id);
      if (id !== undefined) this.#byId.set(id, each);
    }
  }

  /** The next messages with the notes that they leave out, each behind the message that it followed. */
  #withNotes(next: ReadonlySet<LoggedMessage>): Set<LoggedMessage> {
    const first: LoggedMessage[] = [];
    const behind = new Map<LoggedMessage, LoggedMessage[]>();
    let followed = first;
    for (const each of this.#current) {
      if (next.has(each)) {
        followed = [];
        behind.set(each, followed);
      } else if (each.isNote) followed.push(each);
    }
    return new Set([...first, ...[...next].flatMap((each) => [each, ...(behind.get(each) ?? [])])]);
  }

  #add(record: JsonObject, time: string | undefined, task: string | undefined): void {
    const id = asString(record.id);
    const known = id === undefined ? undefined : this.#byId.get(id);
    if (record.type === "remove") {
      if (known) this.#current.delete(known);
      if (id !== undefined) this.#byId.delete(id);
      return;
    }
    if (known) {
      known.record = record;
      return;
    }
    const added = { record, time, task };
    if (id !== undefined) this.#byId.set(id, added);
    this.#current.add(added);
  }
}

/** Whether it is the text that replaced the messages before it. */
export function isSummary(record: JsonObject): boolean {
  return (
    asObject(record.additional_kwargs).lc_source === "summarization" || SUMMARY.test(asString(record.content) ?? "")
  );
}

/** Before summaries were marked. */
const SUMMARY = /^Here is a summary of the conversation to date:\n/;

/** A message is an object, a text, or a pair of role and content; a write has one or a list of them. */
export function recordsOf(value: Json): JsonObject[] {
  if (!Array.isArray(value)) return recordOf(value);
  return value.flatMap(recordOf);
}

function recordOf(value: Json): JsonObject[] {
  if (typeof value === "string") return [{ type: "human", content: value }];
  if (Array.isArray(value)) {
    const [role, content] = value;
    return typeof role === "string" && value.length === 2 ? [{ type: roleOf(role), content }] : [];
  }
  if (!isObject(value)) return [];
  const kind = firstString(value, "type", "role");
  return kind === undefined ? [] : [{ ...value, type: roleOf(kind) }];
}

function roleOf(name: string): string {
  return ROLES.get(name) ?? name;
}

const ROLES = new Map([
  ["user", "human"],
  ["assistant", "ai"],
  ["AIMessageChunk", "ai"],
]);

function wordsOf({ type, content, tool_call_id }: JsonObject): string {
  return JSON.stringify([type, content, tool_call_id]);
}
