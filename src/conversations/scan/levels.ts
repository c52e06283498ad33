/**
 * Levels of a conversation, from fine to coarse. The finest level has one row per message. Coarser levels merge more and
 * more messages between two prompts into a row, then merge turns (a prompt and its work) into phases, until a single row
 * is left. Every message is in exactly one row of each level.
 */
import { plural } from "../../kernel/text.ts";
import { outcomeOf } from "../activity/outcome.ts";
import type { Message } from "../model.ts";
import { callPiece, fixed, messagePieces, type Piece, quoted, ScanContext } from "./pieces.ts";
import { type Act, actsOf, isLookup, tallyOf, tallyText } from "./tally.ts";

export interface Row {
  first: number;
  last: number;
  /** Role of the message; empty for several messages. */
  role: string;
  /** Time of the first message. */
  time: string | null;
  pieces: Piece[];
}

/** The parts of a message that rows need, so levels are built without reading it again. */
interface Scanned {
  index: number;
  message: Message;
  pieces: Piece[];
  acts: Act[];
}

/** Characters at detail 50 in rows of several messages; prompts get the most. */
const PROMPT_LIMIT = 200;
const WORDS_LIMIT = 60;
const CALL_LIMIT = 30;
/** Per row, sampled evenly from the range. */
const MAX_PROMPTS_SHOWN = 3;
const MAX_WORDS_SHOWN = 3;
const MAX_FAILURES_SHOWN = 2;
const MAX_CALLS_SHOWN = 6;

export class ScanLevels {
  readonly #messages: Scanned[];

