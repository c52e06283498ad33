/**
 * Factory Droid: one append-only file per session, and next to it a `<session>.settings.json` that names the model.
 *
 * Its messages are in Anthropic's form: tool results come back inside user messages, next to the user's text.
 */
import { basename, join } from "node:path";
import type { Message, Part, ToolResultPart } from "../../../../conversations/model.ts";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import {
  assistantParts,
  attachmentText,
  blocksOf,
  isAttachment,
  resultPart,
  textPart,
} from "../../../history/building/blocks.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { isHousekeeping, stripBlocks, titleFrom } from "../../../history/building/wrappers.ts";
import { withSideFiles } from "../../../history/forms/document.ts";
import { type LogReader, logSource, OpenCalls } from "../../../history/forms/log.ts";
import { walkFiles } from "../../../history/reading/files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { Source } from "../../../history/source.ts";
import { factoryHome } from "../integration.ts";

const ID = "factory_droid";
const MAX_DEPTH = 2;
const NOISE = ["system-reminder", "system-notification"];

export const factoryDroidHistory: Source = logSource({
  id: ID,
  places: (env) => [{ path: join(factoryHome(env), "sessions"), what: "Factory Droid sessions" }],
  discover: (env) =>
    walkFiles(join(factoryHome(env), "sessions"), MAX_DEPTH, (name) => name.endsWith(".jsonl")).flatMap((path) =>
      withSideFiles(ID, path, [settingsPath(path)]),
    ),
  open({ container: { path } }, facts): LogReader {
    const calls = new OpenCalls(facts?.calls);
    const name = basename(path, ".jsonl");
    const settings = asObject(readSideJson(settingsPath(path)));
    const meta: LogReader["meta"] = defined({ id: asString(facts?.id) ?? name, model: firstString(settings, "model") });
    let hasBegun = facts !== undefined;
    return {
      meta,
      messages(record) {
        if (record.type === "session_start" && !hasBegun) Object.assign(meta, sessionMeta(record, name));
        const messages = recordMessages(record, calls);
        hasBegun ||= messages.length > 0;
        return messages;
      },
      sessionUsage: () => usageOf(settings, meta.id),
      facts: () => ({ calls: calls.toJson() }),
    };
  },
});

function settingsPath(path: string): string {
  return path.replace(/\.jsonl$/, ".settings.json");
}

/** Its own tokens: those of its subagents are in another sum of the same file, and in files of their own. */
function usageOf(settings: JsonObject, id: string): Usage[] | undefined {
  return requestUsage(settings.tokenUsage, {}, defined({ id: requestId(ID, "session", id) }));
}

function sessionMeta(start: JsonObject, name: string): Partial<LogReader["meta"]> {
  const id = firstString(start, "id") ?? name;
  const parent = firstString(start, "callingSessionId");
  return defined({
    id,
    title: titleFrom(firstString(start, "sessionTitle", "title")),
    project: firstString(start, "cwd"),
    created: toIso(start.timestamp),
    ...(parent && parent !== id ? { parent, parent_kind: "subagent" as const } : {}),
  });
}

/** `calls` has the tools whose results have not come yet, by call id. */
function recordMessages(record: JsonObject, calls: OpenCalls): Message[] {
  const time = toIso(record.timestamp);
  const uid = firstString(record, "id");
  if (record.type === "compaction_state") {
    const part = textPart("text", firstString(record, "summaryText", "summary"));
    return part ? [{ role: "system", time, parts: [part], uid, kind: "summary" }] : [];
  }
  if (record.type !== "message") return [];
  const message = asObject(record.message);
  const blocks = blocksOf(message.content);
  if (message.role === "assistant") {
    const parts = assistantParts(blocks);
    const answer: Message = { role: "assistant", time, parts, uid, model: firstString(message, "model", "modelId") };
    calls.remember(answer);
    return parts.length > 0 ? [answer] : [];
  }
  if (message.role !== "user" && message.role !== "tool") return [];
  return userMessages(blocks, calls).map((said, position) => ({
    ...said,
    time,
    uid: uid && (position === 0 ? uid : `${uid}:${said.role}`),
  }));
}

function userMessages(blocks: readonly JsonObject[], calls: OpenCalls): Message[] {
  const results: ToolResultPart[] = [];
  const typed: Part[] = [];
  for (const block of blocks) {
    if (block.type === "tool_result") {
      results.push(resultPart(block, (id) => calls.take(id)));
      continue;
    }
    const part = typedPart(block);
    if (part) typed.push(part);
  }
  const messages: Message[] = [];
  if (results.length > 0) messages.push({ role: "tool", parts: results });
  if (typed.length > 0) messages.push({ role: "user", parts: typed });
  return messages;
}

function typedPart(block: JsonObject): Part | undefined {
  if (isAttachment(block)) return textPart("text", attachmentText(block));
  const text = stripBlocks(asString(block.text) ?? "", NOISE);
  return isHousekeeping(text) ? undefined : textPart("text", text);
}
