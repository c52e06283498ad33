/**
 * gptme: a folder per conversation. Tool calls are code blocks in the answer, and their output follows as messages of the
 * system. An edit rewrites the file.
 */
import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { asNumber, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { isHousekeeping } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { allRecords, documentSource } from "../../../history/forms/document.ts";
import { fileContainer, listDir } from "../../../history/reading/files.ts";
import type { Source } from "../../../history/source.ts";
import { gptmeLogs } from "../integration.ts";

const ID = "gptme";

export const gptmeHistory: Source = documentSource({
  id: ID,
  places: (env) => [{ path: gptmeLogs(env), what: "conversations, in <conversation>/conversation.jsonl" }],
  discover(env) {
    const folders = listDir(gptmeLogs(env)).map(({ name }) => join(gptmeLogs(env), name));
    return folders.sort().flatMap((folder) => asList(fileContainer(ID, join(folder, "conversation.jsonl"))));
  },
  read(request): WholeConversation[] {
    const folder = dirname(request.container.path);
    return [
      { meta: { id: basename(folder), project: workspace(folder) }, messages: allRecords(request).flatMap(messagesOf) },
    ];
  },
});

/** A link to the project's folder. */
function workspace(folder: string): string | undefined {
  try {
    return realpathSync(join(folder, "workspace"));
  } catch {
    return undefined;
  }
}

function answerFacts(metadata: JsonObject): Pick<Message, "model" | "usage"> {
  const cost = asNumber(metadata.cost);
  const usage = requestUsage(metadata.usage, {}, cost === undefined ? {} : { cost });
  return { model: firstString(metadata, "model"), usage };
}

function messagesOf(record: JsonObject): Message[] {
  const time = toIso(asString(record.timestamp));
  const content = asString(record.content) ?? "";
  const parts = asList(textPart("text", content));
  switch (record.role) {
    case "user":
      return isHousekeeping(content) ? [] : unlessEmpty({ role: "user", time, parts });
    case "assistant":
      return unlessEmpty({ role: "assistant", time, parts, ...answerFacts(asObject(record.metadata)) });
    case "system":
    case "tool":
      if (record.pinned === true || record.hide === true || parts.length === 0) return [];
      return unlessEmpty({ role: "tool", time, parts: [{ type: "tool_result", output: content }] });
    default:
      return [];
  }
}
