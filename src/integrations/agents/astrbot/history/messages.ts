/**
 * The messages of AstrBot, in OpenAI's chat form. They have no times, but many prompts state one, and a record after each
 * turn names the rows of the web chat that show the turn, which have exact ones.
 */
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asNumber,
  asObject,
  asString,
  firstString,
  type Json,
  type JsonObject,
  parseJson,
} from "../../../../kernel/json.ts";
import { blocksOf, textPart } from "../../../history/building/blocks.ts";
import { chatMessages } from "../../../history/building/chat.ts";
import { asList } from "../../../history/building/messages.ts";
import { stripBlocks } from "../../../history/building/wrappers.ts";

/** When the web chat showed the prompt of a turn and the end of its answer. */
export interface TurnTimes {
  prompt?: string | undefined;
  answer?: string | undefined;
}

/** Facts about the sender and the time, which AstrBot adds to a prompt. */
const REMINDERS = ["system_reminder"];
const SUMMARY = /^(?:Our previous h|H)istory conversation summary: /;
/** AstrBot writes it in the role of the model, after a summary in the role of the user. */
const ACKNOWLEDGED = "Acknowledged the summary of our previous conversation history.";

/** `stated`: the times of prompts that state one. */
export function messagesOf(
  records: readonly JsonObject[],
  stated: ReadonlyMap<JsonObject, string>,
  timesOf: (turn: string) => TurnTimes,
): Message[] {
  const names = new Map<string, string>();
  const messages: Message[] = [];
  /** The first message of the turn. */
  let start = 0;
  for (const record of records) {
    const turn = turnOf(record);
    if (turn === undefined) {
      const time = stated.get(record);
      messages.push(...chatOf(record, names).map((each) => defined({ ...each, time })));
      continue;
    }
    const { prompt, answer } = timesOf(turn);
    const asked = messages.findIndex(({ role }, at) => at >= start && role === "user");
    const answered = messages.findLastIndex(({ role }, at) => at >= start && role === "assistant");
    for (const [at, time] of [[asked, prompt] as const, [answered, answer] as const]) {
      const message = messages[at];
      if (message && time !== undefined) messages[at] = { ...message, time };
    }
    start = messages.length;
  }
  return messages;
}

const TURN = "_checkpoint";

function turnOf(record: JsonObject): string | undefined {
  if (record.role !== TURN && record.type !== TURN) return undefined;
  return firstString(asObject(record.content), "id") ?? firstString(record, "id") ?? "";
}

function chatOf(record: JsonObject, names: Map<string, string>): Message[] {
  const text = typeof record.content === "string" ? record.content : "";
  if (SUMMARY.test(text)) return [{ role: "system", kind: "summary", parts: [{ type: "text", text }] }];
  if (record.role === "assistant" && text === ACKNOWLEDGED) return [];
  const typed = record.role === "user" ? { ...record, content: withoutReminders(record.content) } : record;
  return chatMessages(typed, (id) => names.get(id)).map((message) => {
    const parts = [...thoughts(record), ...message.parts];
    for (const part of parts) note(part, names);
    return { ...message, parts };
  });
}

function withoutReminders(content: Json | undefined): Json | undefined {
  if (typeof content === "string") return stripBlocks(content, REMINDERS);
  return blocksOf(content).map((block) => {
    const text = asString(block.text);
    return text === undefined ? block : { ...block, text: stripBlocks(text, REMINDERS) };
  });
}

function thoughts({ role, content }: JsonObject): Part[] {
  if (role !== "assistant" || !Array.isArray(content)) return [];
  return blocksOf(content).flatMap((block) =>
    block.type === "think" ? asList(textPart("thinking", asString(block.think))) : [],
  );
}

/** Tools that run a command return a JSON object with its exit code. */
function note(part: Part, names: Map<string, string>): void {
  if (part.type === "tool_call" && part.id !== undefined) names.set(part.id, part.name);
  if (part.type !== "tool_result" || !part.output.startsWith("{")) return;
  const exit = asNumber(asObject(parseJson(part.output)).exit_code);
  if (exit !== undefined && Number.isInteger(exit)) part.exit_code = exit;
}
