/**
 * Reads a Codex rollout without duplicates.
 *
 * Codex records most things twice: as response items (what the model saw) and as events (what the screen showed). Items
 * rank first, but either may be missing. dex therefore takes a text from whichever record comes first and drops the
 * other: `texts` counts, by text, how many more events than items there were.
 *
 * TRAE CLI may record a text three times, and writes texts of its own as items of the user: there, only events are prompts,
 * and a text counts once in a turn.
 */
import type {
  ConversationMeta,
  Message,
  Part,
  Role,
  ToolCallPart,
  ToolResultPart,
} from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asNumber, asObject, asString, firstString, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import type { Transcript } from "../../../history/building/transcript.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { isOwnFolder } from "../../../history/reading/own_folder.ts";
import { answerText, folderInContext, hashOf, inputFiles, isSame, promptText } from "./text.ts";

/** State that later records need from earlier ones. It is small; `withHashedTexts` prepares it to be stored for the next read. */
export interface ResumeState {
  /** The thread: known once the first session_meta was read. */
  id?: string;
  turn?: string;
  model?: string;
  /** Records below this ordinal were copied from the parent. */
  ownFrom?: number;
  /** The last calls: id and tool. */
  calls: [string, string][];
  /** Texts recorded more often as an event than as an item, or less often. */
  texts: [string, number][];
  /** Indices of the last prompts: a rollback counts in prompts. */
  prompts: number[];
  /** The last text of the agent in this turn. */
  lastAnswer?: string;
  /** A prompt was read in this turn: any other was typed while the agent worked. */
  prompted?: boolean;
  /** Where the title comes from: a prompt, a name in the file, or a name stored elsewhere (then its hash). */
  titled?: string;
  /** The tokens of the thread so far, as the last count said. */
  total?: string;
  /** The last calls that a `history_mutation` recorded. */
  appended?: string[];
}

export const NOTHING_READ: ResumeState = { calls: [], texts: [], prompts: [] };

const MAX_CALLS = 48;
const MAX_TEXTS = 16;
const MAX_PROMPTS = 256;
const FROM_PROMPT = "prompt";
const IN_FILE = "name";

/** A record counts up or down. */
export const EVENT = 1;
export const ITEM = -1;
export type RecordForm = typeof EVENT | typeof ITEM;

export interface Reading {
  transcript: Transcript<ResumeState>;
  /** Turns that the conversation it was forked from already has. */
  inherited: ReadonlySet<string>;
  /** The thread's name from the user or Codex, if it is stored outside the file. */
  nameOf: (id: string) => string | undefined;
  dialect?: "trae";
  /** The record is the first of its file. */
  first: boolean;
  time?: string;
  /** The turn that the record names, if any. */
  turn?: string;
}

/**
 * A copy of the parent's meta may follow the file's own one: only the first counts, and a later one only if it is ours.
 */
export function readMeta(reading: Reading, meta: JsonObject, time: Json | undefined): void {
  const { transcript } = reading;
  if (transcript.state.id !== undefined) return;
  const id = firstString(meta, "id") ?? transcript.meta.id;
  if (!reading.first && id !== transcript.meta.id) return;
  transcript.state = defined({ ...transcript.state, id, ownFrom: asNumber(meta.subagent_history_start_ordinal) });
  const project = firstString(meta, "cwd");
  transcript.learn({
    id,
    project,
    branch: firstString(asObject(meta.git), "branch"),
    created: toIso(meta.timestamp) ?? toIso(time),
    ...parentOf(meta),
    headless: isProgram(meta) || isOwnFolder(project) ? true : undefined,
  });
  adoptStoredName(reading);
}

/** People write scripts with Codex's own `exec`; an SDK or an MCP client is a program. */
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

