/**
 * The events of a session, one reader per type: prompts, answers, tool calls with their results, and the facts about the
 * session that Copilot records between them.
 */
import type { Message, Part, ToolResultPart } from "../../../../conversations/model.ts";
import { requestId } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { attachmentText, contentText } from "../../../history/building/blocks.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { stripBlocks, titleFrom } from "../../../history/building/wrappers.ts";
import { isOwnFolder } from "../../../history/reading/own_folder.ts";
import type { Reading } from "./resume_state.ts";

const MAX_CALLS = 48;
const MAX_PROMPTS = 64;
const MAX_MODELS = 100;

/** Events without anything that a conversation needs. */
const SKIPPED_LINE =
  /^\{"type":"(?:hook|permission|system|assistant\.(?:turn|usage|intent|streaming|message_delta))[._a-z]*"/;

export function canSkip(line: string): boolean {
  return SKIPPED_LINE.test(line) && line.endsWith("}") && !line.includes('}{"type"');
}

export function readEvent(transcript: Reading, event: JsonObject): void {
  READERS.get(asString(event.type) ?? "")?.(transcript, asObject(event.data), event);
}

type Reader = (transcript: Reading, data: JsonObject, event: JsonObject) => void;

const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries<Reader>({
    "session.start": readStart,
    "session.resume": readStart,
    "session.context_changed"(transcript, data) {
      readContext(transcript, data);
    },
    "session.model_change"(transcript, data) {
      learnModel(transcript, firstString(data, "newModel"));
    },
    "session.title_changed"(transcript, data) {
      learnName(transcript, firstString(data, "title"));
    },
    "session.compaction_complete"(transcript, data, event) {
      const text = firstString(data, "summaryContent", "summary")?.trim();
      if (text) transcript.add(message("system", event, [{ type: "text", text }], { kind: "summary" }), false);
    },
    "session.handoff"(transcript, data, event) {
      const text = firstString(data, "summary")?.trim();
      if (text) transcript.add(message("system", event, [{ type: "text", text }], { kind: "summary" }), false);
    },
    "session.shutdown": readSums,
    "session.snapshot_rewind"(transcript, data) {
      rewind(transcript, asString(data.upToEventId));
    },
    "user.message": readPrompt,
    "assistant.message": readAnswer,
    "tool.execution_start": readStartedTool,
    "tool.execution_complete": readResult,
  }),
);

function message(role: Message["role"], event: JsonObject, parts: Part[], more: Partial<Message> = {}): Message {
  return defined({ role, time: toIso(event.timestamp), parts, uid: asString(event.id), ...more });
}

function readStart(transcript: Reading, data: JsonObject): void {
  if (transcript.meta.created === undefined && transcript.position === 0) {
    transcript.learn({ created: toIso(data.startTime) });
  }
  learnModel(transcript, firstString(data, "selectedModel"));
  readContext(transcript, asObject(data.context));
}

/** A session belongs to the folder in which it began. */
function readContext(transcript: Reading, context: JsonObject): void {
  if (transcript.position > 0) return;
  const project = transcript.meta.project ?? firstString(context, "cwd", "gitRoot");
  const branch = transcript.meta.branch ?? firstString(context, "branch");
  transcript.learn({ project, branch, headless: isOwnFolder(project) ? true : undefined });
}

function learnModel(transcript: Reading, model: string | undefined): void {
  if (model === undefined) return;
  transcript.state = { ...transcript.state, model };
  if (transcript.meta.model !== model) transcript.learn({ model });
}

export function learnName(transcript: Reading, name: string | undefined): void {
  const title = titleFrom(name);
  if (title === undefined) return;
  transcript.state = { ...transcript.state, named: true };
  if (transcript.meta.title !== title) transcript.learn({ title });
}

/** Texts that Copilot itself inserts as the user's: skills, notifications, output of hooks. */
const NOT_TYPED = /^(?:skill|system|hook|notification|autopilot|schedule|agent|extension)/i;
const CONTEXT_TAGS = ["current_datetime", "system_reminder", "system_notification", "reminder"];

function readPrompt(transcript: Reading, data: JsonObject, event: JsonObject): void {
  if (NOT_TYPED.test(asString(data.source) ?? "")) return;
  const words = stripBlocks(asString(data.content) ?? "", CONTEXT_TAGS).trim();
  const text = [words, ...asArray(data.attachments).map((each) => attached(asObject(each)))].filter(Boolean).join("\n");
  if (text === "") return;
  const { state } = transcript;
  const id = asString(event.id) ?? "";
  const prompts: [string, number][] = [...state.prompts, [id, transcript.position]];
  transcript.state = { ...state, prompts: prompts.slice(-MAX_PROMPTS) };
  if (state.prompts.length === 0 && !state.named) transcript.learn({ title: titleFrom(text) });
  const queued = data.delivery === "queued" || data.delivery === "steering";
  transcript.add(message("user", event, [{ type: "text", text }], queued ? { kind: "queued" } : {}), false);
}

function attached(attachment: JsonObject): string {
  const path = firstString(attachment, "path", "filePath", "url");
  if (path !== undefined) return `[file: ${path}]`;
  const mime = firstString(attachment, "mimeType", "mediaType") ?? "";
  return attachmentText({ type: attachment.type === "image" || mime.startsWith("image/") ? "image" : "file" });
}

