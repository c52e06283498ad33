/** The wire log of Kimi Code: prompts, and the steps of the agent with their parts, calls and results. */
import type { Message, Part } from "../../../../conversations/model.ts";
import { requestId } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { contentText, textPart } from "../../../history/building/blocks.ts";
import { userParts } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { stripBlocks } from "../../../history/building/wrappers.ts";

interface CodeWire {
  created: string | undefined;
  folder: string | undefined;
  messages: Message[];
}

export function readCodeWire(records: readonly JsonObject[]): CodeWire {
  const steps = new Map<string, Message>();
  const names = new Map<string, string>();
  const messages: Message[] = [];
  let model: string | undefined;
  let created: string | undefined;
  let folder: string | undefined;
  let current = "";
  for (const record of records) {
    const time = toIso(record.time);
    model = firstString(record, "modelAlias") ?? model;
    folder = firstString(record, "cwd") ?? firstString(asObject(record.environmentDisclosure), "cwd") ?? folder;
    if (record.type === "metadata") created = toIso(record.created_at);
    if (record.type === "context.append_message") messages.push(...promptOf(asObject(record.message), time));
    if (record.type === "context.apply_compaction") {
      messages.push(
        ...unlessEmpty({
          role: "system",
          kind: "summary",
          time,
          parts: asList(textPart("text", asString(record.summary))),
        }),
      );
    }
    if (record.type !== "context.append_loop_event") continue;
    const event = asObject(record.event);
    if (event.type === "step.begin") current = asString(event.uuid) ?? `${record.time}`;
    const result = event.type === "tool.result" ? resultOf(event, names) : undefined;
    if (result)
      messages.push(defined<Message>({ role: "tool", time, parts: [result], uid: result.id && `${result.id}:result` }));
    if (event.type === "step.end") {
      const uid = asString(event.uuid) ?? current;
      const ended = steps.get(uid);
      if (ended) ended.usage = requestUsage(event.usage, {}, defined({ id: requestId(uid) }));
    }
    const part = partOf(event, names);
    if (!part) continue;
    const step = asString(event.stepUuid) ?? current;
    const open = steps.get(step);
    if (open) {
      open.parts.push(part);
      continue;
    }
    const message = defined<Message>({ role: "assistant", time, parts: [part], uid: step, model });
    steps.set(step, message);
    messages.push(message);
  }
  return { created, folder, messages };
}

/**
 * The same words were submitted as a `turn.prompt` before. Reminders of the program have another origin, and so has the
 * task of a subagent, which begins with facts about the repository.
 */
function promptOf(message: JsonObject, time: string | undefined): Message[] {
  const { kind = "user", name } = asObject(message.origin);
  const isTask = kind === "system_trigger" && name === "subagent";
  if (message.role !== "user" || !(isTask || kind === "user")) return [];
  const parts = userParts(message.content).flatMap((part): Part[] =>
    isTask && part.type === "text" ? asList(textPart("text", stripBlocks(part.text, ["git-context"]))) : [part],
  );
  return unlessEmpty({ role: "user", time, parts });
}

function partOf(event: JsonObject, names: Map<string, string>): Part | undefined {
  if (event.type === "content.part") {
    const part = asObject(event.part);
    return part.type === "think" ? textPart("thinking", asString(part.think)) : textPart("text", asString(part.text));
  }
  const name = firstString(event, "name");
  if (event.type !== "tool.call" || name === undefined) return undefined;
  const id = asString(event.toolCallId);
  if (id !== undefined) names.set(id, name);
  return defined({ type: "tool_call" as const, id, name, input: event.args ?? {} });
}

function resultOf(event: JsonObject, names: ReadonlyMap<string, string>): Extract<Part, { type: "tool_result" }> {
  const result = asObject(event.result);
  const id = asString(event.toolCallId);
  return defined({
    type: "tool_result" as const,
    id,
    name: id === undefined ? undefined : names.get(id),
    output: contentText(result.output),
    is_error: result.isError === true ? true : undefined,
  });
}
