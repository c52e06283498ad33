/** Anthropic's messages protocol of the scripted model: the events that Claude Code reads, or the same as one object. */
import { asString, type JsonObject } from "../../../src/kernel/json.ts";
import type { ModelProtocol, ModelReply, ModelRequest } from "./model_server.ts";

export const messagesProtocol: ModelProtocol = {
  path: /\/messages$/,
  isStreamed: ({ body }) => body.stream === true,
  whole: (request, reply, n) => {
    const content = blocksOf(reply, n);
    return { ...message(request, reply, n), content, stop_reason: stopReason(reply) };
  },
  events: (request, reply, n) => {
    const events: JsonObject[] = [{ type: "message_start", message: message(request, reply, n) }];
    blocksOf(reply, n).forEach((block, index) => {
      const isText = block.type === "text";
      const empty = isText ? { text: "" } : { input: {} };
      const delta = isText
        ? { type: "text_delta", text: block.text }
        : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
      events.push({ type: "content_block_start", index, content_block: { ...block, ...empty } });
      events.push({ type: "content_block_delta", index, delta });
      events.push({ type: "content_block_stop", index });
    });
    const delta = { stop_reason: stopReason(reply), stop_sequence: null };
    events.push({ type: "message_delta", delta, usage: { output_tokens: reply.usage?.output ?? 1 } });
    events.push({ type: "message_stop" });
    return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  },
};

function message(request: ModelRequest, { usage }: ModelReply, n: number): JsonObject {
  return {
    id: `msg_${n}`,
    type: "message",
    role: "assistant",
    model: asString(request.body.model) ?? "scripted",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: usage?.input ?? 1, output_tokens: usage?.output ?? 1 },
  };
}

function blocksOf(reply: ModelReply, n: number): JsonObject[] {
  const text = reply.text === undefined ? [] : [{ type: "text", text: reply.text }];
  const calls = (reply.toolCalls ?? []).map((call, index) => ({
    type: "tool_use",
    id: `toolu_${n}_${index}`,
    name: call.name,
    input: { ...call.arguments },
  }));
  return [...text, ...calls];
}

function stopReason({ toolCalls = [] }: ModelReply): string {
  return toolCalls.length > 0 ? "tool_use" : "end_turn";
}
