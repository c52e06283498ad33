/**
 * CodeBuddy Code: one append-only file per session, with records in the form of OpenAI's Responses. The chats of its
 * editors have another form.
 */
import { basename, dirname } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { contentText, textPart } from "../../../history/building/blocks.ts";
import { parsedInput, textParts } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { isHousekeeping, titleFrom } from "../../../history/building/wrappers.ts";
import { documentSource } from "../../../history/forms/document.ts";
import { type LogReader, logSource, OpenCalls } from "../../../history/forms/log.ts";
import { fileContainer, walkFiles } from "../../../history/reading/files.ts";
import type { Source } from "../../../history/source.ts";
import { codebuddyEditorData, codebuddyProjects } from "../integration.ts";
import { editorChat, editorChats } from "./editor.ts";

const ID = "codebuddy";
/** `<project>/<session>/subagents/agent-<id>.jsonl` */
const MAX_DEPTH = 3;
/** The newest title a person gave wins, then the model's, then the topic. */
const TITLES = ["topic", "ai-title", "custom-title"];
const PROGRAM_MARKS = [
  "skipRun",
  "isMeta",
  "isCompactInternal",
  "isCompacted",
  "isSummary",
  "compactType",
  "teammateMessage",
];
const PROGRAM_TEXT = /^<(?:command-name|system-reminder|local-command-stdout)>/;

const code: Source = logSource({
  id: ID,
  places: (env) => codebuddyProjects(env).map((path) => ({ path, what: "sessions by project, subagents below them" })),
  discover: (env) =>
    codebuddyProjects(env)
      .flatMap((folder) => walkFiles(folder, MAX_DEPTH, (name) => name.endsWith(".jsonl")))
      .flatMap((path) => asList(fileContainer(ID, path))),
  open({ container }, facts): LogReader {
    const calls = new OpenCalls(facts?.calls);
    let rank = Number(facts?.rank ?? -1);
    const meta: LogReader["meta"] = { id: basename(container.path, ".jsonl"), ...parentOf(container.path) };
    return {
      meta,
      messages(record) {
        meta.project ??= firstString(record, "cwd");
        meta.created ??= toIso(record.timestamp);
        const titled = TITLES.indexOf(asString(record.type) ?? "");
        if (titled >= 0 && titled >= rank) {
          const title = titleFrom(firstString(record, "customTitle", "aiTitle", "title", "topic"));
          if (title !== undefined) {
            meta.title = title;
            rank = titled;
          }
        }
        const messages = messagesOf(record, calls);
        for (const message of messages) calls.remember(message);
        return messages;
      },
      facts: () => ({ calls: calls.toJson(), rank }),
    };
  },
});

const editor: Source = documentSource({
  id: ID,
  places: (env) => [{ path: codebuddyEditorData(env), what: "chats of editors, in <workspace>/history" }],
  discover: (env) => editorChats(ID, codebuddyEditorData(env)),
  read: editorChat,
});

export const codebuddyHistory: Source = {
  id: ID,
  places: (env) => [...code.places(env), ...editor.places(env)],
  discover: (env) => [...code.discover(env), ...editor.discover(env)],
  read: (request) => (request.container.path.endsWith(".jsonl") ? code : editor).read(request),
};

function parentOf(path: string): Partial<LogReader["meta"]> {
  const folder = dirname(path);
  return basename(folder) === "subagents" ? { parent: basename(dirname(folder)), parent_kind: "subagent" } : {};
}

function messagesOf(record: JsonObject, calls: OpenCalls): Message[] {
  const messages = recordMessages(record, calls);
  const [answer, ...others] = messages;
  const usage = answer?.role === "assistant" ? usageOf(record) : undefined;
  return answer && usage ? [{ ...answer, usage }, ...others] : messages;
}

/** The provider's own numbers, whose input includes the cache. Records of one request have the same message id. */
function usageOf(record: JsonObject): Usage[] | undefined {
  const provider = asObject(record.providerData);
  const own = firstString(provider, "messageId") ?? firstString(record, "id");
  const id = own === undefined ? undefined : requestId(ID, own);
  const model = firstString(provider, "model");
  return requestUsage(provider.rawUsage ?? provider.usage, { inputHasCache: true }, defined({ id, model }));
}

function recordMessages(record: JsonObject, calls: OpenCalls): Message[] {
  const common = { time: toIso(record.timestamp), uid: firstString(record, "id", "callId") };
  const model = firstString(asObject(record.providerData), "model");
  switch (record.type) {
    case "message":
      return spoken(record, common, model);
    case "reasoning":
      return unlessEmpty({
        ...common,
        role: "assistant",
        model,
        parts: asList(textPart("thinking", reasoningText(record))),
      });
    case "function_call": {
      const name = firstString(record, "name");
      if (name === undefined) return [];
      const id = asString(record.callId);
      const call = defined({ type: "tool_call" as const, id, name, input: parsedInput(record.arguments) });
      return unlessEmpty({ ...common, role: "assistant", model, parts: [call] });
    }
    case "function_call_result":
      return unlessEmpty({
        ...common,
        uid: common.uid && `${common.uid}:result`,
        role: "tool",
        parts: [resultOf(record, calls)],
      });
    case "summary":
      return unlessEmpty({
        ...common,
        role: "system",
        kind: "summary",
        parts: asList(textPart("text", firstString(record, "summary", "text"))),
      });
    default:
      return [];
  }
}

function spoken(record: JsonObject, common: Pick<Message, "time" | "uid">, model: string | undefined): Message[] {
  const texts = textParts(record.content);
  if (record.role === "assistant") return unlessEmpty({ ...common, role: "assistant", model, parts: texts });
  const provider = asObject(record.providerData);
  const isProgram = provider.agent === "compact" || PROGRAM_MARKS.some((mark) => Boolean(provider[mark]));
  if (record.role !== "user" || isProgram) return [];
  const typed = texts.filter((part) => "text" in part && !PROGRAM_TEXT.test(part.text) && !isHousekeeping(part.text));
  return unlessEmpty({ ...common, role: "user", parts: typed });
}

function reasoningText(record: JsonObject): string {
  const blocks = [...asArray(record.rawContent), ...asArray(record.summary), ...asArray(record.content)];
  return blocks
    .map((block) => firstString(asObject(block), "text") ?? "")
    .filter((text) => text !== "")
    .join("\n");
}

function resultOf(record: JsonObject, calls: OpenCalls): Part {
  const id = asString(record.callId);
  const output = contentText(record.output);
  const exit = /Exit Code: (-?\d+)\s*$/.exec(output);
  const named = calls.take(id);
  return defined({
    type: "tool_result" as const,
    id,
    name: firstString(record, "name") ?? named,
    output,
    is_error: record.status === "failed" ? true : undefined,
    exit_code: exit ? Number(exit[1]) : undefined,
  });
}
