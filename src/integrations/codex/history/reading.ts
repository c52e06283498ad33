/**
 * What is said in a Codex rollout, said once.
 *
 * Codex tells most things twice: as response items (what the model saw) and as events (what the screen showed). Items
 * come first in rank, but either may be missing. A text is therefore taken from whichever tells it first, and the other
 * telling is dropped: `texts` counts, by text, how many more events than items there were.
 */
import type {
  ConversationMeta,
  Message,
  Part,
  Role,
  ToolCallPart,
  ToolResultPart,
} from "../../../conversations/model.ts";
import { defined } from "../../../kernel/defined.ts";
import { asNumber, asObject, asString, firstString, type Json, type JsonObject } from "../../../kernel/json.ts";
import { toIso } from "../../../kernel/time.ts";
import { isOwnFolder, type Transcript } from "../../history/reading/transcript.ts";
import { titleFrom } from "../../history/reading/wrappers.ts";
import { answerText, inputFiles, isSame, promptText, seal } from "./text.ts";

/** What later records need to know of earlier ones. Small, and `sealed` before it is kept until the next read. */
export interface Carry {
  /** The thread: known as soon as the first session_meta was read. */
  id?: string;
  turn?: string;
  model?: string;
  /** Records below this ordinal were copied from the parent. */
  ownFrom?: number;
  /** The last calls: id and tool. */
  calls: [string, string][];
  /** Texts told more often as an event than as an item, or less often. */
  texts: [string, number][];
  /** Indices of the last prompts: a rollback counts in prompts. */
  prompts: number[];
  /** The last thing the agent said in this turn. */
  said?: string;
  /** A prompt was read in this turn: another one was typed while the agent worked. */
  prompted?: boolean;
  /** Where the title comes from: a prompt, a name in the file, or one kept elsewhere (then its seal). */
  titled?: string;
}

export const NOTHING_READ: Carry = { calls: [], texts: [], prompts: [] };

const CALLS_KEPT = 48;
const TEXTS_KEPT = 16;
const PROMPTS_KEPT = 256;
const FROM_PROMPT = "prompt";
const IN_FILE = "name";

/** A telling counts up or down. */
export const EVENT = 1;
export const ITEM = -1;
export type Telling = typeof EVENT | typeof ITEM;

export interface Reading {
  transcript: Transcript<Carry>;
  /** Turns that the conversation it was forked from holds already. */
  inherited: ReadonlySet<string>;
  /** The name the user or Codex gave to the thread, when it is kept outside of the file. */
  nameOf: (id: string) => string | undefined;
  /** The record is the first of its file. */
  first: boolean;
  time?: string;
  /** The turn the record says it belongs to, when it does. */
  turn?: string;
}

/** A copy of the parent's meta may follow the file's own one: only the first counts, and a later one only if it is ours. */
export function readMeta(reading: Reading, meta: JsonObject, time: Json | undefined): void {
  const { transcript } = reading;
  if (transcript.carry.id !== undefined) return;
  const id = firstString(meta, "id") ?? transcript.meta.id;
  if (!reading.first && id !== transcript.meta.id) return;
  transcript.carry = defined({ ...transcript.carry, id, ownFrom: asNumber(meta.subagent_history_start_ordinal) });
  const project = firstString(meta, "cwd");
  transcript.learn({
    id,
    project,
    branch: firstString(asObject(meta.git), "branch"),
    created: toIso(meta.timestamp) ?? toIso(time),
    ...parentOf(meta),
    headless: isProgram(meta) || isOwnFolder(project) ? true : undefined,
  });
  learnKeptName(reading);
}

/** Codex's own `exec` is what people script with; an SDK or an MCP client is a program of its own. */
function isProgram(meta: JsonObject): boolean {
  return meta.source === "mcp" || /sdk/i.test(asString(meta.originator) ?? "");
}

function parentOf(meta: JsonObject): Pick<ConversationMeta, "parent" | "parent_kind"> {
  const subagent = asObject(meta.source).subagent;
  const spawned = firstString(asObject(asObject(subagent).thread_spawn), "parent_thread_id");
  const parent = spawned ?? firstString(meta, "parent_thread_id");
  if (parent !== undefined) return { parent, parent_kind: "subagent" };
  const fork = firstString(meta, "forked_from_id");
  if (fork === undefined) return {};
  return { parent: fork, parent_kind: subagent === undefined ? "fork" : "subagent" };
}

/** A name kept outside of the file outranks a prompt. */
export function learnKeptName(reading: Reading): void {
  const { transcript, nameOf } = reading;
  const title = titleFrom(nameOf(transcript.meta.id));
  if (title === undefined || transcript.carry.titled === IN_FILE || transcript.carry.titled === seal(title)) return;
  transcript.carry = { ...transcript.carry, titled: seal(title) };
  transcript.learn({ title });
}

/** A name told in the file outranks all others, a later one an earlier one. */
export function learnName({ transcript }: Reading, name: string | undefined): void {
  const title = titleFrom(name);
  if (title === undefined) return;
  transcript.carry = { ...transcript.carry, titled: IN_FILE };
  if (transcript.meta.title !== title) transcript.learn({ title });
}

export function readTurnContext(reading: Reading, context: JsonObject): void {
  const { transcript } = reading;
  const turn = asString(context.turn_id);
  if (turn !== undefined && turn !== transcript.carry.turn) startTurn(reading, turn);
  const model = firstString(context, "model");
  const cwd = firstString(context, "cwd");
  if (model !== undefined) {
    transcript.carry = { ...transcript.carry, model };
    if (transcript.meta.model !== model && !isInherited(reading)) transcript.learn({ model });
  }
  if (transcript.position === 0 && transcript.meta.project === undefined && cwd !== undefined)
    transcript.learn({ project: cwd });
}

