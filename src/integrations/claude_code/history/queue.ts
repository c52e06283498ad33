/**
 * Prompts typed while the agent works wait in a queue. The transcript tells of each up to three times: when it is
 * queued, when it is handed over in the middle of a turn (an attachment) and when it begins the next turn (a user
 * record). Older versions write the first only. Each prompt must be said once, and none may be lost.
 *
 * A queued text is therefore kept until a record repeats it, and said by itself when it is plain that none will.
 * Everything here is a function of the records alone: a read in two parts decides as a whole read does.
 */
import { defined } from "../../../kernel/defined.ts";
import { asNumber, asObject, asString, type Json } from "../../../kernel/json.ts";

export interface Queued {
  text: string;
  time?: string;
  /** It has left the queue: so many further answers may begin before a record that repeats it must have come. */
  left?: number;
  /** The agent said or did something while it waited. */
  waited?: boolean;
  /** It is among the messages already; kept so that a record which repeats it is passed over. */
  said?: boolean;
}

export type Queue = readonly Queued[];

/** The answer that was under way when it left the queue, and one more. */
const ANSWERS = 2;
/** A record made of the same keystroke may carry a slightly earlier time. */
const SLACK_MS = 1000;
const MAX_QUEUE = 32;

export interface Step {
  queue: Queue;
  /** Texts that no record will repeat: to be said now. */
  orphans: Queued[];
}

export function enqueue(queue: Queue, text: string, time: string | undefined): Step {
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

/** Everything was taken back into the input line: it was not said. */
export function takeBack(queue: Queue): Queue {
  return queue.filter((entry) => entry.said);
}

export interface Meeting extends Step {
  /** The record repeats what is among the messages already. */
  repeated: boolean;
  /** It was typed while the agent worked. */
  waited: boolean;
}

/**
 * A record says `text`. `begins` is true for one that begins a turn: when such a prompt was not queued itself, the
 * texts queued before it were lost with their process and will not come.
 */
export function meet(queue: Queue, text: string, time: string | undefined, begins: boolean): Meeting {
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

/** Remembers a text that was handed over in the middle of a turn, for a user record that may repeat it. */
export function remember(queue: Queue, text: string, time: string | undefined): Queue {
  return [...queue, defined<Queued>({ text, time, left: ANSWERS, said: true })].slice(-MAX_QUEUE);
}

/** The agent worked on. `begins` is true when a new answer begins. */
export function advance(queue: Queue, time: string | undefined, begins: boolean): Step {
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

/** A fork copies older records behind the prompt that was queued to begin it: these do not answer it. */
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
