/**
 * Gemini CLI: `~/.gemini/tmp/<project>/chats/`, one log per session, with the logs of its subagents in a folder named
 * after the session. Older versions stored each session as one JSON document; a session that was resumed since exists
 * in both forms, and only its log continues. Antigravity, which shares the folder, has its own reader.
 */
import { basename, dirname, join } from "node:path";
import type { ConversationMeta } from "../../../../conversations/model.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { ConversationWriter } from "../../../history/building/writer.ts";
import { type AbandonedBranch, writeAbandoned } from "../../../history/forms/conversation.ts";
import { databaseContainer, fileContainer, listDir } from "../../../history/reading/files.ts";
import { isReadable, resumePoint, silent, type Tail, tailOf } from "../../../history/reading/tail.ts";
import { readWholeJson } from "../../../history/reading/whole_json.ts";
import type { Container, HistoryPlace, ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { geminiFolder } from "../integration.ts";
import { antigravityTranscripts, isAntigravity, readAntigravity } from "./antigravity.ts";
import { antigravityDatabase, antigravityDatabases, isAntigravityDatabase } from "./antigravity_database.ts";
import { type Replay, replayedRecords, replayLog } from "./log.ts";
import { recordMessages } from "./message.ts";
import { projectOf } from "./project.ts";

const cli = geminiStyleSource("gemini", geminiFolder);

export const geminiHistory: Source = { ...cli, places, discover, read };

/** An agent made from Gemini CLI; `folder` contains its `tmp`. */
export function geminiStyleSource(id: string, folder: (env: SourceEnv) => string): Source {
  return {
    id,
    places: (env) => [{ path: join(folder(env), "tmp"), what: "sessions, in <project>/chats" }],
    discover: (env) => chatFiles(folder(env)).flatMap((path) => fileContainer(id, path) ?? []),
    read: (request) => readChat(request, folder(request.env)),
  };
}

function places(env: SourceEnv): HistoryPlace[] {
  return [
    ...cli.places(env),
    { path: geminiFolder(env), what: "Antigravity sessions, in antigravity*/brain and antigravity*/conversations" },
  ];
}

function discover(env: SourceEnv): Container[] {
  const folder = geminiFolder(env);
  const paths = [...chatFiles(folder), ...antigravityTranscripts(folder)];
  return [
    ...paths.sort().flatMap((path) => fileContainer(cli.id, path) ?? []),
    ...antigravityDatabases(folder).flatMap((path) => databaseContainer(cli.id, path) ?? []),
  ];
}

function chatFiles(folder: string): string[] {
  const tmp = join(folder, "tmp");
  return listDir(tmp)
    .flatMap((project) => sessionFiles(join(tmp, project.name, "chats"), true))
    .sort();
}

function sessionFiles(folder: string, withSubagents: boolean): string[] {
  const entries = listDir(folder);
  const names = new Set(entries.map((entry) => entry.name));
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (withSubagents) found.push(...sessionFiles(path, false));
    } else if (entry.name.endsWith(".jsonl") || (entry.name.endsWith(".json") && !names.has(`${entry.name}l`))) {
      found.push(path);
    }
  }
  return found;
}

function read(request: ReadRequest): Json | undefined {
  const { path } = request.container;
  if (isAntigravityDatabase(path)) return antigravityDatabase.read(request);
  if (!isAntigravity(path)) return cli.read(request);
  return isReadable(path, request.sink) ? readAntigravity(request, cli.id) : request.state;
}

function readChat(request: ReadRequest, folder: string): Json | undefined {
  const { path } = request.container;
  if (!isReadable(path, request.sink)) return request.state;
  return path.endsWith(".json") ? readDocument(request, folder) : readLog(request, folder);
}

function readLog(request: ReadRequest, agent: string): Json | undefined {
  const { path } = request.container;
  const tail = tailOf(path, request.state);
  const from = asNumber(tail?.saved.from);
  const time = asString(tail?.saved.time);
  const grown = tail && from !== undefined && time !== undefined ? replayLog(path, { from, time }) : undefined;
  if (tail && grown && grown.end <= tail.offset) return request.state;
  if (tail && grown && grown.slots.length > 0) return writeReplay(request, agent, grown, tail);
  const whole = replayLog(path);
  return whole && writeReplay(request, agent, whole, undefined);
}

function writeReplay(request: ReadRequest, agent: string, replay: Replay, tail: Tail | undefined): Json | undefined {
  const { path } = request.container;
  const meta = metaOf(request, agent, replay.metadata, asString(tail?.saved.id));
  const writer = new ConversationWriter(request.sink, meta, tail?.index);
  const last = replay.slots.at(-1);
  let model: string | undefined;
  let index = writer.index;
  for (const [slot, record] of replayedRecords(path, replay, request.sink)) {
    // The last message may still be rewritten: the next read begins with it.
    if (slot === last) index = writer.index;
    model = firstString(record, "model") ?? model;
    for (const message of recordMessages(record)) writer.message(message);
    if (writer.refused) return undefined;
  }
  writer.close({ model, title: meta.title, updated: meta.updated });
  writeAbandoned(request.sink, meta, { abandoned: abandonedBranches(path, replay) });
  const point = resumePoint(path, replay.end, index);
  return { ...point, id: meta.id, ...(last?.time ? { from: last.first, time: last.time } : {}) };
}

function abandonedBranches(path: string, replay: Replay): AbandonedBranch[] {
  return replay.abandoned.map((bySlot) => {
    const records = replayedRecords(path, { ...replay, bySlot, slots: [...bySlot.values()] }, silent);
    const messages = Array.from(records, ([, record]) => recordMessages(record)).flat();
    return { key: [...bySlot.keys()][0] ?? "", messages };
  });
}

function readDocument(request: ReadRequest, agent: string): Json | undefined {
  const { path, stamp } = request.container;
  if (asObject(request.state).stamp === stamp) return request.state;
  const document = readWholeJson(path, request.sink);
  if (document.kind === "torn") return request.state;
  if (document.kind !== "read") return { stamp };
  if (!isObject(document.value) || !Array.isArray(document.value.messages)) {
    request.sink.malformed(path, "not a session document");
    return { stamp };
  }
  const writer = new ConversationWriter(request.sink, metaOf(request, agent, document.value, undefined));
  let model: string | undefined;
  for (const record of asArray(document.value.messages).map(asObject)) {
    model = firstString(record, "model") ?? model;
    for (const message of recordMessages(record)) writer.message(message);
    if (writer.refused) return undefined;
  }
  writer.close({ model });
  return { stamp };
}

function metaOf(
  request: ReadRequest,
  agent: string,
  metadata: JsonObject,
  savedId: string | undefined,
): ConversationMeta {
  const { path } = request.container;
  const folder = dirname(path);
  // A subagent's log is in a folder named after the session that called it.
  const parent = basename(folder) === "chats" ? undefined : basename(folder);
  const chats = parent === undefined ? folder : dirname(folder);
  const key = basename(dirname(chats));
  const project = projectOf(agent, key, asString(metadata.projectHash), request.env);
  const [firstFolder] = asArray(metadata.directories);
  const id = savedId ?? firstString(metadata, "sessionId") ?? basename(path).replace(/\.jsonl?$/, "");
  return {
    id,
    source: request.container.source,
    title: titleFrom(asString(metadata.summary)),
    project: project ?? asString(firstFolder),
    created: toIso(metadata.startTime),
    updated: toIso(metadata.lastUpdated),
    ...(parent === undefined || parent === id ? {} : { parent, parent_kind: "subagent" }),
  };
}