/** A name stored outside the file outranks a prompt. */
export function adoptStoredName(reading: Reading): void {
  const { transcript, nameOf } = reading;
  const title = titleFrom(nameOf(transcript.meta.id));
  if (title === undefined || transcript.state.titled === IN_FILE || transcript.state.titled === hashOf(title)) return;
  transcript.state = { ...transcript.state, titled: hashOf(title) };
  transcript.learn({ title });
}

/** A name recorded in the file outranks all others, and a later one an earlier one. */
export function learnName({ transcript }: Reading, name: string | undefined): void {
  const title = titleFrom(name);
  if (title === undefined) return;
  transcript.state = { ...transcript.state, titled: IN_FILE };
  if (transcript.meta.title !== title) transcript.learn({ title });
}

export function readTurnContext(reading: Reading, context: JsonObject): void {
  const { transcript } = reading;
  const turn = asString(context.turn_id);
  if (turn !== undefined && turn !== transcript.state.turn) startTurn(reading, turn);
  const model = firstString(context, "model");
  const cwd = firstString(context, "cwd");
  if (model !== undefined) {
    transcript.state = { ...transcript.state, model };
    if (transcript.meta.model !== model && !isInherited(reading)) transcript.learn({ model });
  }
  if (transcript.position === 0 && transcript.meta.project === undefined && cwd !== undefined)
    transcript.learn({ project: cwd });
}

export function startTurn({ transcript, dialect }: Reading, turn: string): void {
  const { lastAnswer: _lastAnswer, prompted: _prompted, ...state } = transcript.state;
  transcript.state = { ...state, turn, ...(dialect === "trae" ? { texts: [] } : {}) };
}

/** Duplicates are dropped only within one turn. */
export function endTurn({ transcript }: Reading): void {
  const { prompted: _prompted, ...state } = transcript.state;
  transcript.state = { ...state, texts: [] };
}

export function isInherited({ transcript, inherited, turn }: Reading): boolean {
  const own = turn ?? transcript.state.turn;
  return own !== undefined && inherited.has(own);
}

export function addMessage(reading: Reading, role: Role, parts: Part[], more: Pick<Message, "kind"> = {}): void {
  const { transcript, turn, time } = reading;
  if (isInherited(reading)) return;
  const model = role === "assistant" ? transcript.state.model : undefined;
  const uid = turn ?? transcript.state.turn;
  const message: Message = { role, parts, ...more };
  if (time !== undefined) message.time = time;
  if (uid !== undefined) message.uid = uid;
  if (model !== undefined) message.model = model;
  transcript.add(message, role === "assistant" || role === "tool");
}

/** Counts a record of the text. True if it is the first. */
export function isFirstRecord(reading: Reading, form: RecordForm, kind: string, text: string): boolean {
  const { transcript, dialect } = reading;
  const key = `${kind}\n${text}`;
  const before = transcript.state.texts.find(([each]) => isSame(each, key))?.[1] ?? 0;
  if (dialect === "trae" && before !== 0) return false;
  const texts = before === 0 ? transcript.state.texts : transcript.state.texts.filter(([each]) => !isSame(each, key));
  const rest: [string, number][] = before + form === 0 ? texts : [...texts, [key, before + form]];
  transcript.state = { ...transcript.state, texts: rest.slice(-MAX_TEXTS) };
  return before * form >= 0;
}

export function addPrompt(reading: Reading, form: RecordForm, texts: string[], images = 0): void {
  const { transcript } = reading;
  if (transcript.meta.project === undefined && transcript.position === 0) {
    const project = folderInContext(texts);
    if (project !== undefined) transcript.learn({ project });
  }
  const words = texts.map(promptText).filter((text) => text !== "");
  if (words.length === 0 && images === 0) return;
  if (words.length > 0 && !isFirstRecord(reading, form, "user", words.join("").replace(/\s+/g, ""))) return;
  const { state } = transcript;
  const queued = state.prompted === true && state.turn !== undefined;
  const prompts = [...state.prompts, transcript.position].slice(-MAX_PROMPTS);
  const untitled = state.titled === undefined && words.length > 0 && !isInherited(reading);
  transcript.state = { ...state, prompts, prompted: true, ...(untitled ? { titled: FROM_PROMPT } : {}) };
  if (untitled) transcript.learn({ title: titleFrom(words[0]) });
  const text = [...words, ...Array<string>(images).fill("[image]")].join("\n");
  addMessage(reading, "user", [{ type: "text", text }], queued ? { kind: "queued" } : {});
}

