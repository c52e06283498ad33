/**
 * GitHub Copilot CLI: one append-only file of events per session, and next to it a small description of the workspace.
 */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Message, Part, ToolResultPart } from "../../../conversations/model.ts";
import { requestId } from "../../../conversations/usage.ts";
import { defined } from "../../../kernel/defined.ts";
import { errorMessage } from "../../../kernel/errors.ts";
import { type Line, readLines } from "../../../kernel/files/lines.ts";
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
} from "../../../kernel/json.ts";
import { toIso } from "../../../kernel/time.ts";
import { attachmentText, contentText } from "../../history/reading/blocks.ts";
import { fileContainer, listDir } from "../../history/reading/files.ts";
import { readRecords } from "../../history/reading/jsonl.ts";
import { isOwnFolder } from "../../history/reading/own_folder.ts";
import { canResume, resumeCheck } from "../../history/reading/resume.ts";
import { isReadable } from "../../history/reading/tail.ts";
import { heldBackOf, type Mark, Transcript } from "../../history/reading/transcript.ts";
import { requestUsage } from "../../history/reading/usage.ts";
import { stripBlocks, titleFrom } from "../../history/reading/wrappers.ts";
import type { Container, ReadRequest, Source } from "../../history/source.ts";
import { copilotHome } from "../integration.ts";

const ID = "copilot";
const EVENTS_FILE = "events.jsonl";

export const copilotHistory: Source = {
  id: ID,
  places(env) {
    return [
      {
        path: join(copilotHome(env), "session-state"),
        what: "one folder with events.jsonl, or one .jsonl file, per session",
      },
    ];
  },
  discover(env) {
    const found = new Map<string, Container>();
    for (const entry of listDir(join(copilotHome(env), "session-state"))) {
      const path = join(join(copilotHome(env), "session-state"), entry.name);
      const container = entry.isDirectory()
        ? sessionContainer(path)
        : entry.name.endsWith(".jsonl")
          ? fileContainer(ID, path)
          : undefined;
      if (!container) continue;
      // A session that was moved from a file to a folder continues in the folder.
      const id = sessionId(container.path);
      if (entry.isDirectory() || !found.has(id)) found.set(id, container);
    }
    return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  },
  read,
};

function sessionContainer(folder: string): Container | undefined {
  const events = fileContainer(ID, join(folder, EVENTS_FILE));
  const workspace = fileContainer(ID, join(folder, "workspace.yaml"));
  return events && workspace ? { ...events, stamp: `${events.stamp}+${workspace.stamp}` } : events;
}

function sessionId(path: string): string {
  return basename(path) === EVENTS_FILE ? basename(dirname(path)) : basename(path, ".jsonl");
}

/** State that later events need from earlier ones. */
interface ResumeState {
  model?: string;
  /** The last calls: id and tool. */
  calls: [string, string][];
  /** The last prompts: the event's id and the index of its message. A rewind names one of them. */
  prompts: [string, number][];
  /** The title is a name, not the first prompt. */
  named?: boolean;
  /** The output tokens of the answers since the last sum of the session, by model. */
  output: [string, number][];
}

const MAX_CALLS = 48;
const MAX_PROMPTS = 64;
const MAX_MODELS = 100;

type Reading = Transcript<ResumeState>;

function read(request: ReadRequest): Json | undefined {
  const { container, sink, state } = request;
  const { path } = container;
  if (!isReadable(path, sink)) return state;
  const saved = asObject(state);
  if (saved.stamp === container.stamp) return state;
  const resumed = resumeMark(path, saved);
  const { transcript, mark } = readFrom(request, resumed);
  if (!transcript.goesBackFurther) return stateOf(container, mark);
  return stateOf(container, readFrom(request, undefined, heldBackOf(container.bytes)).mark);
}

function stateOf({ path, stamp }: Container, mark: Mark<ResumeState> | undefined): Json | undefined {
  if (!mark) return undefined;
  const { offset, index, state } = mark;
  return { offset, index, check: resumeCheck(path, offset), stamp, carry: { ...state } };
}

