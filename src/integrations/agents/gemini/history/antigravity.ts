/**
 * Antigravity's readable transcripts, in `antigravity…/brain/<session>/.system_generated/logs`: one line per step,
 * appended. `transcript.jsonl` shortens long fields; newer builds write `transcript_full.jsonl` beside it. Neither names
 * the project: other files of Antigravity do.
 */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import {
  asArray,
  asObject,
  asString,
  firstString,
  type Json,
  type JsonObject,
  parseJson,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { blockTexts, isHousekeeping, stripBlocks, unwrapBlocks } from "../../../history/building/wrappers.ts";
import { ConversationWriter } from "../../../history/building/writer.ts";
import { folderOfUri } from "../../../history/folders.ts";
import { listDir, statOrUndefined } from "../../../history/reading/files.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { resumePoint, silent, tailOf } from "../../../history/reading/tail.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { ReadRequest } from "../../../history/source.ts";

const LOGS = join(".system_generated", "logs");
/** The whole one comes first. */
const TRANSCRIPTS = ["transcript_full.jsonl", "transcript.jsonl"];
const NOISE = ["ADDITIONAL_METADATA", "USER_SETTINGS_CHANGE"];

/** The folders of its editor, its newer editor and its command line. */
export function antigravityHomes(gemini: string): string[] {
  const homes = listDir(gemini).filter((entry) => entry.isDirectory() && entry.name.startsWith("antigravity"));
  return homes.map(({ name }) => join(gemini, name));
}

/** The fullest transcript of a session; not every session has one. */
export function transcriptOf(home: string, session: string): string | undefined {
  const logs = join(home, "brain", session, LOGS);
  return TRANSCRIPTS.map((name) => join(logs, name)).find((path) => existsSync(path));
}

export function antigravityTranscripts(gemini: string): string[] {
  return antigravityHomes(gemini).flatMap((home) =>
    listDir(join(home, "brain"))
      .filter((session) => session.isDirectory())
      .flatMap((session) => transcriptOf(home, session.name) ?? []),
  );
}

/** The folder of a session, as far as Antigravity noted it: in the list of prompts, or in its caches. */
export function projectOfSession(home: string, session: string): string | undefined {
  const metadata = asObject(asObject(readSideJson(join(home, "cache", "conversation_metadata.json")))[session]);
  const [uri] = asArray(metadata.WorkspaceURIs ?? metadata.workspaceUris);
  const last = asObject(readSideJson(join(home, "cache", "last_conversations.json")));
  const workspace = Object.entries(last).find(([, id]) => id === session)?.[0];
  return folderOfUri(asString(uri)) ?? promptFolder(join(home, "history.jsonl"), session) ?? workspace;
}

function promptFolder(path: string, session: string): string | undefined {
  if (!statOrUndefined(path)) return undefined;
  let folder: string | undefined;
  for (const { value } of readRecords(path, { sink: silent, skip: (text) => !text.includes(session) })) {
    if (value.conversationId === session) folder = firstString(value, "workspace") ?? folder;
  }
  return folder;
}

export function isAntigravity(path: string): boolean {
  return dirname(path).endsWith(LOGS) && TRANSCRIPTS.includes(basename(path));
}

export function readAntigravity(request: ReadRequest, source: string): Json | undefined {
  const { path } = request.container;
  const tail = tailOf(path, request.state);
  const id = basename(dirname(dirname(dirname(path))));
  const project = projectOfSession(dirname(dirname(dirname(dirname(dirname(path))))), id);
  const writer = new ConversationWriter(request.sink, { id, source, ...(project ? { project } : {}) }, tail?.index);
  let model: string | undefined;
  let offset = tail?.offset ?? 0;
  for (const { value, end } of readRecords(path, { offset, sink: request.sink })) {
    offset = end;
    model = chosenModel(value) ?? model;
    const message = stepMessage(value);
    if (message) writer.message(message);
    if (writer.refused) return undefined;
  }
  if (tail && offset === tail.offset) return request.state;
  writer.close(model === undefined ? {} : { model });
  return { ...resumePoint(path, offset, writer.index) };
}

/** The prompt after a change of the model says so: `Model Selection … to Gemini 3 Pro`. */
function chosenModel(step: JsonObject): string | undefined {
  const [change] = blockTexts(asString(step.content) ?? "", "USER_SETTINGS_CHANGE");
  return /Model Selection[^\n]{0,200}? to ([^\n]{1,80}?)(?:\. |\.?$|\n)/m.exec(change ?? "")?.[1]?.trim();
}

function stepMessage(step: JsonObject): Message | undefined {
  const time = toIso(step.created_at);
  const content = asString(step.content) ?? "";
  if (step.source === "USER_EXPLICIT") {
    const text = unwrapBlocks(stripBlocks(content, NOISE), "USER_REQUEST");
    const part = isHousekeeping(text) ? undefined : textPart("text", text);
    return part && { role: "user", time, parts: [part] };
  }
  if (step.source !== "MODEL") return undefined;
  const type = asString(step.type) ?? "";
  if (type === "PLANNER_RESPONSE" || step.tool_calls !== undefined || step.thinking !== undefined) {
    const parts = plannerParts(step, content);
    return parts.length > 0 ? { role: "assistant", time, parts } : undefined;
  }
  // Every other step of the model is a tool at work, named by its type: its content is the tool's result.
  if (content.trim() === "") return undefined;
  const failed = asString(step.status) === "ERROR" ? { is_error: true } : {};
  return { role: "tool", time, parts: [{ type: "tool_result", name: type.toLowerCase(), output: content, ...failed }] };
}

function plannerParts(step: JsonObject, content: string): Part[] {
  const parts: Part[] = [];
  const thinking = textPart("thinking", asString(step.thinking));
  const text = textPart("text", content);
  if (thinking) parts.push(thinking);
  if (text) parts.push(text);
  for (const call of asArray(step.tool_calls).map(asObject)) {
    const name = firstString(call, "name");
    if (name) parts.push({ type: "tool_call", name, input: decodedArguments(call.args) });
  }
  return parts;
}

/** Each argument is JSON in a string. */
function decodedArguments(args: Json | undefined): Json {
  const decoded = Object.entries(asObject(args)).map(([key, value]): [string, Json | undefined] => {
    const inner = typeof value === "string" ? parseJson(value) : undefined;
    return [key, inner ?? value];
  });
  return Object.fromEntries(decoded);
}