export function addAnswer(reading: Reading, form: RecordForm, raw: string): void {
  const { transcript } = reading;
  const { text, plans } = answerText(raw);
  const newTexts = [text, ...plans].filter((each) => each !== "" && isFirstRecord(reading, form, "assistant", each));
  if (text !== "") transcript.state = { ...transcript.state, lastAnswer: text };
  addMessage(
    reading,
    "assistant",
    newTexts.map((each) => ({ type: "text", text: each })),
  );
}

export function addThinking(reading: Reading, form: RecordForm, texts: (string | undefined)[]): void {
  const newTexts = texts
    .map((text) => text?.trim() ?? "")
    .filter((text) => text !== "" && isFirstRecord(reading, form, "thinking", text));
  addMessage(
    reading,
    "assistant",
    newTexts.map((text) => ({ type: "thinking", text })),
  );
}

export function addCall(reading: Reading, id: string | undefined, name: string, input: Json): void {
  const { transcript } = reading;
  if (id !== undefined) {
    const calls: [string, string][] = [...transcript.state.calls, [id, name]];
    transcript.state = { ...transcript.state, calls: calls.slice(-MAX_CALLS) };
  }
  const part: ToolCallPart = { type: "tool_call", name, input };
  const files = inputFiles(input);
  if (id !== undefined) part.id = id;
  if (files) part.files = files;
  addMessage(reading, "assistant", [part]);
}

/** True if the call was read from a `history_mutation`. */
export function isAppended({ transcript }: Reading, id: string | undefined): boolean {
  return id !== undefined && transcript.state.appended?.includes(id) === true;
}

export function markAppended({ transcript }: Reading, id: string): void {
  const appended = [...(transcript.state.appended ?? []).filter((each) => each !== id), id];
  transcript.state = { ...transcript.state, appended: appended.slice(-MAX_CALLS) };
}

export function nameOfCall({ transcript }: Reading, id: string | undefined): string | undefined {
  return transcript.state.calls.findLast(([each]) => each === id)?.[1];
}

export function addResult(reading: Reading, id: string | undefined, more: Omit<ToolResultPart, "type" | "id">): void {
  const part: ToolResultPart = { type: "tool_result", ...more };
  const name = more.name ?? nameOfCall(reading, id);
  if (id !== undefined) part.id = id;
  if (name !== undefined) part.name = name;
  addMessage(reading, "tool", [part]);
}

/** The last prompts and everything after them are void. */
export function rollBack({ transcript }: Reading, turns: number): void {
  const { prompts } = transcript.state;
  if (turns < 1 || prompts.length === 0) return;
  const kept = prompts.slice(0, -turns);
  const cut = prompts[kept.length] ?? 0;
  const untitled = kept.length === 0 && transcript.state.titled === FROM_PROMPT;
  transcript.state = defined({
    ...transcript.state,
    prompts: kept,
    texts: [],
    lastAnswer: undefined,
    prompted: undefined,
    titled: untitled ? undefined : transcript.state.titled,
  });
  transcript.cut(cut);
}

/** The state as it is stored: hashes replace the texts, which can then be recognised but not read. */
export function withHashedTexts(state: ResumeState): ResumeState {
  const texts = state.texts.map(([text, count]): [string, number] => [hashOf(text), count]);
  return defined({
    ...state,
    texts,
    lastAnswer: state.lastAnswer === undefined ? undefined : hashOf(state.lastAnswer),
  });
}
