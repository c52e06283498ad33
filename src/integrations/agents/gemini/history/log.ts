/**
 * The log of a Gemini CLI session, and the conversation that its lines add up to.
 *
 * A line is metadata, a message, a patch of the metadata (`$set`) or a step back (`$rewindTo`). A message that is
 * written again under its id replaces the earlier one in its place. Nothing is therefore final before the end: a first
 * pass finds the line with the last version of each message, and a second pass emits those lines, in order, without
 * holding the file in memory. Messages that a step back leaves behind are abandoned once something else follows.
 *
 * A `$set` of `messages` is the history after compression. Messages that it leaves out stay in the conversation; new
 * ones (the summary) are added.
 */
import { createHash } from "node:crypto";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { silent } from "../../../history/reading/tail.ts";
import type { Sink } from "../../../history/source.ts";
import { callIds, plainText } from "./message.ts";

interface Slot {
  /** Offset of the first line that wrote this message. */
  first: number;
  /** Offset of the line with its last version, and its position in that line if the line is a history. */
  last: number;
  place: number;
  time: string | undefined;
}

export interface Replay {
  slots: Slot[];
  bySlot: Map<string, Slot>;
  /** The messages that each step back left behind, by id. */
  abandoned: Map<string, Slot>[];
  metadata: JsonObject;
  /** Where the read began, and the end of the last line read. */
  from: number;
  end: number;
}

const NOT_IN_HISTORY = -1;

interface ReplayStart {
  /** Offset of the first line of the last message known to the earlier read. */
  from: number;
  /** Its time: an older message that is not among the lines read from there is one of the earlier messages. */
  time: string;
}

/** Undefined if the lines after `start` change something before it. */
export function replayLog(path: string, start?: ReplayStart): Replay | undefined {
  const from = start?.from ?? 0;
  const bySlot = new Map<string, Slot>();
  const abandoned: Map<string, Slot>[] = [];
  let stepBack: string | undefined;
  const known = new SeenMessages();
  let metadata: JsonObject = {};
  let end = from;
  for (const record of readRecords(path, { offset: from, sink: silent })) {
    const { value } = record;
    end = record.end;
    const rewind = asString(value.$rewindTo);
    if (rewind !== undefined) {
      if (start) return undefined;
      stepBack = earlierOf(bySlot, stepBack, rewind);
      continue;
    }
    const id = asString(value.id);
    if (id !== undefined) {
      const time = toIso(value.timestamp);
      if (stepBack !== undefined) {
        abandoned.push(takeFrom(bySlot, stepBack));
        stepBack = undefined;
      }
      const slot = bySlot.get(id);
      if (!slot && start && (time === undefined || time < start.time)) return undefined;
      bySlot.set(id, { first: slot?.first ?? record.offset, last: record.offset, place: NOT_IN_HISTORY, time });
      known.add(value);
      continue;
    }
    const patch = isObject(value.$set) ? value.$set : value;
    const history = historyOf(value);
    if (history.length > 0 && start) return undefined;
    for (const [place, message] of history.entries()) {
      const added = asString(message.id);
      if (added === undefined || bySlot.has(added) || known.has(message)) continue;
      bySlot.set(added, { first: record.offset, last: record.offset, place, time: toIso(message.timestamp) });
      known.add(message);
    }
    if (isObject(value.$set) || asString(value.sessionId)) metadata = { ...metadata, ...patch, messages: undefined };
  }
  return { slots: [...bySlot.values()], bySlot, abandoned, metadata, from, end };
}

/** The records of the replay's messages, in order, each with its slot. */
export function* replayedRecords(
  path: string,
  replay: Replay,
  sink: Pick<Sink, "malformed">,
): Generator<[Slot, JsonObject]> {
  const ready = new Map<Slot, JsonObject>();
  let next = 0;
  for (const record of readRecords(path, { offset: replay.from, sink })) {
    if (record.offset >= replay.end) break;
    const alone = asString(record.value.id) === undefined ? [] : [record.value];
    const messages = alone.length > 0 ? alone : historyOf(record.value);
    for (const [place, message] of messages.entries()) {
      const slot = replay.bySlot.get(asString(message.id) ?? "");
      const wanted = slot && slot.last === record.offset && slot.place === (alone.length > 0 ? NOT_IN_HISTORY : place);
      if (wanted) ready.set(slot, message);
    }
    for (let slot = replay.slots[next]; slot; slot = replay.slots[next]) {
      const value = ready.get(slot);
      if (!value) break;
      ready.delete(slot);
      next += 1;
      yield [slot, value];
    }
  }
}

function historyOf(record: JsonObject): JsonObject[] {
  return asArray(isObject(record.$set) ? record.$set.messages : record.messages).map(asObject);
}

/** The earlier one of two messages to go back to. An unknown id is ignored: losing a line must not lose the rest. */
function earlierOf(bySlot: ReadonlyMap<string, Slot>, one: string | undefined, other: string): string | undefined {
  return [...bySlot.keys()].find((id) => id === one || id === other);
}

/** Removes the message and all after it, and returns them. */
function takeFrom(bySlot: Map<string, Slot>, id: string): Map<string, Slot> {
  const all = [...bySlot];
  const taken = all.slice(all.findIndex(([each]) => each === id));
  for (const [each] of taken) bySlot.delete(each);
  return new Map(taken);
}

/**
 * Messages emitted already. A compressed history gives some messages new ids: equal text and calls identify them.
 * Stored as hashes, because the texts may be long.
 */
class SeenMessages {
  readonly #texts = new Set<string>();
  readonly #calls = new Set<string>();

  add(message: JsonObject): void {
    const text = plainText(message.content).trim();
    if (text !== "") this.#texts.add(hash(message, text));
    for (const id of callIds(message)) this.#calls.add(id);
  }

  has(message: JsonObject): boolean {
    const text = plainText(message.content).trim();
    if (text !== "") return this.#texts.has(hash(message, text));
    return callIds(message).every((id) => this.#calls.has(id));
  }
}

function hash(message: JsonObject, text: string): string {
  return createHash("sha1")
    .update(`${asString(message.type)}\n${text}`)
    .digest("base64");
}
