/** The chat completions protocol: requests as servers read them, answers whole or streamed as events. */
import { asArray, asNumber, asObject, asString, type JsonObject, parseJson } from "../kernel/json.ts";
import type { ChatMessage, ModelRequest, ToolCall } from "./model.ts";

/** What an answer says, before its cost is known. */
export interface WireReply {
  text: string;
  toolCalls: ToolCall[];
  /** Why the model stopped: `stop`, `tool_calls`, `length`, …; undefined when the answer was cut off. */
  finish: string | undefined;
  usage: { input: number; output: number } | undefined;
  model: string | undefined;
}

/** What the protocol knows and this model's server refuses, when a server says so. */
export type Without = ReadonlySet<string>;

const MOST_CALLS = 128;

export function requestBody(model: string, request: ModelRequest, without: Without): JsonObject {
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

/** The optional part of the request that a refusal names; undefined when it is about something else. */
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

/** Undefined when the text is no answer. */
export function wholeReply(text: string): WireReply | undefined {
  const body = asObject(parseJson(text));
  const choice = asArray(body.choices).map(asObject)[0];
  if (!choice) return undefined;
  const message = asObject(choice.message);
  const calls = asArray(message.tool_calls).slice(0, MOST_CALLS).map(asObject);
  return {
    text: contentText(message.content),
    toolCalls: calls.map((call, i) => toolCall(call, i)),
    finish: asString(choice.finish_reason) ?? "stop",
    usage: usageOf(body.usage),
    model: asString(body.model),
  };
}

/** Some servers give the text in parts. */
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

/** Puts the events of a stream together. A line that is no event is passed over. */
export class StreamedReply {
  #text = "";
  #calls = new Map<number, ToolCall>();
  #finish: string | undefined;
  #usage: WireReply["usage"];
  #model: string | undefined;
  /** Events understood. */
  events = 0;
  /** What the server says went wrong in the middle. */
  failure: string | undefined;

  /** Takes one line of the stream and returns the text it adds. */
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
    // Servers that give no position begin a new call with a new id.
    const at = asNumber(piece.index) ?? (asString(piece.id) !== undefined || last < 0 ? last + 1 : last);
    const known = this.#calls.get(at);
    if (!known && this.#calls.size >= MOST_CALLS) return;
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
