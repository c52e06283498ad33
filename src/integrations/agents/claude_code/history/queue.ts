/**
 * Prompts typed while the agent works wait in a queue. The transcript records each up to three times: when it is
 * queued, when it is delivered in the middle of a turn (an attachment) and when it begins the next turn (a user
 * record). Older versions write only the first. Each prompt must become one message, and none may be lost.
 *
 * dex therefore keeps a queued text until a record repeats it, and emits it alone once no record can repeat it any
 * more. Everything here is a function of the records alone, so a read in two parts decides as a whole read does.
 */
import { defined } from "../../../../kernel/defined.ts";
import { asNumber, asObject, asString, type Json } from "../../../../kernel/json.ts";

export interface Queued {
  text: string;
  time?: string;
  /** It has left the queue: this many more answers may begin before a record that repeats it must have appeared. */
  left?: number;
  /** The agent wrote something while the prompt waited. */
  waited?: boolean;
  /** Already emitted as a message; kept to skip a record that repeats it. */
  said?: boolean;
}

export type Queue = readonly Queued[];

/** The answer in progress when the prompt left the queue, and one more. */
const ANSWERS = 2;
/** A record of the same keystroke may have a slightly earlier time. */
const SLACK_MS = 1000;
const MAX_QUEUE = 32;

export interface QueueStep {
  queue: Queue;
  /** Texts that no record will repeat: emit them now. */
  orphans: Queued[];
}

export function enqueue(queue: Queue, text: string, time: string | undefined): QueueStep {
  const all = [...queue, defined<Queued>({ text, time })];
  const over = all.splice(0, Math.max(0, all.length - MAX_QUEUE));
  return { queue: all, orphans: over.filter((entry) => !entry.said) };
}

/** One text leaves the queue: the one named, or the oldest. */
export function leaveQueue(queue: Queue, text: string | undefined): Queue {
  const waiting = (entry: Queued): boolean => entry.left === undefined && !entry.said;
  const named = text === undefined ? -1 : queue.findIndex((entry) => waiting(entry) && entry.text === text);
  const at = named >= 0 ? named : queue.findIndex(waiting);
  return queue.map((entry, i) => (i === at ? { ...entry, left: ANSWERS } : entry));
}

/** The user took everything back into the input line, so it was never sent. */
export function takeBack(queue: Queue): Queue {
  return queue.filter((entry) => entry.said);
}

export interface QueueMatch extends QueueStep {
  /** The record repeats a message that was already emitted. */
  repeated: boolean;
  /** It was typed while the agent worked. */
  waited: boolean;
}

/**
 * A record contains `text`. `begins` is true if the record begins a turn: when such a prompt was not queued itself, the
 * texts queued before it were lost with their process and will not come.
 */
export function matchQueued(queue: Queue, text: string, time: string | undefined, begins: boolean): QueueMatch {
  if (queue.length === 0) return { queue, orphans: [], repeated: false, waited: false };
  const met = queue.filter((entry) => !precedes(time, entry.time) && repeats(text, entry.text));
  const rest = queue.filter((entry) => !met.includes(entry));
  const overtaken = begins && met.length === 0 ? rest.filter((entry) => !precedes(time, entry.time)) : [];
  return {
    queue: overtaken.length > 0 ? rest.filter((entry) => !overtaken.includes(entry)) : rest,
    orphans: overtaken.filter((entry) => !entry.said),
    repeated: met.some((entry) => entry.said),
    waited: met.some((entry) => entry.waited),
  };
}

/** Remembers a text that was delivered in the middle of a turn, for a user record that may repeat it. */
export function remember(queue: Queue, text: string, time: string | undefined): Queue {
  return [...queue, defined<Queued>({ text, time, left: ANSWERS, said: true })].slice(-MAX_QUEUE);
}

/** The agent continued. `begins` is true when a new answer begins. */
export function advance(queue: Queue, time: string | undefined, begins: boolean): QueueStep {
  if (queue.length === 0) return { queue, orphans: [] };
  const orphans: Queued[] = [];
  const kept: Queued[] = [];
  for (const entry of queue) {
    if (precedes(time, entry.time)) {
      kept.push(entry);
      continue;
    }
    const left = entry.left === undefined || !begins ? entry.left : entry.left - 1;
    if (left === undefined || left > 0) kept.push(defined({ ...entry, left, waited: true }));
    else if (!entry.said) {
      orphans.push(entry);
      kept.push({ ...entry, left: ANSWERS, said: true });
    }
  }
  return { queue: kept, orphans };
}

export function loadQueue(saved: Json[]): Queue {
  return saved.map(asObject).map((entry) =>
    defined<Queued>({
      text: asString(entry.text) ?? "",
      time: asString(entry.time),
      left: asNumber(entry.left),
      waited: entry.waited === true || undefined,
      said: entry.said === true || undefined,
    }),
  );
}

/** A fork copies older records after the prompt that was queued to begin it: those records do not answer it. */
function precedes(time: string | undefined, queued: string | undefined): boolean {
  if (time === undefined || queued === undefined) return false;
  return Date.parse(time) + SLACK_MS < Date.parse(queued);
}

/** Prompts that waited together are joined by newlines into one record. */
function repeats(text: string, queued: string): boolean {
  if (text === queued) return true;
  if (!text.includes(queued)) return false;
  return text.startsWith(`${queued}\n`) || text.endsWith(`\n${queued}`) || text.includes(`\n${queued}\n`);
}
