/** The Responses protocol of the scripted model: the events that Codex reads, and the same answer as one object. */
import { asObject, asString, type JsonObject } from "../../../src/kernel/json.ts";
import type { ModelProtocol, ModelReply, ModelRequest } from "./model_server.ts";

export const responsesProtocol: ModelProtocol = {
  path: /\/responses$/,
  isStreamed: ({ body }) => body.stream === true,
  whole: wholeResponse,
  events: responseEvents,
};

function wholeResponse(request: ModelRequest, reply: ModelReply, n: number): JsonObject {
  return responseObject(request, reply, n, "completed", outputItems(request, reply, n));
}

function responseEvents(request: ModelRequest, reply: ModelReply, n: number): string {
  const items = outputItems(request, reply, n);
  const events: JsonObject[] = [
    { type: "response.created", response: responseObject(request, reply, n, "in_progress", []) },
  ];
  items.forEach((item, index) => {
    const place = { output_index: index, item_id: item.id };
    events.push({ type: "response.output_item.added", output_index: index, item: opened(item) });
    if (item.type === "message") {
      events.push({ type: "response.output_text.delta", ...place, content_index: 0, delta: reply.text ?? "" });
    } else {
      events.push({ type: "response.function_call_arguments.delta", ...place, delta: item.arguments });
    }
    events.push({ type: "response.output_item.done", output_index: index, item });
  });
  events.push({ type: "response.completed", response: wholeResponse(request, reply, n) });
  return events
    .map((event, at) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`)
    .join("");
}

function outputItems(request: ModelRequest, reply: ModelReply, n: number): JsonObject[] {
  const items: JsonObject[] = [];
  if (reply.text !== undefined) {
    const content = [{ type: "output_text", text: reply.text, annotations: [] }];
    items.push({ type: "message", id: `msg_${n}`, role: "assistant", status: "completed", content });
  }
  (reply.toolCalls ?? []).forEach((call, index) => {
    items.push({
      type: "function_call",
      id: `fc_${n}_${index}`,
      call_id: `call_${n}_${index}`,
      status: "completed",
      arguments: JSON.stringify(call.arguments),
      ...namespaced(request, call.name),
    });
  });
  return items;
}

/** A tool inside a namespace is called by its own name, with the namespace in a separate field. */
function namespaced(request: ModelRequest, name: string): JsonObject {
  const dot = name.indexOf(".");
  const namespace = name.slice(0, Math.max(dot, 0));
  const tools = Array.isArray(request.body.tools) ? request.body.tools.map(asObject) : [];
  const isOffered = tools.some((tool) => tool.type === "namespace" && asString(tool.name) === namespace);
  return isOffered ? { name: name.slice(dot + 1), namespace } : { name };
}

/** An item as it is announced: without its content. */
function opened(item: JsonObject): JsonObject {
  const empty = item.type === "message" ? { content: [] } : { arguments: "" };
  return { ...item, status: "in_progress", ...empty };
}

function responseObject(
  request: ModelRequest,
  reply: ModelReply,
  n: number,
  status: string,
  output: JsonObject[],
): JsonObject {
  const { input = 0, output: written = 0 } = reply.usage ?? {};
  return {
    id: `resp_${n}`,
    object: "response",
    created_at: 0,
    status,
    model: asString(request.body.model) ?? "scripted",
    output,
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: written,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + written,
    },
  };
}