export function startTurn({ transcript }: Reading, turn: string): void {
  const { said: _said, prompted: _prompted, ...carry } = transcript.carry;
  transcript.carry = { ...carry, turn };
}

/** What was told in a turn is not told again in another one. */
export function endTurn({ transcript }: Reading): void {
  const { prompted: _prompted, ...carry } = transcript.carry;
  transcript.carry = { ...carry, texts: [] };
}

function isInherited({ transcript, inherited, turn }: Reading): boolean {
  const own = turn ?? transcript.carry.turn;
  return own !== undefined && inherited.has(own);
}

export function add(reading: Reading, role: Role, parts: Part[], more: Pick<Message, "kind"> = {}): void {
  const { transcript, turn, time } = reading;
  if (isInherited(reading)) return;
  const model = role === "assistant" ? transcript.carry.model : undefined;
  const uid = turn ?? transcript.carry.turn;
  const message: Message = { role, parts, ...more };
  if (time !== undefined) message.time = time;
  if (uid !== undefined) message.uid = uid;
  if (model !== undefined) message.model = model;
  transcript.add(message, role === "assistant" || role === "tool");
}

/** Counts a telling of the text. True when nobody told it before. */
export function isNews({ transcript }: Reading, telling: Telling, kind: string, text: string): boolean {
  const key = `${kind}\n${text}`;
  const before = transcript.carry.texts.find(([each]) => isSame(each, key))?.[1] ?? 0;
  const texts = before === 0 ? transcript.carry.texts : transcript.carry.texts.filter(([each]) => !isSame(each, key));
  const rest: [string, number][] = before + telling === 0 ? texts : [...texts, [key, before + telling]];
  transcript.carry = { ...transcript.carry, texts: rest.slice(-TEXTS_KEPT) };
  return before * telling >= 0;
}

export function prompt(reading: Reading, telling: Telling, texts: string[], images = 0): void {
  const { transcript } = reading;
  const words = texts.map(promptText).filter((text) => text !== "");
  if (words.length === 0 && images === 0) return;
  if (words.length > 0 && !isNews(reading, telling, "user", words.join("").replace(/\s+/g, ""))) return;
  const { carry } = transcript;
  const queued = carry.prompted === true && carry.turn !== undefined;
  const prompts = [...carry.prompts, transcript.position].slice(-PROMPTS_KEPT);
  const untitled = carry.titled === undefined && words.length > 0 && !isInherited(reading);
  transcript.carry = { ...carry, prompts, prompted: true, ...(untitled ? { titled: FROM_PROMPT } : {}) };
  if (untitled) transcript.learn({ title: titleFrom(words[0]) });
  const text = [...words, ...Array<string>(images).fill("[image]")].join("\n");
  add(reading, "user", [{ type: "text", text }], queued ? { kind: "queued" } : {});
}

export function answer(reading: Reading, telling: Telling, raw: string): void {
  const { transcript } = reading;
  const { text, plans } = answerText(raw);
  const news = [text, ...plans].filter((each) => each !== "" && isNews(reading, telling, "assistant", each));
  if (text !== "") transcript.carry = { ...transcript.carry, said: text };
  add(
    reading,
    "assistant",
    news.map((each) => ({ type: "text", text: each })),
  );
}

export function think(reading: Reading, telling: Telling, texts: (string | undefined)[]): void {
  const news = texts
    .map((text) => text?.trim() ?? "")
    .filter((text) => text !== "" && isNews(reading, telling, "thinking", text));
  add(
    reading,
    "assistant",
    news.map((text) => ({ type: "thinking", text })),
  );
}

export function call(reading: Reading, id: string | undefined, name: string, input: Json): void {
  const { transcript } = reading;
  if (id !== undefined) {
    const calls: [string, string][] = [...transcript.carry.calls, [id, name]];
    transcript.carry = { ...transcript.carry, calls: calls.slice(-CALLS_KEPT) };
  }
  const part: ToolCallPart = { type: "tool_call", name, input };
  const files = inputFiles(input);
  if (id !== undefined) part.id = id;
  if (files) part.files = files;
  add(reading, "assistant", [part]);
}

export function nameOfCall({ transcript }: Reading, id: string | undefined): string | undefined {
  return transcript.carry.calls.findLast(([each]) => each === id)?.[1];
}

export function result(reading: Reading, id: string | undefined, more: Omit<ToolResultPart, "type" | "id">): void {
  const part: ToolResultPart = { type: "tool_result", ...more };
  const name = more.name ?? nameOfCall(reading, id);
  if (id !== undefined) part.id = id;
  if (name !== undefined) part.name = name;
  add(reading, "tool", [part]);
}

/** The last prompts and all that followed them are void. */
export function rollBack({ transcript }: Reading, turns: number): void {
  const { prompts } = transcript.carry;
  if (turns < 1 || prompts.length === 0) return;
  const kept = prompts.slice(0, -turns);
  const cut = prompts[kept.length] ?? 0;
  const untitled = kept.length === 0 && transcript.carry.titled === FROM_PROMPT;
  transcript.carry = defined({
    ...transcript.carry,
    prompts: kept,
    texts: [],
    said: undefined,
    prompted: undefined,
    titled: untitled ? undefined : transcript.carry.titled,
  });
  transcript.cut(cut);
}

/** The carry as it is kept: what was said can be recognised in it, but not read. */
export function sealed(carry: Carry): Carry {
  const texts = carry.texts.map(([text, count]): [string, number] => [seal(text), count]);
  return defined({ ...carry, texts, said: carry.said === undefined ? undefined : seal(carry.said) });
}
