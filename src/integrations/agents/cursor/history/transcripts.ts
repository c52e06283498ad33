/**
 * The transcripts that Cursor writes for its agents to look up: `~/.cursor/projects/<folder>/agent-transcripts`. They
 * contain the least of its three stores (no times, no results, no model), so dex skips a conversation that one of the
 * others has.
 */
import { basename, dirname, join, sep } from "node:path";
import type { ConversationMeta, Message, Part } from "../../../../conversations/model.ts";
import { asObject, asString, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { assistantParts, blocksOf, isAttachment, resultPart, textPart } from "../../../history/building/blocks.ts";
import { ConversationWriter } from "../../../history/building/writer.ts";
import { fileContainer, listDir, statOrUndefined } from "../../../history/reading/files.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { isReadable, resumePoint, tailOf } from "../../../history/reading/tail.ts";
import type { Container, ReadRequest, SourceEnv } from "../../../history/source.ts";
import { projectsFolder } from "../integration.ts";
import { hasReadableChat } from "./cli.ts";
import { composerOf } from "./ide.ts";
import { folderOfSlug } from "./projects.ts";
import { promptText, promptTime } from "./prompt.ts";
import { textMessages } from "./text.ts";

const SOURCE = "cursor";
const FOLDER = "agent-transcripts";
const TRANSCRIPT = /\.(jsonl|txt)$/;

/**
 * One container for each conversation: the same one may exist in two forms, and in the folder of a window without a
 * project.
 */
export function transcriptContainers(env: SourceEnv): Container[] {
  const projects = projectsFolder(env);
  const best = new Map<string, Container>();
  for (const project of listDir(projects)) {
    for (const path of transcriptsIn(join(projects, project.name, FOLDER))) {
      const container = fileContainer(SOURCE, path);
      const id = transcriptId(path);
      const known = best.get(id);
      if (container && (!known || rank(container) > rank(known))) best.set(id, container);
    }
  }
  return [...best.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

function transcriptsIn(folder: string): string[] {
  return listDir(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return TRANSCRIPT.test(entry.name) ? [path] : [];
    const inside = listDir(path)
      .filter((file) => TRANSCRIPT.test(file.name))
      .map((file) => join(path, file.name));
    const subagents = join(path, "subagents");
    return [
      ...inside,
      ...listDir(subagents)
        .filter((file) => TRANSCRIPT.test(file.name))
        .map((file) => join(subagents, file.name)),
    ];
  });
}

function rank(container: Container): number {
  const records = container.path.endsWith(".jsonl") ? 4e15 : 0;
  const homeless = container.path.includes(`${sep}empty-window${sep}`) ? 0 : 2e15;
  return records + homeless + container.bytes;
}

function transcriptId(path: string): string {
  return basename(path).replace(TRANSCRIPT, "");
}

export function readTranscript(request: ReadRequest): Json | undefined {
  const { container, env, sink, state } = request;
  const id = transcriptId(container.path);
  const twin = composerOf(env, id);
  // Without a state: if the other store loses the conversation, this file must be read whole.
  if (twin?.filled || hasReadableChat(env, id)) return undefined;
  if (!isReadable(container.path, sink)) return state;
  const meta = metaOf(env, container, id);
  if (twin) Object.assign(meta, { title: twin.title, created: twin.created, updated: twin.updated ?? meta.updated });
  return container.path.endsWith(".txt") ? readText(request, meta) : readJsonLines(request, meta);
}

function metaOf(env: SourceEnv, container: Container, id: string): ConversationMeta {
  const folders = dirname(container.path).split(sep);
  const project = folders[folders.lastIndexOf(FOLDER) - 1];
  const parent = folders.at(-1) === "subagents" ? folders.at(-2) : undefined;
  return {
    id,
    source: SOURCE,
    project: project === undefined ? undefined : folderOfSlug(env, project),
    created: toIso(creationTime(container)),
    updated: toIso(Math.floor(container.mtimeMs)),
    ...(parent ? { parent, parent_kind: "subagent" as const } : {}),
  };
}

/** Some file systems do not record when a file was created. */
function creationTime(container: Container): number {
  const born = statOrUndefined(container.path)?.birthtimeMs ?? 0;
  return Math.floor(born > 0 && born < container.mtimeMs ? born : container.mtimeMs);
}

function readText({ container, sink, state }: ReadRequest, meta: ConversationMeta): Json | undefined {
  if (asString(asObject(state).stamp) === container.stamp) return state;
  const writer = new ConversationWriter(sink, meta);
  for (const message of textMessages(container.path)) {
    writer.message(message);
    if (writer.refused) return undefined;
  }
  writer.close();
  return { stamp: container.stamp };
}

function readJsonLines({ container, sink, state }: ReadRequest, meta: ConversationMeta): Json | undefined {
  const tail = tailOf(container.path, state);
  const writer = new ConversationWriter(sink, tail ? { id: meta.id, source: SOURCE } : meta, tail?.index);
  let offset = tail?.offset ?? 0;
  for (const { value, end } of readRecords(container.path, { offset, sink })) {
    offset = end;
    for (const message of recordMessages(value)) writer.message(message);
    if (writer.refused) return undefined;
  }
  if (tail && offset === tail.offset) return state;
  writer.close({ updated: meta.updated });
  return { ...resumePoint(container.path, offset, writer.index) };
}

function recordMessages(value: JsonObject): Message[] {
  const blocks = blocksOf(asObject(value.message).content ?? value.content);
  const results = blocks
    .filter((block) => block.type === "tool_result")
    .map((block) => resultPart(block, () => undefined));
  const messages: Message[] = results.length > 0 ? [{ role: "tool", parts: results }] : [];
  if (value.role === "assistant") {
    const parts = assistantParts(blocks);
    return parts.length > 0 ? [{ role: "assistant", parts }, ...messages] : messages;
  }
  if (value.role !== "user") return messages;
  const parts = blocks.flatMap((block): Part[] => {
    if (isAttachment(block)) return [{ type: "text", text: "[image]" }];
    const part = block.type === "text" ? textPart("text", promptText(asString(block.text) ?? "")) : undefined;
    return part ? [part] : [];
  });
  const time = promptTime(blocks.map((block) => asString(block.text) ?? "").join("\n"));
  return parts.length > 0 ? [...messages, { role: "user", ...(time === undefined ? {} : { time }), parts }] : messages;
}
