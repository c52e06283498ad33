/** The wire log of the older Kimi CLI: parts of an answer come in pieces, which belong together within a step. */
import type { Message, Part } from "../../../../conversations/model.ts";
import { requestId } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { contentText } from "../../../history/building/blocks.ts";
import { parsedInput, userParts } from "../../../history/building/chat.ts";
import { unlessEmpty } from "../../../history/building/messages.ts";
import { statedExitCode } from "../../../history/building/results.ts";
import { requestUsage } from "../../../history/building/usage.ts";

interface OpenCall {
  part: Extract<Part, { type: "tool_call" }>;
  json: string;
}

export function readCliWire(records: readonly JsonObject[]): Message[] {
  const messages: Message[] = [];
  const names = new Map<string, string>();
  let step: Message | undefined;
  let call: OpenCall | undefined;
  const add = (part: Part, time: string | undefined): void => {
    if (!step) {
      step = defined<Message>({ role: "assistant", time, parts: [] });
      messages.push(step);
    }
    const last = step.parts.at(-1);
    if (last && (part.type === "text" || part.type === "thinking") && last.type === part.type) last.text += part.text;
    else step.parts.push(part);
  };
  for (const record of records) {
    const message = asObject(record.message);
    const payload = asObject(message.payload);
    const time = toIso(record.timestamp);
    switch (message.type) {
      case "TurnBegin":
      case "SteerInput":
        step = undefined;
        messages.push(...unlessEmpty({ role: "user", time, parts: userParts(payload.user_input) }));
        break;
      case "StepBegin":
        step = undefined;
        break;
      case "ContentPart":
        if (typeof payload.text === "string" && payload.text !== "") add({ type: "text", text: payload.text }, time);
        if (typeof payload.think === "string" && payload.think !== "")
          add({ type: "thinking", text: payload.think }, time);
        break;
      case "ToolCall": {
        const { name = "", arguments: json } = asObject(payload.function);
        const id = asString(payload.id);
        const part = defined({ type: "tool_call" as const, id, name: String(name), input: parsedInput(json) });
        if (id !== undefined) names.set(id, part.name);
        call = { part, json: asString(json) ?? "" };
        if (part.name !== "") add(part, time);
        break;
      }
      case "ToolCallPart":
        if (!call) break;
        call.json += firstString(payload, "arguments_part") ?? "";
        call.part.input = parsedInput(call.json);
        break;
      case "StatusUpdate":
        // The status after a step; it is repeated when something else changed.
        if (step)
          step.usage ??= requestUsage(
            payload.token_usage,
            {},
            defined({ id: requestId(asString(payload.message_id)) }),
          );
        break;
      case "ToolResult":
        messages.push(...unlessEmpty({ role: "tool", time, parts: [resultOf(payload, names)] }));
        break;
      default:
    }
  }
  return messages;
}

function resultOf(payload: JsonObject, names: ReadonlyMap<string, string>): Part {
  const value = asObject(payload.return_value ?? payload.result);
  const id = asString(payload.tool_call_id);
  // The message says how the call ended, beside its output.
  const message = asString(value.message) ?? "";
  return defined({
    type: "tool_result" as const,
    id,
    name: id === undefined ? undefined : names.get(id),
    output: contentText(value.output) || message,
    is_error: value.is_error === true ? true : undefined,
    exit_code: statedExitCode(message),
  });
}
