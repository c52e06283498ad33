/**
 * OpenCode's messages as stored in `message` and `part` rows (and in the JSON files before 1.2): a message has the role
 * and the time, its parts have the content. One assistant message may contain several steps of the model.
 */
import type { Message, Part, ToolCallPart, ToolResultPart } from "../../../../conversations/model.ts";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { requestUsage } from "../../../history/building/usage.ts";

export interface StoredPart {
  id: string;
  data: JsonObject;
}

export interface StoredMessage {
  id: string;
  /** Milliseconds. */
  created: number;
  data: JsonObject;
  parts: StoredPart[];
}

export function storedMessages(message: StoredMessage): Message[] {
  const time = toIso(message.created);
  if (message.data.role === "user") return userMessage(message, time);
  if (message.data.role !== "assistant") return [];
  if (message.data.summary === true) return summaryMessage(message, time);
  return new Steps(message, time).messages();
}

export function messageModel(data: JsonObject): string | undefined {
  return firstString(data, "modelID") ?? firstString(asObject(data.model), "modelID", "id");
}

/** The tokens of each step; older versions recorded those of the last step with the message. */
function answerUsage({ id, data, parts }: StoredMessage): Usage[] | undefined {
  const steps = parts.filter((part) => part.data.type === "step-finish");
  const found = steps.flatMap((step) => tokensOf(step.data, step.id) ?? []);
  return found.length > 0 ? found : tokensOf(data, id);
}

export function tokensOf(data: JsonObject, id: string): Usage[] | undefined {
  return requestUsage(data.tokens, { reasoningApart: true }, defined({ id: requestId(id), cost: asNumber(data.cost) }));
}

function userMessage(message: StoredMessage, time: string | undefined): Message[] {
  const texts = message.parts.filter(({ data }) => data.type === "text" || data.type === "subtask");
  // If all text comes from OpenCode, the files are its own too.
  if (texts.length > 0 && texts.every(({ data }) => isNoise(data))) return [];
  const parts = message.parts.flatMap(({ data }): Part[] => {
    if (isNoise(data)) return [];
    if (data.type === "text") return some(textPart("text", asString(data.text)));
    if (data.type === "subtask") return some(textPart("text", firstString(data, "prompt", "description")));
    return data.type === "file" ? [{ type: "text", text: attachment(data) }] : [];
  });
  return parts.length === 0 ? [] : [defined({ role: "user" as const, time, parts, uid: message.id })];
}

function summaryMessage(message: StoredMessage, time: string | undefined): Message[] {
  const parts = message.parts.flatMap(({ data }) =>
    data.type === "text" && data.ignored !== true ? some(textPart("text", asString(data.text))) : [],
  );
  if (parts.length === 0) return [];
  return [
    defined({
      role: "system" as const,
      time,
      parts,
      uid: message.id,
      model: messageModel(message.data),
      kind: "summary" as const,
      usage: answerUsage(message),
    }),
  ];
}

/** Splits an assistant message where results came back to the model and it continued. */
class Steps {
  readonly #message: StoredMessage;
  readonly #time: string | undefined;
  readonly #done: Message[] = [];
  #parts: Part[] = [];
  #results: ToolResultPart[] = [];
  #uid: string;
  #resultUid: string | undefined;
  #resultTime = 0;

  constructor(message: StoredMessage, time: string | undefined) {
    this.#message = message;
    this.#time = time;
    this.#uid = message.id;
  }

