/** Muse Code: a log of records per session, in folders by day; subagents have logs below the session's folder. */
import { basename, dirname } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  type JsonObject,
  parseJson,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { parsedInput } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { allRecords, documentSource } from "../../../history/forms/document.ts";
import { fileContainer, walkFiles } from "../../../history/reading/files.ts";
import type { ReadRequest, Source } from "../../../history/source.ts";
import { museSessions } from "../integration.ts";

const ID = "muse";
/** `YYYY/MM/DD/<session>/subagent/<child>/session.jsonl` */
const MAX_DEPTH = 6;

export const museHistory: Source = documentSource({
  id: ID,
  places: (env) => [{ path: museSessions(env), what: "sessions by day" }],
  discover: (env) =>
    walkFiles(museSessions(env), MAX_DEPTH, (name) => name === "session.jsonl").flatMap((path) =>
      asList(fileContainer(ID, path)),
    ),
  read: (request) => [conversation(request)],
});

function conversation(request: ReadRequest): WholeConversation {
  const folder = dirname(request.container.path);
  const id = basename(folder);
  const above = dirname(folder);
  const meta: WholeConversation["meta"] = { id };
  if (basename(above) === "subagent")
    Object.assign(meta, { parent: basename(dirname(above)), parent_kind: "subagent" });
  const names = new Map<string, string>();
  const messages = allRecords(request)
    .flatMap(unwrapped)
    .filter((record) => (firstString(asObject(record.stream), "id") ?? id) === id)
    .flatMap((record) => {
      learn(meta, record);
      return messagesOf(record, names);
    });
  return { meta, messages };
}

/** A frame holds several records as JSON texts. */
function unwrapped(record: JsonObject): JsonObject[] {
  const children =
    record.record_type === "retained_frame" || Array.isArray(record.children) ? asArray(record.children) : undefined;
  if (!children) return [record];
  return children.map((child) => asObject(parseJson(asString(asObject(child).record_json) ?? "")));
}

function learn(meta: WholeConversation["meta"], record: JsonObject): void {
  const payload = asObject(record.payload);
  meta.created ??= timeOf(record);
  meta.project ??= firstString(payload, "workspace_root", "cwd");
  const name = record.payload_type === "session.name.changed" ? asString(payload.new_name) : undefined;
  if (name !== undefined) Object.assign(meta, defined({ title: titleFrom(name) }));
}

/** Microseconds. */
function timeOf(record: JsonObject): string | undefined {
  const recorded = asNumber(record.recorded_at);
  return recorded === undefined ? undefined : toIso(Math.floor(recorded / 1000));
}

function messagesOf(record: JsonObject, names: Map<string, string>): Message[] {
  const payload = asObject(record.payload);
  const event = asObject(payload.event);
  if (record.payload_type !== "runtime.session" || payload.kind !== "run") return [];
  const common = { time: timeOf(record), uid: firstString(record, "id") };
  switch (event.kind) {
    case "started":
      return unlessEmpty({ ...common, role: "user", parts: asList(textPart("text", asString(event.prompt))) });
    case "assistant_message_committed":
      return unlessEmpty({ ...common, role: "assistant", parts: asList(textPart("text", asString(event.text))) });
    case "assistant_tool_calls_committed":
      return unlessEmpty({
        ...common,
        role: "assistant",
        parts: asArray(event.tool_calls).flatMap((call) => callOf(asObject(call), names)),
      });
    case "tool_result_batch_committed":
      return unlessEmpty({
        ...common,
        role: "tool",
        parts: asArray(event.results).map((result) => resultOf(asObject(result), names)),
      });
    default:
      return [];
  }
}

function callOf(call: JsonObject, names: Map<string, string>): Part[] {
  const name = firstString(call, "name");
  const id = asString(call.call_id);
  if (name === undefined) return [];
  if (id !== undefined) names.set(id, name);
  return [defined({ type: "tool_call" as const, id, name, input: parsedInput(call.args) })];
}

function resultOf(result: JsonObject, names: ReadonlyMap<string, string>): Part {
  const id = asString(result.tool_call_id);
  return defined({
    type: "tool_result" as const,
    id,
    name: id === undefined ? undefined : names.get(id),
    output: asString(result.text) ?? "",
    is_error: result.is_error === true ? true : undefined,
  });
}