function readFrom(
  { container: { path }, sink }: ReadRequest,
  resumed: Mark<ResumeState> | undefined,
  heldBack?: number,
): { transcript: Reading; mark: Mark<ResumeState> | undefined } {
  const start: Mark<ResumeState> = resumed ?? { offset: 0, index: 0, state: { calls: [], prompts: [], output: [] } };
  const transcript: Reading = new Transcript<ResumeState>(sink, { id: sessionId(path), source: ID }, start, heldBack);
  const workspace = workspaceOf(path);
  const project = workspace.get("cwd");
  if (!resumed) {
    transcript.learn({ project, branch: workspace.get("branch"), headless: isOwnFolder(project) ? true : undefined });
  }

  let end = start.offset;
  const lines = function* (): Generator<Line> {
    try {
      yield* readLines(path, { offset: start.offset });
    } catch (error) {
      sink.malformed(path, errorMessage(error));
    }
  };
  for (const { value, offset, end: behind } of readRecords(path, { lines: lines(), skip: canSkip, sink })) {
    transcript.begin(offset);
    READERS.get(asString(value.type) ?? "")?.(transcript, asObject(value.data), value);
    if (transcript.refused) break;
    end = behind;
  }
  // The name in the side file is the session's current one.
  learnName(transcript, workspace.get("name") ?? workspace.get("summary"));
  return { transcript, mark: transcript.close(end) };
}

/** Events without anything that a conversation needs. */
const SKIPPED_LINE =
  /^\{"type":"(?:hook|permission|system|assistant\.(?:turn|usage|intent|streaming|message_delta))[._a-z]*"/;

function canSkip(line: string): boolean {
  return SKIPPED_LINE.test(line) && line.endsWith("}") && !line.includes('}{"type"');
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

function learnName(transcript: Reading, name: string | undefined): void {
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
  const { model = "", output: before } = transcript.state;
  if (output === undefined || !(output > 0)) return;
  transcript.use([defined({ id, output, time, model: model || undefined })]);
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

function workspaceOf(path: string): Map<string, string> {
  if (basename(path) !== EVENTS_FILE) return new Map();
  try {
    return topLevelFields(readFileSync(join(dirname(path), "workspace.yaml"), "utf8").slice(0, 64 << 10));
  } catch {
    // Older versions have none.
    return new Map();
  }
}

/** Plain, quoted and block values of a YAML mapping: this file has no others. */
function topLevelFields(yaml: string): Map<string, string> {
  const fields = new Map<string, string>();
  const lines = yaml.split(/\r?\n/);
  lines.forEach((line, index) => {
    const [, key, raw = ""] = /^([A-Za-z_]\w*):(?:[ \t]+(.*))?$/.exec(line) ?? [];
    if (key === undefined) return;
    let value = raw.trim();
    if (/^[|>][+-]?\d?$/.test(value)) {
      const rest = lines.slice(index + 1);
      const end = rest.findIndex((each) => /^\S/.test(each));
      value = (end < 0 ? rest : rest.slice(0, end))
        .map((each) => each.trim())
        .join("\n")
        .trim();
    } else if (value.startsWith('"')) {
      value = asString(parseJson(value)) ?? value.slice(1, -1);
    } else if (value.startsWith("'")) {
      value = value.slice(1, -1).replaceAll("''", "'");
    } else if (value === "null" || value === "~") {
      value = "";
    }
    if (value !== "") fields.set(key, value);
  });
  return fields;
}

function resumeMark(path: string, saved: JsonObject): Mark<ResumeState> | undefined {
  const offset = asNumber(saved.offset);
  const index = asNumber(saved.index);
  const check = asString(saved.check);
  if (offset === undefined || index === undefined || check === undefined || !isObject(saved.carry)) return undefined;
  if (!canResume(path, { offset, index, check })) return undefined;
  const { model, calls, prompts, named, output } = saved.carry;
  return {
    offset,
    index,
    state: defined({
      model: asString(model),
      calls: asArray(calls).flatMap((each) => pair(each, asString)),
      prompts: asArray(prompts).flatMap((each) => pair(each, asNumber)),
      named: named === true ? true : undefined,
      output: asArray(output).flatMap((each) => pair(each, asNumber)),
    }),
  };
}

function pair<T>(saved: Json, second: (value: Json | undefined) => T | undefined): [string, T][] {
  const [key, value] = asArray(saved);
  const read = second(value);
  return typeof key === "string" && read !== undefined ? [[key, read]] : [];
}
