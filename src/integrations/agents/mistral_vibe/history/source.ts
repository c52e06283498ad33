/**
 * Mistral Vibe: a folder per session with an append-only `messages.jsonl` and a `meta.json` that is rewritten at every
 * turn. Messages have no times.
 */
import { basename, dirname, join } from "node:path";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { chatMessages } from "../../../history/building/chat.ts";
import { requestUsage, withSessionUsage } from "../../../history/building/usage.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { documentSource, wholeObject, withSideFiles } from "../../../history/forms/document.ts";
import { type LogReader, logSource, OpenCalls } from "../../../history/forms/log.ts";
import { fileContainer, listDir } from "../../../history/reading/files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { Container, Source, SourceEnv } from "../../../history/source.ts";
import { vibeSessions } from "../integration.ts";

const ID = "mistral_vibe";

const form = {
  id: ID,
  places: (env: SourceEnv) => [
    { path: vibeSessions(env), what: "sessions, in <session>/messages.jsonl; before that one file per session" },
  ],
  discover(env: SourceEnv): Container[] {
    const entries = listDir(vibeSessions(env)).map((entry) => join(vibeSessions(env), entry.name));
    return entries
      .sort()
      .flatMap((entry) =>
        entry.endsWith(".json")
          ? (fileContainer(ID, entry) ?? [])
          : withSideFiles(ID, join(entry, "messages.jsonl"), [metaPath(entry)]),
      );
  },
};

const logs = logSource({
  ...form,
  open({ container }, facts): LogReader {
    const calls = new OpenCalls(facts?.calls);
    const folder = dirname(container.path);
    const meta = asObject(readSideJson(metaPath(folder)));
    const read = metaFrom(meta, basename(folder));
    return {
      meta: read,
      sessionUsage: () => usageOf(meta, read.id),
      messages(record) {
        if (record.injected === true) return [];
        const messages = chatMessages(record, (id) => calls.take(id));
        const uid = firstString(record, "message_id", "tool_call_id");
        for (const message of messages) {
          if (uid !== undefined) message.uid = uid;
          calls.remember(message);
        }
        return messages;
      },
      facts: () => ({ calls: calls.toJson() }),
    };
  },
});

/** Older versions wrote a session as one document. */
const documents = documentSource({
  ...form,
  read(request) {
    const document = wholeObject(request);
    if (document === undefined) return undefined;
    const messages = asArray(document.messages)
      .map(asObject)
      .filter((record) => record.injected !== true)
      .flatMap((record) => chatMessages(record));
    const meta = asObject(document.metadata ?? document.meta ?? document);
    const read = metaFrom(meta, basename(request.container.path, ".json"));
    return [{ meta: read, messages: withSessionUsage(messages, usageOf(meta, read.id)) }];
  },
});

export const mistralVibeHistory: Source = {
  ...form,
  read: (request) => (request.container.path.endsWith(".json") ? documents : logs).read(request),
};

function metaPath(folder: string): string {
  return join(folder, "meta.json");
}

function metaFrom(meta: JsonObject, name: string): LogReader["meta"] {
  const id = firstString(meta, "session_id") ?? name;
  const parent = firstString(meta, "parent_session_id");
  return {
    id,
    title: titleFrom(asString(meta.title)),
    project: firstString(asObject(meta.environment), "working_directory"),
    branch: firstString(meta, "git_branch"),
    created: toIso(meta.start_time),
    updated: toIso(meta.end_time),
    model: modelOf(meta),
    ...(parent !== undefined && parent !== id ? { parent, parent_kind: "fork" as const } : {}),
  };
}

/**
 * The sum of the session, whose input includes the cache. A session that continues another one may include the sum of
 * that one: of those, dex does not know it.
 */
function usageOf(meta: JsonObject, id: string): Usage[] | undefined {
  if (firstString(meta, "parent_session_id") !== undefined) return undefined;
  const stats = asObject(meta.stats);
  const counts = { input: stats.session_prompt_tokens, output: stats.session_completion_tokens };
  return requestUsage(counts, {}, defined({ id: requestId(ID, "session", id) }));
}

function modelOf(meta: JsonObject): string | undefined {
  return firstString(asObject(meta.config), "active_model") ?? firstString(meta, "model");
}