  messages(): Message[] {
    for (const part of this.#message.parts) this.#add(part);
    const error = errorText(this.#message.data.error);
    if (error !== undefined) this.#parts.push({ type: "text", text: error });
    this.#flush("");
    const [first, ...rest] = this.#done;
    return first ? [defined({ ...first, usage: answerUsage(this.#message) }), ...rest] : [];
  }

  #add({ id, data }: StoredPart): void {
    if (data.type === "step-start") {
      if (this.#results.length > 0) this.#flush(id);
      return;
    }
    if (data.type === "text" && !isNoise(data)) this.#parts.push(...some(textPart("text", asString(data.text))));
    if (data.type === "reasoning") this.#parts.push(...some(textPart("thinking", asString(data.text))));
    if (data.type !== "tool") return;
    const state = asObject(data.state);
    const name = asString(data.tool) ?? "";
    const callId = asString(data.callID);
    this.#parts.push(toolCall(callId, name, state));
    const result = toolResult(callId, name, state);
    if (!result) return;
    this.#resultUid ??= id;
    this.#resultTime = Math.max(this.#resultTime, asNumber(asObject(state.time).end) ?? 0);
    this.#results.push(result);
  }

  #flush(nextUid: string): void {
    const model = messageModel(this.#message.data);
    if (this.#parts.length > 0) {
      this.#done.push(
        defined({ role: "assistant" as const, time: this.#time, parts: this.#parts, uid: this.#uid, model }),
      );
    }
    if (this.#results.length > 0) {
      const time = toIso(this.#resultTime) ?? this.#time;
      this.#done.push(defined({ role: "tool" as const, time, parts: this.#results, uid: this.#resultUid }));
    }
    this.#parts = [];
    this.#results = [];
    this.#uid = nextUid;
    this.#resultUid = undefined;
    this.#resultTime = 0;
  }
}

export function toolCall(id: string | undefined, name: string, state: JsonObject): ToolCallPart {
  const files = namedFiles(state);
  return defined({
    type: "tool_call" as const,
    id,
    name,
    input: inputOf(state),
    files: files.length > 0 ? files : undefined,
  });
}

/** A call that is still being streamed has its input as raw text. */
function inputOf(state: JsonObject): Json {
  const input = state.input;
  if (isObject(input) && Object.keys(input).length > 0) return input;
  return firstString(state, "raw") ?? input ?? {};
}

function toolResult(id: string | undefined, name: string, state: JsonObject): ToolResultPart | undefined {
  if (state.status !== "completed" && state.status !== "error") return undefined;
  const metadata = asObject(state.metadata);
  const exit = asNumber(metadata.exit);
  const outputs =
    state.status === "error" ? [asString(state.error), asString(metadata.output)] : [asString(state.output)];
  const attached = asArray(state.attachments).map((file) => attachment(asObject(file)));
  return defined({
    type: "tool_result" as const,
    id,
    name,
    output: [...outputs, ...attached].filter((text) => text).join("\n"),
    // The tool `invalid` represents a call with invalid arguments: it failed although it completed.
    is_error: state.status === "error" || name === "invalid" || (exit !== undefined && exit !== 0) ? true : undefined,
    exit_code: exit,
    agent: firstString(metadata, "sessionId", "sessionID"),
  });
}

/** The files an edit touched: its input names them under its own keys, a patch only in its result. */
function namedFiles(state: JsonObject): string[] {
  const metadata = asObject(state.metadata);
  const touched = asArray(metadata.files).flatMap((file) => {
    const path = typeof file === "string" ? file : firstString(asObject(file), "filePath", "path", "file");
    return path ? [path] : [];
  });
  const named = firstString(asObject(state.input), "filePath") ?? firstString(asObject(metadata.filediff), "file");
  return [...new Set(named ? [named, ...touched] : touched)];
}

/** The placeholder of an attached file: its name, never its bytes. */
export function attachment(file: JsonObject): string {
  if (firstString(file, "mime")?.startsWith("image/")) return "[image]";
  const address = firstString(file, "url", "uri");
  const path =
    firstString(asObject(file.source), "path") ??
    firstString(file, "filename", "name") ??
    (address?.startsWith("data:") ? undefined : address);
  return path ? `[file ${path}]` : "[file]";
}

/** A person who stops the agent does not cause an error worth keeping. */
export function errorText(error: Json | undefined): string | undefined {
  const object = asObject(error);
  const kind = firstString(object, "name", "type") ?? "";
  if (/abort/i.test(kind)) return undefined;
  const message = firstString(asObject(object.data), "message") ?? firstString(object, "message");
  return message && `[error] ${message}`;
}

function isNoise(data: JsonObject): boolean {
  return data.synthetic === true || data.ignored === true;
}

function some<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
