/** A session of Kiro's command line: a log of prompts, answers and results. Answers come in pieces with one id. */
import { basename } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asArray,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { isHousekeeping, titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { allRecords } from "../../../history/forms/document.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { ReadRequest } from "../../../history/source.ts";

export function cliSession(request: ReadRequest): WholeConversation {
  const { path } = request.container;
  const facts = asObject(readSideJson(path.replace(/\.jsonl$/, ".json")));
  const state = asObject(facts.session_state);
  const info = asObject(asObject(state.rts_model_state).model_info);
  const parent = parentOf(state);
  return {
    meta: {
      id: firstString(facts, "session_id") ?? basename(path, ".jsonl"),
      title: titleFrom(asString(facts.title)),
      project: firstString(facts, "cwd"),
      created: toIso(facts.created_at),
      updated: toIso(facts.updated_at),
      model: firstString(info, "model_id", "model_name"),
      ...(parent === undefined ? {} : { parent, parent_kind: "subagent" }),
    },
    messages: messagesOf(allRecords(request)),
  };
}

function parentOf(state: JsonObject): string | undefined {
  const [turn] = asArray(asObject(state.conversation_metadata).user_turn_metadatas);
  return firstString(asObject(asObject(asObject(turn).loop_id).agent_id), "parent_id");
}

function messagesOf(records: readonly JsonObject[]): Message[] {
  const messages: Message[] = [];
  const names = new Map<string, string>();
  for (const record of records) {
    const data = asObject(record.data);
    const blocks = asArray(data.content).map(asObject);
    const common = { time: toIso(asObject(data.meta).timestamp), uid: asString(data.message_id) };
    if (record.kind === "Prompt")
      messages.push(...unlessEmpty({ ...common, role: "user", parts: blocks.flatMap(typedPart) }));
    if (record.kind === "ToolResults") {
      const results = blocks
        .filter((block) => block.kind === "toolResult")
        .map((block) => resultOf(asObject(block.data), names));
      messages.push(...unlessEmpty({ ...common, role: "tool", parts: results }));
    }
    if (record.kind !== "AssistantMessage") continue;
    const parts = blocks.flatMap((block) => answerPart(block, names));
    const last = messages.at(-1);
    if (last?.role === "assistant" && last.uid !== undefined && last.uid === common.uid) last.parts.push(...parts);
    else messages.push(...unlessEmpty({ ...common, role: "assistant", parts }));
  }
  return messages;
}

function typedPart(block: JsonObject): Part[] {
  const text = asString(block.data);
  if (block.kind !== "text") return block.kind === "image" ? [{ type: "text", text: "[image]" }] : [];
  return text === undefined || isHousekeeping(text) ? [] : asList(textPart("text", text));
}

function answerPart(block: JsonObject, names: Map<string, string>): Part[] {
  if (block.kind === "text") return asList(textPart("text", asString(block.data)));
  if (block.kind === "thinking") return asList(textPart("thinking", asString(block.data)));
  const use = asObject(block.data);
  const name = firstString(use, "name");
  if (block.kind !== "toolUse" || name === undefined) return [];
  const id = asString(use.toolUseId);
  if (id !== undefined) names.set(id, name);
  const { __tool_use_purpose: _purpose, ...input } = asObject(use.input);
  return [defined({ type: "tool_call" as const, id, name, input: defined(input) })];
}

function resultOf(result: JsonObject, names: ReadonlyMap<string, string>): Part {
  const id = asString(result.toolUseId);
  const contents = asArray(result.content).map((each) => asObject(each).data);
  return defined({
    type: "tool_result" as const,
    id,
    name: id === undefined ? undefined : names.get(id),
    output: contents
      .map(resultText)
      .filter((text) => text !== "")
      .join("\n"),
    is_error: result.status === "error" ? true : undefined,
    exit_code: contents.map(exitCode).find((code) => code !== undefined),
  });
}

/** The text of a result of Kiro: of a command, what it printed. */
export function resultText(value: Json | undefined): string {
  if (typeof value === "string") return value;
  if (!isObject(value)) return value === undefined ? "" : JSON.stringify(value);
  if (value.stdout === undefined && value.stderr === undefined) return JSON.stringify(value);
  return [asString(value.stdout) ?? "", asString(value.stderr) ?? ""].filter((text) => text !== "").join("\n");
}

export function exitCode(value: Json | undefined): number | undefined {
  const status = /(\d+)\s*$/.exec(asString(asObject(value).exit_status) ?? "");
  return status ? Number(status[1]) : undefined;
}
