/**
 * Antigravity's readable transcripts: `antigravity…/brain/<session>/.system_generated/logs/transcript.jsonl`, one line
 * per step, appended. (The conversations proper are encrypted.)
 */
import { basename, dirname, join } from "node:path";
import type { Message, Part } from "../../../conversations/model.ts";
import { asArray, asObject, asString, firstString, type Json, type JsonObject } from "../../../kernel/json.ts";
import { toIso } from "../../../kernel/time.ts";
import { textPart } from "../../history/reading/blocks.ts";
import { listDir } from "../../history/reading/files.ts";
import { readRecords } from "../../history/reading/jsonl.ts";
import { resumePoint, tailOf } from "../../history/reading/tail.ts";
import { isHousekeeping, stripBlocks, unwrapBlocks } from "../../history/reading/wrappers.ts";
import { ConversationWriter } from "../../history/reading/writer.ts";
import type { ReadRequest } from "../../history/source.ts";

const TRANSCRIPT = join(".system_generated", "logs", "transcript.jsonl");
const NOISE = ["ADDITIONAL_METADATA", "USER_SETTINGS_CHANGE"];

/** Where transcripts would be; not every session has one. */
export function antigravityTranscripts(gemini: string): string[] {
  const homes = listDir(gemini).filter((entry) => entry.isDirectory() && entry.name.startsWith("antigravity"));
  return homes.flatMap((home) => {
    const brain = join(gemini, home.name, "brain");
    return listDir(brain)
      .filter((session) => session.isDirectory())
      .map((session) => join(brain, session.name, TRANSCRIPT));
  });
}

export function isAntigravity(path: string): boolean {
  return path.endsWith(TRANSCRIPT);
}

export function readAntigravity(request: ReadRequest, source: string): Json | undefined {
  const { path } = request.container;
  const tail = tailOf(path, request.state);
  const id = basename(dirname(dirname(dirname(path))));
  const writer = new ConversationWriter(request.sink, { id, source }, tail?.index);
  let offset = tail?.offset ?? 0;
  for (const { value, end } of readRecords(path, { offset, sink: request.sink })) {
    offset = end;
    const message = stepMessage(value);
    if (message) writer.message(message);
    if (writer.refused) return undefined;
  }
  if (tail && offset === tail.offset) return request.state;
  writer.close();
  return { ...resumePoint(path, offset, writer.index) };
}

function stepMessage(step: JsonObject): Message | undefined {
  const time = toIso(step.created_at);
  const content = asString(step.content) ?? "";
  if (step.source === "USER_EXPLICIT") {
    const text = unwrapBlocks(stripBlocks(content, NOISE), "USER_REQUEST");
    const part = isHousekeeping(text) ? undefined : textPart("text", text);
    return part && { role: "user", time, parts: [part] };
  }
  if (step.source !== "MODEL") return undefined;
  const type = asString(step.type) ?? "";
  if (type === "PLANNER_RESPONSE" || step.tool_calls !== undefined || step.thinking !== undefined) {
    const parts = plannerParts(step, content);
    return parts.length > 0 ? { role: "assistant", time, parts } : undefined;
  }
  // Every other step of the model is a tool at work, named by its type: its content is the tool's result.
  if (content.trim() === "") return undefined;
  const failed = asString(step.status) === "ERROR" ? { is_error: true } : {};
  return { role: "tool", time, parts: [{ type: "tool_result", name: type.toLowerCase(), output: content, ...failed }] };
}

function plannerParts(step: JsonObject, content: string): Part[] {
  const parts: Part[] = [];
  const thinking = textPart("thinking", asString(step.thinking));
  const text = textPart("text", content);
  if (thinking) parts.push(thinking);
  if (text) parts.push(text);
  for (const call of asArray(step.tool_calls).map(asObject)) {
    const name = firstString(call, "name");
    if (name) parts.push({ type: "tool_call", name, input: call.args ?? {} });
  }
  return parts;
}
