/**
 * OpenCode before 1.2: a tree of small JSON files, one per session, message and part. The session's own file is the
 * container; its id leads to the messages.
 *
 *   storage/session/<project>/<session>.json, storage/message/<session>/<message>.json,
 *   storage/part/<message>/<part>.json
 *   storage/session/info/<session>.json, storage/session/message/<session>/…,
 *   storage/session/part/<session>/<message>/…
 */
import { basename, dirname, join } from "node:path";
import type { ConversationMeta } from "../../../../conversations/model.ts";
import { asArray, asNumber, asObject, firstString, isObject, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { fileContainer, listDir, statOrUndefined } from "../../../history/reading/files.ts";
import { readSideJson, readWholeJson } from "../../../history/reading/whole_json.ts";
import type { Container, Sink } from "../../../history/source.ts";
import { sessionTitle } from "./database.ts";
import type { StoredMessage, StoredPart } from "./parts.ts";
import { type Revert, revertOf } from "./reverted.ts";

const SOURCE = "opencode";
/** Folders below storage/session that are not projects but the older layout. */
const OLDER = ["info", "message", "part"];

interface TreeSession {
  meta: ConversationMeta;
  messages: StoredMessage[];
  revert: Revert | undefined;
}

/** Sessions below one `storage` folder. */
export function treeContainers(source: string, storage: string): Container[] {
  const sessions = join(storage, "session");
  const projects = listDir(sessions).filter((entry) => entry.isDirectory());
  const newer = projects.filter((entry) => !OLDER.includes(entry.name));
  return [
    ...newer.flatMap((project) =>
      sessionFiles(source, join(sessions, project.name), join(storage, "message"), storage),
    ),
    ...sessionFiles(source, join(sessions, "info"), join(sessions, "message"), sessions),
  ];
}

function sessionFiles(source: string, folder: string, messages: string, base: string): Container[] {
  return listDir(folder).flatMap(({ name }) => {
    const container = name.endsWith(".json") ? fileContainer(source, join(folder, name)) : undefined;
    if (!container) return [];
    return [withMessages(container, join(messages, basename(name, ".json")), base)];
  });
}

/**
 * A new message is a new file, a new part of the last message another, and the end of a message rewrites its file: the
 * stamp includes the times of all three.
 */
function withMessages(container: Container, folder: string, base: string): Container {
  const names = jsonNames(folder);
  const last = names.at(-1);
  const times = [fileTime(folder)];
  if (last !== undefined) {
    const id = basename(last, ".json");
    times.push(fileTime(join(folder, last)), ...partFolders(base, basename(folder), id).map(fileTime));
  }
  return {
    ...container,
    stamp: `${container.stamp}+${names.length}:${times.join(":")}`,
    bytes: container.bytes + names.length * TYPICAL_BYTES,
    mtimeMs: Math.max(container.mtimeMs, ...times),
  };
}

/**
 * Estimated bytes of a message with its parts, for progress only: measuring them would cost as much as reading them.
 */
const TYPICAL_BYTES = 8192;

/** Undefined if the session's file was deleted or is half written. */
export function readTree(path: string, sink: Pick<Sink, "malformed">): TreeSession | undefined {
  const read = readWholeJson(path, sink);
  if (read.kind !== "read") return undefined;
  if (!isObject(read.value)) {
    sink.malformed(path, "is not a JSON object");
    return undefined;
  }
  const id = firstString(read.value, "id") ?? basename(path, ".json");
  const older = basename(dirname(path)) === "info";
  const base = older ? dirname(dirname(path)) : dirname(dirname(dirname(path)));
  return {
    meta: metaOf(read.value, id, older ? dirname(base) : base),
    messages: messagesOf(base, id, sink),
    revert: revertOf(read.value.revert),
  };
}

function metaOf(info: JsonObject, id: string, storage: string): ConversationMeta {
  const time = asObject(info.time);
  const parent = firstString(info, "parentID");
  const title = firstString(info, "title");
  const fork = title !== undefined && / \(fork #\d+\)$/.test(title);
  return {
    id,
    source: SOURCE,
    title: sessionTitle(title),
    project: firstString(info, "directory") ?? worktree(storage, firstString(info, "projectID")),
    created: toIso(asNumber(time.created)),
    updated: toIso(asNumber(time.updated)),
    ...(parent ? { parent, parent_kind: fork ? ("fork" as const) : ("subagent" as const) } : {}),
  };
}

function worktree(storage: string, project: string | undefined): string | undefined {
  if (project === undefined || basename(project) !== project) return undefined;
  const path = firstString(asObject(readSideJson(join(storage, "project", `${project}.json`))), "worktree");
  return path === "/" ? undefined : path;
}

function messagesOf(base: string, session: string, sink: Pick<Sink, "malformed">): StoredMessage[] {
  const folder = join(base, "message", basename(session));
  const messages = jsonNames(folder).flatMap((name): StoredMessage[] => {
    const data = objectIn(join(folder, name), sink);
    if (!data) return [];
    const id = firstString(data, "id") ?? basename(name, ".json");
    return [{ id, created: createdOf(data), data, parts: partsOf(base, session, id, data, sink) }];
  });
  return messages.sort((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1));
}

/** The oldest versions stored the parts inside the message. */
function partsOf(
  base: string,
  session: string,
  message: string,
  data: JsonObject,
  sink: Pick<Sink, "malformed">,
): StoredPart[] {
  const inside = asArray(data.parts).map((part, at) => ({ id: `${message}.${at}`, data: asObject(part) }));
  const files = partFolders(base, session, message).flatMap((folder) =>
    jsonNames(folder).flatMap((name): StoredPart[] => {
      const part = objectIn(join(folder, name), sink);
      return part ? [{ id: firstString(part, "id") ?? basename(name, ".json"), data: part }] : [];
    }),
  );
  return files.length > 0 ? files : inside;
}

function partFolders(base: string, session: string, message: string): string[] {
  return [join(base, "part", basename(message)), join(base, "part", basename(session), basename(message))];
}

function objectIn(path: string, sink: Pick<Sink, "malformed">): JsonObject | undefined {
  const read = readWholeJson(path, sink);
  if (read.kind !== "read") return undefined;
  if (isObject(read.value)) return read.value;
  sink.malformed(path, "is not a JSON object");
  return undefined;
}

function createdOf(data: JsonObject): number {
  return asNumber(asObject(data.time).created) ?? asNumber(asObject(asObject(data.metadata).time).created) ?? 0;
}

/** Ids grow with time, so sorting by name sorts by time. */
function jsonNames(folder: string): string[] {
  return listDir(folder)
    .map((entry) => entry.name)
    .filter((name) => name.endsWith(".json"))
    .sort();
}

function fileTime(path: string): number {
  try {
    return statOrUndefined(path)?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}