  constructor(messages: readonly { index: number; message: Message }[], project?: string) {
    // Calls are looked up twice, for the text and for the counts, and each lookup removes the call, hence two contexts.
    const forPieces = new ScanContext(project);
    const forActs = new ScanContext(project);
    this.#messages = messages.map(({ index, message }) => ({
      index,
      message,
      pieces: messagePieces(message, forPieces),
      acts: actsOf(message, forActs),
    }));
  }

  /** From finest to coarsest; at least one. */
  *all(): Generator<Level> {
    yield { rows: this.#messages.map(messageRow), canMerge: false };
    const turns = turnsOf(this.#messages);
    const longest = Math.max(0, ...turns.map(({ work }) => work.length));
    for (const size of sizes(longest)) {
      const rows = turns.flatMap(({ prompt, work }) => [
        ...(prompt ? [messageRow(prompt)] : []),
        ...withResults(evenParts(work, size)).map(workRow),
      ]);
      yield { rows, canMerge: size < longest };
    }
    for (const size of sizes(Math.max(2, turns.length))) {
      yield { rows: evenParts(turns, size).map(phaseRow), canMerge: false };
    }
  }
}

export interface Level {
  rows: Row[];
  /** It has several rows between two prompts, which the next level merges. */
  canMerge: boolean;
}

interface Turn {
  /** Absent for messages before the first prompt. */
  prompt?: Scanned;
  work: Scanned[];
}

function turnsOf(messages: readonly Scanned[]): Turn[] {
  const turns: Turn[] = [];
  for (const each of messages) {
    const last = turns.at(-1);
    if (each.message.role === "user") turns.push({ prompt: each, work: [] });
    else if (last) last.work.push(each);
    else turns.push({ work: [each] });
  }
  return turns;
}

/** 2, 3, 4, 6, 8, 12, 16 …, the last one at least `most`; empty if there is nothing to merge. */
function* sizes(most: number): Generator<number> {
  if (most < 2) return;
  for (let size = 2; ; size *= 2) {
    yield size;
    if (size >= most) return;
    yield size * 1.5;
    if (size * 1.5 >= most) return;
  }
}

/** As few parts as `size` allows, of nearly the same length. */
function evenParts<T>(items: readonly T[], size: number): T[][] {
  const parts = Math.ceil(items.length / size);
  return Array.from({ length: parts }, (_, i) =>
    items.slice(Math.floor((i * items.length) / parts), Math.floor(((i + 1) * items.length) / parts)),
  );
}

/** Moves results to the part with their calls, so that no part begins with results of the one before. */
function withResults(parts: readonly Scanned[][]): Scanned[][] {
  const moved: Scanned[][] = [];
  for (const part of parts) {
    const before = moved.at(-1);
    const own = before ? part.findIndex(({ message }) => message.role !== "tool") : 0;
    before?.push(...part.slice(0, own < 0 ? undefined : own));
    if (own >= 0) moved.push(part.slice(own));
  }
  return moved;
}

function messageRow({ index, message, pieces }: Scanned): Row {
  return { first: index, last: index, role: message.role, time: message.time ?? null, pieces };
}

/** Counts, then texts, failures and calls, as the detail allows. */
function workRow(messages: Scanned[]): Row {
  const [only] = messages;
  if (only && messages.length === 1) return messageRow(only);
  const words = some(wordsOf(messages), MAX_WORDS_SHOWN);
  const isBare = words.length === 0 && !messages.some(({ acts }) => acts.some(({ result }) => !result));
  return rangeRow(messages, [
    isBare ? fixed(plainCount(messages)) : tallyPiece(messages),
    ...words,
    ...some(failuresOf(messages), MAX_FAILURES_SHOWN).flat(),
    ...tellingCalls(messages),
  ]);
}

/** For a range without a call and without words of the assistant: `3 results`, `2 system messages`. */
function plainCount(messages: readonly Scanned[]): string {
  const roles = [...new Set(messages.map(({ message }) => message.role))];
  if (roles.length > 1) return plural(messages.length, "message");
  return plural(messages.length, roles[0] === "tool" ? "result" : `${roles[0]} message`);
}

function phaseRow(turns: Turn[]): Row {
  const messages = turns.flatMap(({ prompt, work }) => (prompt ? [prompt, ...work] : work));
  const prompts = turns.flatMap(({ prompt }) => (prompt ? [prompt] : []));
  const shown = some(prompts, MAX_PROMPTS_SHOWN).map(({ message }) => quoted(textOf(message), PROMPT_LIMIT));
  const count = prompts.length > shown.length ? [fixed(plural(prompts.length, "prompt"))] : [];
  return rangeRow(messages, [...count, ...shown, tallyPiece(messages), ...some(wordsOf(messages), 1)]);
}

/** At most `max` of the values: the last one of each of `max` equal parts. */
function some<T>(items: readonly T[], max: number): T[] {
  return evenParts(items, Math.max(1, Math.ceil(items.length / max))).flatMap((part) => part.slice(-1));
}

function rangeRow(messages: readonly Scanned[], pieces: Piece[]): Row {
  return {
    first: messages[0]?.index ?? 0,
    last: messages.at(-1)?.index ?? 0,
    role: "",
    time: messages.find(({ message }) => message.time !== undefined)?.message.time ?? null,
    pieces,
  };
}

function tallyPiece(messages: readonly Scanned[]): Piece {
  return fixed(tallyText(tallyOf(messages.flatMap(({ acts }) => acts))));
}

function wordsOf(messages: readonly Scanned[]): Piece[] {
  return messages.flatMap(({ message }) => {
    const text = message.role === "assistant" ? textOf(message) : "";
    return text === "" ? [] : [quoted(text, WORDS_LIMIT)];
  });
}

function failuresOf(messages: readonly Scanned[]): Piece[][] {
  return messages.flatMap(({ acts }) =>
    acts.flatMap(({ call, result }) => {
      if (!result || outcomeOf(result) !== "failed" || isLookup(call)) return [];
      const head = { ...callPiece(call), after: " failed]", empty: "", base: WORDS_LIMIT };
      return [[head, quoted(result.output, WORDS_LIMIT)]];
    }),
  );
}

/** Some of the calls, preferring those that changed something over those that looked something up. */
function tellingCalls(messages: readonly Scanned[]): Piece[] {
  const calls = messages.flatMap(({ acts }) => acts.flatMap(({ call, result }) => (result ? [] : [call])));
  const doing = calls.filter((call) => call.kind === "edit" || (call.kind === "shell" && !isLookup(call)));
  const chosen = doing.length > 0 ? doing : calls.filter(({ kind }) => kind !== "other");
  const unlike = [...new Map(chosen.map((call) => [`${call.name} ${call.main}`, call])).values()];
  return some(unlike.length > 0 ? unlike : calls, MAX_CALLS_SHOWN).map((call) => ({
    ...callPiece(call),
    empty: "",
    base: CALL_LIMIT,
  }));
}

function textOf({ parts }: Message): string {
  return parts
    .flatMap((part) => (part.type === "text" ? part.text : []))
    .join("\n")
    .trim();
}
