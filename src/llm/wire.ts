/** The chat completions protocol: builds requests, and parses answers, whole or streamed. */
import { asArray, asNumber, asObject, asString, type JsonObject, parseJson } from "../kernel/json.ts";

export interface ToolCall {
  id: string;
  name: string;
  /** JSON as the model wrote it; it may be malformed. */
  arguments: string;
}

export interface ChatMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  toolCalls?: readonly ToolCall[];
  /** In a tool's result: the call it belongs to. */
  toolCallId?: string;
}

export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema. */
  parameters: JsonObject;
}

export interface ModelRequest {
  messages: readonly ChatMessage[];
  tools?: readonly ToolDefinition[];
  /** JSON Schema of the answer. Some servers do not support it, so the messages must describe the form, too. */
  schema?: { name: string; schema: JsonObject };
  /** Overrides the settings. */
  temperature?: number;
  maxTokens?: number;
  signal?: AbortSignal;
  /** For the whole request with its retries; overrides the settings. */
  deadlineMs?: number;
  /** Makes the answer stream: called with each piece of text. */
  onText?(text: string): void;
  /** Called before each retry delay. */
  onRetry?(reason: string, waitMs: number): void;
}

/** A parsed answer, without its cost. */
export interface WireReply {
  text: string;
  toolCalls: ToolCall[];
  /** Why the model stopped: `stop`, `tool_calls`, `length`, …; undefined when the answer was cut off. */
  finish: string | undefined;
  usage: { input: number; output: number } | undefined;
  model: string | undefined;
}

/** Optional request fields that this server has refused. */
export type RefusedOptions = ReadonlySet<string>;

const MAX_CALLS = 128;

export function requestBody(model: string, request: ModelRequest, without: RefusedOptions): JsonObject {
  const body: JsonObject = { model, messages: request.messages.map(wireMessage) };
  if (request.tools && request.tools.length > 0) {
    body.tools = request.tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters },
    }));
  }
  if (request.schema && !without.has("response_format")) {
    body.response_format = { type: "json_schema", json_schema: { ...request.schema, strict: true } };
  }
  if (request.temperature !== undefined && !without.has("temperature")) body.temperature = request.temperature;
  if (request.maxTokens !== undefined) {
    body[without.has("max_tokens") ? "max_completion_tokens" : "max_tokens"] = request.maxTokens;
  }
  if (request.onText) {
    body.stream = true;
    if (!without.has("stream_options")) body.stream_options = { include_usage: true };
  }
  return body;
}

/** The optional field of the request that a refusal names; undefined when it is about something else. */
export function refusedOption(body: JsonObject, refusal: string): string | undefined {
  const options = ["response_format", "json_schema", "stream_options", "max_tokens", "temperature"];
  const named = options.find((option) => refusal.includes(option));
  const option = named === "json_schema" ? "response_format" : named;
  return option !== undefined && body[option] !== undefined ? option : undefined;
}

function wireMessage({ role, content, toolCalls, toolCallId }: ChatMessage): JsonObject {
  const message: JsonObject = { role, content };
  if (toolCallId !== undefined) message.tool_call_id = toolCallId;
  if (toolCalls && toolCalls.length > 0) {
    message.tool_calls = toolCalls.map(({ id, name, arguments: given }) => ({
      id,
      type: "function",
      function: { name, arguments: given },
    }));
  }
  return message;
}

/** Undefined when the text is not an answer. */
export function wholeReply(text: string): WireReply | undefined {
  const body = asObject(parseJson(text));
  const choice = asArray(body.choices).map(asObject)[0];
  if (!choice) return undefined;
  const message = asObject(choice.message);
  const calls = asArray(message.tool_calls).slice(0, MAX_CALLS).map(asObject);
  return {
    text: contentText(message.content),
    toolCalls: calls.map((call, i) => toolCall(call, i)),
    finish: asString(choice.finish_reason) ?? "stop",
    usage: usageOf(body.usage),
    model: asString(body.model),
  };
}

/** Some servers send the text in parts. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return asArray(content)
    .map((part) => asString(asObject(part).text) ?? "")
    .join("");
}

function toolCall(call: JsonObject, position: number): ToolCall {
  const named = asObject(call.function);
  const given = named.arguments;
  return {
    id: asString(call.id) ?? `call_${position}`,
    name: asString(named.name) ?? "",
    arguments: typeof given === "string" ? given : JSON.stringify(given ?? {}),
  };
}

function usageOf(value: unknown): WireReply["usage"] {
  const usage = asObject(value);
  const input = asNumber(usage.prompt_tokens);
  const output = asNumber(usage.completion_tokens);
  return input === undefined || output === undefined ? undefined : { input, output };
}

/** Assembles a reply from the events of a stream. Skips lines that are not events. */
export class StreamedReply {
  #text = "";
  #calls = new Map<number, ToolCall>();
  #finish: string | undefined;
  #usage: WireReply["usage"];
  #model: string | undefined;
  /** How many events were parsed. */
  events = 0;
  /** An error that the server reported within the stream. */
  failure: string | undefined;

  /** Parses one line of the stream and returns the text it adds. */
  line(line: string): string {
    if (!line.startsWith("data:")) return "";
    const data = line.slice(5).trim();
    if (data === "[DONE]") {
      this.#finish ??= "stop";
      return "";
    }
    const event = asObject(parseJson(data));
    if (event.error !== undefined) {
      this.failure = asString(asObject(event.error).message) ?? JSON.stringify(event.error);
      return "";
    }
    if (!Array.isArray(event.choices)) return "";
    this.events += 1;
    this.#model ??= asString(event.model);
    this.#usage = usageOf(event.usage) ?? this.#usage;
    const choice = asObject(event.choices[0]);
    const delta = asObject(choice.delta);
    for (const call of asArray(delta.tool_calls)) this.#addCall(asObject(call));
    this.#finish = asString(choice.finish_reason) ?? this.#finish;
    const text = contentText(delta.content);
    this.#text += text;
    return text;
  }

  reply(): WireReply {
    const toolCalls = [...this.#calls].sort(([a], [b]) => a - b).map(([, call]) => call);
    return { text: this.#text, toolCalls, finish: this.#finish, usage: this.#usage, model: this.#model };
  }

  #addCall(piece: JsonObject): void {
    const last = Math.max(-1, ...this.#calls.keys());
    // Servers that send no index start a new call with a new id.
    const at = asNumber(piece.index) ?? (asString(piece.id) !== undefined || last < 0 ? last + 1 : last);
    const known = this.#calls.get(at);
    if (!known && this.#calls.size >= MAX_CALLS) return;
    const named = asObject(piece.function);
    const given = asString(named.arguments) ?? "";
    if (!known) {
      this.#calls.set(at, {
        id: asString(piece.id) ?? `call_${at}`,
        name: asString(named.name) ?? "",
        arguments: given,
      });
      return;
    }
    if (known.name === "") known.name = asString(named.name) ?? "";
    known.arguments += given;
  }
}
