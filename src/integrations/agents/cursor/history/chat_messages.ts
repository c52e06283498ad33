/** The messages of a chat of cursor-agent. Nothing has a time of its own, and equal texts are one blob listed twice. */
import type { Message, Part, ToolResultPart } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asNumber, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { blocksOf, contentText, isAttachment, textPart } from "../../../history/building/blocks.ts";
import type { ChatRecord } from "./blobs.ts";
import { promptText, promptTime } from "./prompt.ts";

export function chatMessages(records: readonly ChatRecord[]): Message[] {
  const names = new Map<string, string>();
  const given = new Set<string>();
  return records.flatMap(({ id, value }): Message[] => {
    const message = chatMessage(value, names);
    if (!message || message.parts.length === 0) return [];
    const first = !given.has(id);
    given.add(id);
    return [defined({ ...message, uid: first ? id : undefined })];
  });
}

const SUMMARY = /^\[?previous conversation summary\]?:/i;

function chatMessage(value: JsonObject, names: Map<string, string>): Message | undefined {
  const blocks = blocksOf(value.content);
  if (value.role === "user") {
    const parts = blocks.flatMap((block): Part[] => {
      if (isAttachment(block)) return [{ type: "text", text: "[image]" }];
      return some(textPart("text", promptText(asString(block.text) ?? "")));
    });
    const text = contentText(value.content);
    if (SUMMARY.test(text.trimStart())) return { role: "system", kind: "summary", parts };
    const time = promptTime(text);
    return { role: "user", ...(time === undefined ? {} : { time }), parts };
  }
  if (value.role === "assistant")
    return { role: "assistant", parts: blocks.flatMap((block) => assistantPart(block, names)) };
  if (value.role !== "tool") return undefined;
  return { role: "tool", parts: blocks.flatMap((block) => toolResult(block, value, names)) };
}

function assistantPart(block: JsonObject, names: Map<string, string>): Part[] {
  if (block.type === "text") return some(textPart("text", asString(block.text)));
  if (block.type === "reasoning") return some(textPart("thinking", asString(block.text)));
  const name = firstString(block, "toolName");
  if (block.type !== "tool-call" || name === undefined) return [];
  const id = firstString(block, "toolCallId");
  if (id !== undefined) names.set(id, name);
  return [defined({ type: "tool_call" as const, id, name, input: block.args ?? block.input ?? {} })];
}

function toolResult(block: JsonObject, value: JsonObject, names: ReadonlyMap<string, string>): ToolResultPart[] {
  if (block.type !== "tool-result") return [];
  const id = firstString(block, "toolCallId");
  const output = contentText(block.result ?? block.output ?? block.experimental_content);
  const exit = exitCode(value, output);
  return [
    defined({
      type: "tool_result" as const,
      id,
      name: firstString(block, "toolName") ?? names.get(id ?? ""),
      output,
      is_error: block.isError === true || (exit !== undefined && exit !== 0) ? true : undefined,
      exit_code: exit,
    }),
  ];
}

/**
 * Cursor stores the result in its own form next to the one the model sees; the latter begins with the exit code too.
 */
function exitCode(value: JsonObject, output: string): number | undefined {
  const cursor = asObject(asObject(value.providerOptions).cursor);
  const outcome = asObject(asObject(cursor.highLevelToolCallResult).output);
  for (const kind of ["success", "failure"]) {
    const exit = asNumber(asObject(outcome[kind]).exitCode);
    if (exit !== undefined) return exit;
  }
  const exitCodeMatch = /^Exit code: (-?\d{1,9})\b/.exec(output);
  return exitCodeMatch ? Number(exitCodeMatch[1]) : undefined;
}

function some<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
