/**
 * One request of a chat: the prompt and its answer. The model's own record of the answer, in rounds with calls and
 * results, is there when the request ended; the parts as shown are all there is before that, and for other agents.
 */
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
import { parsedInput } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { isHousekeeping } from "../../../history/building/wrappers.ts";
import { shownParts } from "./shown.ts";

export function requestMessages(request: JsonObject, position: string): Message[] {
  // Undone by going back to a checkpoint.
  if (request.shouldBeRemovedOnSend !== undefined || request.isHidden === true) return [];
  const uid = firstString(request, "requestId") ?? position;
  const time = toIso(request.timestamp);
  const metadata = asObject(asObject(request.result).metadata);
  const model = firstString(metadata, "resolvedModel") ?? firstString(request, "modelId")?.replace(/^copilot\//, "");
  const typed =
    typeof request.message === "string" ? request.message : (asString(asObject(request.message).text) ?? "");
  const parts = isHousekeeping(typed) ? [] : [...asList(textPart("text", typed)), ...attachments(request)];
  const rounds = asArray(metadata.toolCallRounds).filter(isObject);
  const answer =
    rounds.length > 0
      ? roundMessages(rounds, asObject(metadata.toolCallResults), uid, time, model)
      : shownMessages(request, uid, time, model);
  return [...unlessEmpty({ role: "user", time, uid, parts }), ...answer];
}

/** Files that the user named; the editor attaches others on its own. */
function attachments(request: JsonObject): Part[] {
  const variables = asArray(asObject(request.variableData).variables).filter(isObject);
  const own = variables.filter((each) => each.kind === "image");
  return own.map((): Part => ({ type: "text", text: "[image]" }));
}

function roundMessages(
  rounds: readonly JsonObject[],
  results: JsonObject,
  uid: string,
  asked: string | undefined,
  model: string | undefined,
): Message[] {
  return rounds.flatMap((round, position) => {
    const time = toIso(round.timestamp) ?? asked;
    const id = firstString(round, "id") ?? `${uid}:${position}`;
    const calls = asArray(round.toolCalls).filter(isObject);
    const parts = [
      ...asList(textPart("thinking", joined(asObject(round.thinking).text))),
      ...asList(textPart("text", asString(round.response))),
      ...calls.flatMap(callOf),
    ];
    const answers = calls.flatMap((call) => resultOf(call, results));
    return [
      ...unlessEmpty({ role: "assistant", time, uid: id, model, parts }),
      ...unlessEmpty({ role: "tool", time, uid: `${id}:tool`, parts: answers }),
    ];
  });
}

function joined(text: Json | undefined): string | undefined {
  return Array.isArray(text) ? text.map((each) => asString(each) ?? "").join("") : asString(text);
}

function callOf(call: JsonObject): Part[] {
  const name = firstString(call, "name");
  if (name === undefined) return [];
  return [defined({ type: "tool_call" as const, id: asString(call.id), name, input: parsedInput(call.arguments) })];
}

function resultOf(call: JsonObject, results: JsonObject): Part[] {
  const id = asString(call.id);
  const result = id === undefined ? undefined : results[id];
  if (!isObject(result)) return [];
  const output = asArray(result.content).map((item) => itemText(asObject(item).value));
  return [
    defined({ type: "tool_result" as const, id, name: firstString(call, "name"), output: output.join("\n").trim() }),
  ];
}

/** A text, or a tree of elements whose leaves have the text. */
function itemText(value: Json | undefined): string {
  if (typeof value === "string") return value;
  return isObject(value) ? treeText(value.node, 0) : "";
}

const TEXT_NODE = 2;
const MAX_TREE_DEPTH = 200;

function treeText(value: Json | undefined, depth: number): string {
  if (!isObject(value) || depth > MAX_TREE_DEPTH) return "";
  if (value.type === TEXT_NODE) return `${value.lineBreakBefore === true ? "\n" : ""}${asString(value.text) ?? ""}`;
  return asArray(value.children)
    .map((child) => treeText(child, depth + 1))
    .join("");
}

function shownMessages(
  request: JsonObject,
  uid: string,
  time: string | undefined,
  model: string | undefined,
): Message[] {
  const parts = shownParts(asArray(request.response));
  const results = parts.filter((part) => part.type === "tool_result");
  return [
    ...unlessEmpty({
      role: "assistant",
      time,
      uid: `${uid}:answer`,
      model,
      parts: parts.filter((part) => part.type !== "tool_result"),
    }),
    ...unlessEmpty({ role: "tool", time, uid: `${uid}:tool`, parts: results }),
  ];
}
