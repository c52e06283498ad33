/** The updates of a session of Grok Build, in the form of the Agent Client Protocol: texts come in chunks. */
import type { Message, Part } from "../../../../conversations/model.ts";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  isObject,
  type JsonObject,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { attachmentText, contentText, isAttachment } from "../../../history/building/blocks.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { isHousekeeping } from "../../../history/building/wrappers.ts";

interface OpenTool {
  call: Extract<Part, { type: "tool_call" }>;
  result?: Extract<Part, { type: "tool_result" }>;
}

export function updateMessages(records: readonly JsonObject[]): Message[] {
  const messages: Message[] = [];
  const tools = new Map<string, OpenTool>();
  let open: { message: Message; key: string } | undefined;
  const write = (role: Message["role"], key: string, time: string | undefined, part: Part, model?: string): void => {
    if (open?.key !== key || open.message.role !== role) {
      const message = defined<Message>({ role, time, parts: [], model });
      messages.push(message);
      open = { message, key };
    }
    const last = open.message.parts.at(-1);
    if (last && "text" in last && "text" in part && last.type === part.type) last.text += part.text;
    else open.message.parts.push(part);
  };
  for (const record of records) {
    const params = asObject(record.params);
    const update = asObject(params.update);
    const meta = { ...asObject(params._meta), ...asObject(update._meta) };
    const time = toIso(meta.agentTimestampMs) ?? toIso(record.timestamp);
    const prompt = String(meta.promptId ?? meta.promptIndex ?? "");
    const content = asObject(update.content);
    const text = asString(content.text) ?? (isAttachment(content) ? `\n${attachmentText(content)}` : "");
    const model = firstString(meta, "modelId");
    switch (update.sessionUpdate) {
      case "user_message_chunk":
        if (text !== "") write("user", prompt, time, { type: "text", text });
        break;
      case "agent_message_chunk":
        if (text !== "") write("assistant", prompt, time, { type: "text", text }, model);
        break;
      case "agent_thought_chunk":
        if (text !== "") write("assistant", prompt, time, { type: "thinking", text }, model);
        break;
      case "tool_call": {
        const tool = toolOf(update, meta);
        tools.set(tool.call.id ?? "", tool);
        write("assistant", prompt, time, tool.call, model);
        break;
      }
      case "tool_call_update":
        finish(tools.get(asString(update.toolCallId) ?? ""), update, time, messages);
        open = undefined;
        break;
      case "turn_completed":
        useTurn(messages, turnUsage(update, meta, time));
        break;
      default:
    }
  }
  return messages.filter(
    (message) => message.role !== "user" || !message.parts.every((part) => "text" in part && isHousekeeping(part.text)),
  );
}

/** A cost is in ticks. */
const TICKS_PER_DOLLAR = 1e10;

/**
 * The tokens of a turn, by model. The input includes the cache. Of a session with subagents, the turns have only its
 * own tokens.
 */
function turnUsage(update: JsonObject, meta: JsonObject, time: string | undefined): Usage[] {
  const whole = asObject(update.usage);
  const models = Object.entries(asObject(whole.modelUsage));
  const sums = models.length > 0 ? models : [[undefined, whole] as const];
  const turn = firstString(meta, "eventId") ?? firstString(update, "prompt_id", "promptId");
  return sums.flatMap(([model, counted]) => {
    const counts = asObject(counted);
    const ticks = whole.costIsPartial === true ? undefined : asNumber(counts.costUsdTicks);
    const facts = {
      id: turn === undefined ? undefined : requestId("grok_build", turn, model),
      model,
      time,
      requests: asNumber(counts.modelCalls),
      cost: ticks === undefined ? undefined : ticks / TICKS_PER_DOLLAR,
    };
    const { cacheCreationTokens, ...others } = counts;
    const named = { ...others, cacheWriteTokens: cacheCreationTokens ?? 0 };
    return requestUsage(named, { inputHasCache: true }, defined(facts)) ?? [];
  });
}

function useTurn(messages: Message[], usage: readonly Usage[]): void {
  const last = messages.at(-1);
  if (last && usage.length > 0) last.usage = [...(last.usage ?? []), ...usage];
}

function toolOf(update: JsonObject, meta: JsonObject): OpenTool {
  const name = firstString(asObject(meta["x.ai/tool"]), "name") ?? firstString(update, "title", "kind") ?? "tool";
  return {
    call: defined({ type: "tool_call" as const, id: asString(update.toolCallId), name, input: update.rawInput ?? {} }),
  };
}

/** Updates repeat the result as it grows: the last one counts. */
function finish(tool: OpenTool | undefined, update: JsonObject, time: string | undefined, messages: Message[]): void {
  if (!tool) return;
  if (isObject(update.rawInput)) tool.call.input = update.rawInput;
  const output = outputOf(update);
  if (output === undefined && update.status !== "completed" && update.status !== "failed") return;
  if (!tool.result) {
    tool.result = defined({ type: "tool_result" as const, id: tool.call.id, name: tool.call.name, output: "" });
    messages.push(defined<Message>({ role: "tool", time, parts: [tool.result] }));
  }
  if (output !== undefined) tool.result.output = output;
  if (update.status === "failed") tool.result.is_error = true;
  const raw = asObject(update.rawOutput);
  const exitCode = asNumber(raw.exit_code) ?? asNumber(raw.exitCode);
  if (exitCode !== undefined) tool.result.exit_code = exitCode;
}

function outputOf(update: JsonObject): string | undefined {
  const texts = asArray(update.content).map((block) => asString(asObject(asObject(block).content).text) ?? "");
  const shown = texts.filter((text) => text !== "").join("\n");
  if (shown !== "") return shown;
  return update.rawOutput === undefined || update.rawOutput === null ? undefined : contentText(update.rawOutput);
}
