/** OpenHands: a folder per conversation with its state and one small JSON file per event. */
import { basename, dirname, join } from "node:path";
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
import { contentText, textPart } from "../../../history/building/blocks.ts";
import { parsedInput, textParts, userParts } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { requestUsage, withSessionUsage } from "../../../history/building/usage.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { documentSource } from "../../../history/forms/document.ts";
import { fileContainer, listDir, statOrUndefined } from "../../../history/reading/files.ts";
import { readSideJson, readWholeJson } from "../../../history/reading/whole_json.ts";
import type { Container, ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { openhandsConversations } from "../integration.ts";

const ID = "openhands";
const STATE = "base_state.json";

export const openhandsHistory: Source = documentSource({
  id: ID,
  places: (env) => [{ path: openhandsConversations(env), what: "conversations, with one file per event" }],
  discover,
  read: (request) => [conversation(request)],
});

/** Events are only ever added, so their number and the time of their folder tell whether the conversation grew. */
function discover(env: SourceEnv): Container[] {
  const root = openhandsConversations(env);
  const states = listDir(root)
    .map(({ name }) => join(root, name, STATE))
    .sort();
  return states.flatMap((path) => {
    const container = fileContainer(ID, path);
    if (!container) return [];
    const events = join(dirname(path), "events");
    const changed = statOrUndefined(events)?.mtimeMs ?? 0;
    return { ...container, stamp: `${container.stamp}+${eventFiles(events).length}:${changed}` };
  });
}

function eventFiles(folder: string): string[] {
  const names = listDir(folder).map(({ name }) => name);
  return names.filter((name) => /^event-\d+.*\.json$/.test(name)).sort();
}

function conversation({ container, sink }: ReadRequest): WholeConversation {
  const folder = dirname(container.path);
  const state = asObject(readSideJson(container.path));
  const model = firstString(asObject(asObject(state.agent).llm), "model");
  const events = eventFiles(join(folder, "events")).flatMap((name) => {
    const event = readWholeJson(join(folder, "events", name), sink);
    return event.kind === "read" && isObject(event.value) ? [event.value] : [];
  });
  const id = firstString(state, "id") ?? basename(folder);
  return {
    meta: {
      id,
      title: titleFrom(asString(state.title)),
      project: firstString(asObject(state.workspace), "working_dir"),
      model,
    },
    messages: withSessionUsage(joined(events), usageOf(asObject(state.stats), id)),
  };
}

/** The sums so far of each model: that of the agent, and that of its summaries. The input includes the cache. */
function usageOf(stats: JsonObject, conversation: string): Usage[] | undefined {
  const models = Object.entries(asObject(stats.usage_to_metrics ?? stats.service_to_metrics));
  const sums = models.flatMap(([name, value]) => {
    const metrics = asObject(value);
    const counts = asObject(metrics.accumulated_token_usage);
    const requests = asArray(metrics.token_usages).length;
    const facts = {
      id: requestId(ID, conversation, name),
      model: firstString(metrics, "model_name") ?? firstString(counts, "model"),
      cost: asNumber(metrics.accumulated_cost),
      requests: requests > 0 ? requests : undefined,
    };
    return requestUsage(counts, { inputHasCache: true }, defined(facts)) ?? [];
  });
  return sums.length > 0 ? sums : undefined;
}

/** Calls with the same response id are the parallel calls of one answer. */
function joined(events: readonly JsonObject[]): Message[] {
  const messages: Message[] = [];
  let response: string | undefined;
  for (const event of events) {
    const id = event.kind === "ActionEvent" ? firstString(event, "llm_response_id") : undefined;
    const last = messages.at(-1);
    const [message, ...rest] = eventMessages(event);
    if (message && last && id !== undefined && id === response) last.parts.push(...message.parts);
    else if (message) messages.push(message);
    messages.push(...rest);
    if (message) response = id;
  }
  return messages;
}

function eventMessages(event: JsonObject): Message[] {
  const common = { time: toIso(utc(asString(event.timestamp))), uid: firstString(event, "id") };
  switch (event.kind) {
    case "MessageEvent": {
      const message = asObject(event.llm_message);
      const isUser = message.role === "user" && event.source !== "environment";
      const thinking = asList(textPart("thinking", asString(message.reasoning_content)));
      if (isUser) return unlessEmpty({ ...common, role: "user", parts: userParts(message.content) });
      return unlessEmpty({ ...common, role: "assistant", parts: [...thinking, ...textParts(message.content)] });
    }
    case "ActionEvent":
      return unlessEmpty({ ...common, role: "assistant", parts: actionParts(event) });
    case "ObservationEvent":
    case "UserRejectObservation":
    case "AgentErrorEvent":
      return unlessEmpty({ ...common, role: "tool", parts: [observation(event)] });
    case "Condensation":
    case "CondensationEvent":
      return unlessEmpty({
        ...common,
        role: "system",
        kind: "summary",
        parts: asList(textPart("text", asString(event.summary))),
      });
    default:
      return [];
  }
}

/** Its times are in UTC and name no zone. */
function utc(time: string | undefined): string | undefined {
  return time !== undefined && /T[\d:.]+$/.test(time) ? `${time}Z` : time;
}

function actionParts(event: JsonObject): Part[] {
  const action = asObject(event.action);
  const called = asObject(event.tool_call);
  const thought = contentText(event.thought);
  const thinking = [
    ...asList(textPart("thinking", asString(event.reasoning_content))),
    ...asList(textPart("text", thought)),
  ];
  if (action.kind === "FinishAction") return [...thinking, ...asList(textPart("text", asString(action.message)))];
  if (action.kind === "ThinkAction") return [...thinking, ...asList(textPart("thinking", asString(action.thought)))];
  const name = firstString(event, "tool_name") ?? firstString(called, "name");
  if (name === undefined) return thinking;
  const { kind: _kind, ...input } = action;
  const given = called.arguments === undefined ? defined(input) : parsedInput(called.arguments);
  return [...thinking, defined({ type: "tool_call" as const, id: asString(event.tool_call_id), name, input: given })];
}

function observation(event: JsonObject): Part {
  const seen = asObject(event.observation);
  const exit_code = asNumber(seen.exit_code) ?? asNumber(asObject(seen.metadata).exit_code);
  const failed = event.kind !== "ObservationEvent" || seen.is_error === true || seen.error === true;
  return defined({
    type: "tool_result" as const,
    id: asString(event.tool_call_id),
    name: firstString(event, "tool_name"),
    output: contentText(seen.content ?? seen.output) || (firstString(event, "error", "rejection_reason") ?? ""),
    is_error: failed ? true : undefined,
    exit_code: exit_code === -1 ? undefined : exit_code,
  });
}