function readAnswer(transcript: Reading, data: JsonObject, event: JsonObject): void {
  learnModel(transcript, firstString(data, "model"));
  const parts: Part[] = [];
  const thinking = asString(data.reasoningText)?.trim();
  const text = asString(data.content)?.trim();
  if (thinking) parts.push({ type: "thinking", text: thinking });
  if (text) parts.push({ type: "text", text });
  for (const each of asArray(data.toolRequests)) {
    const request = asObject(each);
    const name = firstString(request, "name") ?? "unknown";
    const id = asString(request.toolCallId);
    parts.push(defined({ type: "tool_call" as const, id, name, input: inputOf(request.arguments) }));
    noteCall(transcript, id, name);
  }
  const uid = firstString(data, "messageId") ?? asString(event.id);
  transcript.add(message("assistant", event, parts, { uid, model: transcript.state.model }), true);
  readOutput(transcript, asNumber(data.outputTokens), requestId(uid), toIso(event.timestamp));
}

/** An answer says only how much the model wrote. */
function readOutput(
  transcript: Reading,
  output: number | undefined,
  id: string | undefined,
  time: string | undefined,
): void {
  const { model } = transcript.state;
  if (output === undefined || !(output > 0)) return;
  transcript.use([defined({ id, output, time, model: model || undefined })]);
  countOutput(transcript, output, model);
}

/** Output that has been counted before the session records its sums. */
export function countOutput(transcript: Reading, output: number | undefined, model = ""): void {
  if (output === undefined || !(output > 0)) return;
  const { output: before } = transcript.state;
  const sum = (before.find(([name]) => name === model)?.[1] ?? 0) + output;
  transcript.state = { ...transcript.state, output: [...before.filter(([name]) => name !== model), [model, sum]] };
}

/** At its end, a session records all tokens of its models: the output beyond that of the answers is added. */
function readSums(transcript: Reading, data: JsonObject, event: JsonObject): void {
  const { output: counted } = transcript.state;
  for (const [model, metrics] of Object.entries(asObject(data.modelMetrics)).slice(0, MAX_MODELS)) {
    const { usage, requests } = asObject(metrics);
    const written =
      (asNumber(asObject(usage).outputTokens) ?? 0) - (counted.find(([name]) => name === model)?.[1] ?? 0);
    const facts = { id: requestId(asString(event.id), model), model, time: toIso(event.timestamp) };
    const more = { ...facts, requests: asNumber(asObject(requests).count) };
    const sums = requestUsage(
      { ...asObject(usage), outputTokens: Math.max(0, written) },
      { inputHasCache: true },
      defined(more),
    );
    if (sums) transcript.use(sums);
  }
  transcript.state = { ...transcript.state, output: [] };
}

function inputOf(given: Json | undefined): Json {
  return (typeof given === "string" ? parseJson(given) : undefined) ?? given ?? null;
}

function noteCall(transcript: Reading, id: string | undefined, name: string): void {
  if (id === undefined) return;
  const calls: [string, string][] = [...transcript.state.calls, [id, name]];
  transcript.state = { ...transcript.state, calls: calls.slice(-MAX_CALLS) };
}

function nameOfCall(transcript: Reading, id: string | undefined): string | undefined {
  return transcript.state.calls.findLast(([each]) => each === id)?.[1];
}

/** Tools that no answer called: those the user ran, and those of older versions. */
function readStartedTool(transcript: Reading, data: JsonObject, event: JsonObject): void {
  const id = asString(data.toolCallId);
  if (nameOfCall(transcript, id) !== undefined) return;
  const name = firstString(data, "toolName", "mcpToolName") ?? "unknown";
  noteCall(transcript, id, name);
  const part: Part = defined({ type: "tool_call" as const, id, name, input: inputOf(data.arguments) });
  transcript.add(message("assistant", event, [part], { model: transcript.state.model }), false);
}

const EXIT = /\n?<(?:shellId: [^>\n]{1,40} completed|command exited|exited) with exit code (-?\d{1,10})>\s*$/;

function readResult(transcript: Reading, data: JsonObject, event: JsonObject): void {
  const id = asString(data.toolCallId);
  const result = isObject(data.result)
    ? (data.result.content ?? data.result.contents ?? data.result.detailedContent)
    : data.result;
  const failure = isObject(data.error) ? firstString(data.error, "message", "code") : asString(data.error);
  const outputText = failure ?? contentText(result);
  const exit = EXIT.exec(outputText);
  const part: ToolResultPart = defined({
    type: "tool_result" as const,
    id,
    name: nameOfCall(transcript, id),
    output: exit ? outputText.slice(0, exit.index) : outputText,
    is_error: data.success === false || (exit && exit[1] !== "0") ? true : undefined,
    exit_code: exit ? Number(exit[1]) : undefined,
  });
  transcript.add(message("tool", event, [part], { uid: undefined }), true);
}

/** The named event and everything after it are void. */
function rewind(transcript: Reading, id: string | undefined): void {
  const at = transcript.state.prompts.findIndex(([each]) => each === id);
  const [, index] = transcript.state.prompts[at] ?? [];
  if (index === undefined) return;
  transcript.state = { ...transcript.state, prompts: transcript.state.prompts.slice(0, at) };
  transcript.cut(index);
}
