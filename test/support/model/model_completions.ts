/** The chat completions protocol of the scripted model: the chunks that OpenCode and Copilot CLI read, or one object. */
import { asObject, asString, type JsonObject } from "../../../src/kernel/json.ts";
import type { ModelProtocol, ModelReply, ModelRequest } from "./model_server.ts";

export const completionsProtocol: ModelProtocol = {
  path: /\/chat\/completions$/,
  isStreamed: ({ body }) => body.stream === true,
  whole: wholeCompletion,
  events: completionEvents,
};

function completion(request: ModelRequest, n: number, object: string): JsonObject {
  return { id: `chatcmpl-${n}`, object, created: 0, model: asString(request.body.model) ?? "scripted" };
}

function callsOf(reply: ModelReply, n: number): JsonObject[] {
  return (reply.toolCalls ?? []).map((call, index) => ({
    index,
    id: `call_${n}_${index}`,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
}

function usageOf(reply: ModelReply): JsonObject {
  const { input = 0, output = 0 } = reply.usage ?? {};
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function wholeCompletion(request: ModelRequest, reply: ModelReply, n: number): JsonObject {
  const calls = callsOf(reply, n).map(({ index, ...call }) => call);
  const message: JsonObject = { role: "assistant", content: reply.text ?? null };
  if (calls.length > 0) message.tool_calls = calls;
  const choice = { index: 0, message, finish_reason: calls.length > 0 ? "tool_calls" : "stop" };
  return { ...completion(request, n, "chat.completion"), choices: [choice], usage: usageOf(reply) };
}

function completionEvents(request: ModelRequest, reply: ModelReply, n: number): string {
  const base = completion(request, n, "chat.completion.chunk");
  const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const calls = callsOf(reply, n);
  const chunks = [chunk({ role: "assistant", content: "" })];
  for (const piece of pieces(reply.text ?? "")) chunks.push(chunk({ content: piece }));
  for (const call of calls) chunks.push(chunk({ tool_calls: [call] }));
  chunks.push(chunk({}, calls.length > 0 ? "tool_calls" : "stop"));
  const withUsage = asObject(request.body.stream_options).include_usage === true;
  if (withUsage) chunks.push({ ...base, choices: [], usage: usageOf(reply) });
  return `${chunks.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("")}data: [DONE]\n\n`;
}

/** A text in parts, as a model streams it. */
function pieces(text: string): string[] {
  const half = Math.ceil(text.length / 2);
  return [text.slice(0, half), text.slice(half)].filter((piece) => piece !== "");
}
