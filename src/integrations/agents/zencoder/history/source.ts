/** Zencoder: one file per session with a header and one record per message. */
import { basename } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { blocksOf, contentText, textPart } from "../../../history/building/blocks.ts";
import { userParts } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { type LogReader, logSource, OpenCalls } from "../../../history/forms/log.ts";
import { fileContainer, walkFiles } from "../../../history/reading/files.ts";
import type { Source } from "../../../history/source.ts";
import { zencoderSessions } from "../integration.ts";

const ID = "zencoder";

export const zencoderHistory: Source = logSource({
  id: ID,
  places: ({ home }) => [{ path: zencoderSessions(home), what: "sessions" }],
  discover: ({ home }) =>
    walkFiles(zencoderSessions(home), 0, (name) => name.endsWith(".jsonl")).flatMap((path) =>
      asList(fileContainer(ID, path)),
    ),
  open({ container }, facts): LogReader {
    const calls = new OpenCalls(facts?.calls);
    const meta: LogReader["meta"] = { id: asString(facts?.id) ?? basename(container.path, ".jsonl") };
    return {
      meta,
      messages(record) {
        if (record.role === undefined) Object.assign(meta, headerOf(record, meta.id));
        if (record.role === "system") meta.project ??= folderIn(contentText(record.content));
        const messages = messagesOf(record, calls);
        for (const message of messages) calls.remember(message);
        return messages;
      },
      facts: () => ({ calls: calls.toJson() }),
    };
  },
});

function headerOf(record: JsonObject, name: string): Partial<LogReader["meta"]> {
  const id = firstString(record, "id") ?? name;
  const parent = firstString(record, "parentId");
  return defined({
    id,
    created: toIso(record.createdAt),
    headless: record.creationReason === "summarizationRequest" ? true : undefined,
    ...(parent === undefined || parent === id ? {} : { parent, parent_kind: "fork" as const }),
  });
}

/** The system prompt describes the environment, with the working folder on a line of its own. */
function folderIn(text: string): string | undefined {
  return /(?:working directory|cwd|workspace)[^\n:]{0,40}:\s*[`"']?([/~][^\n`"']{1,1000}|[A-Za-z]:\\[^\n`"']{1,1000})/i
    .exec(text)?.[1]
    ?.trim();
}

function messagesOf(record: JsonObject, calls: OpenCalls): Message[] {
  const time = toIso(record.createdAt);
  const blocks = blocksOf(record.content);
  switch (record.role) {
    case "user":
      return unlessEmpty({
        role: "user",
        time,
        parts: userParts(blocks.filter((block) => block.type !== "text" || block.tag === undefined)),
      });
    case "assistant":
      return unlessEmpty({ role: "assistant", time, parts: blocks.flatMap(answerPart) });
    case "tool":
      return unlessEmpty({
        role: "tool",
        time,
        parts: blocks.filter((block) => block.type === "tool-result").map((block) => resultOf(block, calls)),
      });
    default:
      return [];
  }
}

function answerPart(block: JsonObject): Part[] {
  if (block.type === "text") return asList(textPart("text", asString(block.text)));
  if (block.type === "reasoning") return asList(textPart("thinking", asString(block.text)));
  const name = firstString(block, "toolName");
  if (block.type !== "tool-call" || name === undefined) return [];
  return [defined({ type: "tool_call" as const, id: asString(block.toolCallId), name, input: block.input ?? {} })];
}

/** The result of a subagent names the session of its own. */
function resultOf(block: JsonObject, calls: OpenCalls): Part {
  const id = asString(block.toolCallId);
  const output = contentText(block.content);
  const agent = /<session-id>([\w-]{8,64})<\/session-id>/.exec(output)?.[1];
  return defined({
    type: "tool_result" as const,
    id,
    name: calls.take(id) ?? firstString(block, "toolName"),
    output,
    is_error: block.isError === true ? true : undefined,
    agent,
  });
}
