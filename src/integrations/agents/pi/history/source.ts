/**
 * pi, and the agents that keep pi's session files: omp, OpenClaw before 2026.8 and others.
 *
 * A session is an append-only file of entries. Since version 2 the entries are a tree (`parentId`): the conversation is
 * the branch from the last entry back to the root, and the other branches are abandoned. Version 1 has no ids: each
 * entry follows the one before it.
 */
import { basename, join } from "node:path";
import type { ConversationMeta, Message } from "../../../../conversations/model.ts";
import { asString, firstString, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { type Branch, type Branches, branchesOf } from "../../../history/building/branch.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { ConversationWriter } from "../../../history/building/writer.ts";
import { xdgDataFolder } from "../../../history/folders.ts";
import { conversationOf, writeAbandoned } from "../../../history/forms/conversation.ts";
import { fileContainer, listDir, walkFiles } from "../../../history/reading/files.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { isReadable, resumePoint, silent, type Tail, tailOf } from "../../../history/reading/tail.ts";
import type { Container, HistoryPlace, Lineage, ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { openclawFolders, sessionsFolder } from "../integration.ts";
import { entryMessages, entryModel } from "./entry.ts";

/** An agent that keeps pi's session files. */
interface PiFamily {
  id: string;
  places(env: SourceEnv): HistoryPlace[];
  /** The session files that exist. */
  files(env: SourceEnv): string[];
}

const MAX_DEPTH = 3;

export const piHistory: Source = piStyleSource({ id: "pi", places, files });

export function piStyleSource(family: PiFamily): Source {
  return {
    id: family.id,
    places: family.places,
    discover: (env) => [...new Set(family.files(env))].flatMap((path) => fileContainer(family.id, path) ?? []),
    lineage,
    read,
  };
}

function places(env: SourceEnv): HistoryPlace[] {
  return [
    { path: sessionsFolder(env), what: "pi sessions" },
    { path: join(env.home, ".omp", "agent", "sessions"), what: "omp sessions" },
    { path: join(env.home, ".omp", "profiles"), what: "omp sessions of other profiles, in <profile>/agent/sessions" },
    ...openclawFolders(env).map((path) => ({ path, what: "OpenClaw sessions, in <agent>/sessions" })),
  ];
}

function files(env: SourceEnv): string[] {
  const profiles = join(env.home, ".omp", "profiles");
  const data = join(xdgDataFolder(env), "omp");
  const folders = [
    sessionsFolder(env),
    join(env.home, ".omp", "agent", "sessions"),
    join(data, "sessions"),
    ...listDir(profiles).map(({ name }) => join(profiles, name, "agent", "sessions")),
    ...listDir(join(data, "profiles")).map(({ name }) => join(data, "profiles", name, "sessions")),
  ];
  const openclaw = openclawFolders(env).flatMap((agents) =>
    listDir(agents).flatMap(({ name }) => openclawSessions(join(agents, name, "sessions"))),
  );
  return [...folders.flatMap((folder) => walkFiles(folder, MAX_DEPTH, (name) => name.endsWith(".jsonl"))), ...openclaw];
}

/** OpenClaw renames the file of a session that the user resets or deletes: `<id>.jsonl.reset.<time>`. */
const ARCHIVED = /\.(?:reset|deleted)\.([\dTZ.:-]{1,60})$/;

/** The live file of each session; of a session without one, the archive that was made last. */
function openclawSessions(folder: string): string[] {
  const paths = walkFiles(folder, MAX_DEPTH, isOpenclawSession);
  const archivedAt = (path: string): string => ARCHIVED.exec(path)?.[1] ?? "";
  const live = paths.filter((path) => archivedAt(path) === "");
  const archives = paths.filter((path) => archivedAt(path) !== "");
  archives.sort((a, b) => (archivedAt(a) < archivedAt(b) ? -1 : 1));
  // Of several files of a session, the last one stays in the map.
  const files = new Map([...archives, ...live].map((path) => [path.replace(ARCHIVED, ""), path]));
  return [...files.values()];
}

/** Beside the sessions there are copies of them, made before a step back, and traces of runs. */
function isOpenclawSession(name: string): boolean {
  const live = name.replace(ARCHIVED, "");
  return live.endsWith(".jsonl") && !/\.(?:checkpoint|trajectory|bak)[.-]|\.trajectory\.jsonl$/.test(live);
}

function lineage(container: Container): Lineage | undefined {
  if (!isReadable(container.path, silent)) return undefined;
  let header: JsonObject | undefined;
  for (const { value } of readRecords(container.path, { sink: silent })) {
    if (value.type === "session") {
      header ??= value;
      continue;
    }
    // Forks copy the first entry together with its time.
    const started = toIso(value.timestamp);
    return { id: idOf(container, header), forkOf: parentOf(header), family: started && `pi:${started}` };
  }
  return header && { id: idOf(container, header), forkOf: parentOf(header) };
}

function read(request: ReadRequest): Json | undefined {
  const { path } = request.container;
  if (!isReadable(path, request.sink)) return request.state;
  const tail = tailOf(path, request.state);
  if (tail && extendsBranch(path, tail)) return readTail(request, tail);
  return readWhole(request);
}

/** True if every entry after the offset is the child of the one before it. */
function extendsBranch(path: string, tail: Tail): boolean {
  let leaf = asString(tail.saved.leaf);
  for (const { value } of readRecords(path, { offset: tail.offset, sink: silent })) {
    if (value.type === "session") return false;
    const parent = value.parentId;
    if (parent !== undefined && parent !== leaf) return false;
    leaf = asString(value.id);
  }
  return true;
}

function readTail(request: ReadRequest, tail: Tail): Json | undefined {
  const id = asString(tail.saved.id) ?? idOf(request.container, undefined);
  const writer = new ConversationWriter(request.sink, { id, source: request.container.source }, tail.index);
  return writeEntries(request, writer, id, tail);
}

function readWhole(request: ReadRequest): Json | undefined {
  const { path } = request.container;
  const { header, entries, tree } = treeOf(path);
  const meta: ConversationMeta = {
    id: idOf(request.container, header),
    source: request.container.source,
    project: header && firstString(header, "cwd"),
    created: toIso(header?.timestamp),
    model: header && entryModel(header),
  };
  const parent = request.inheritedFrom ?? parentOf(header);
  if (parent !== undefined && parent !== meta.id) Object.assign(meta, { parent, parent_kind: "fork" });
  const writer = new ConversationWriter(request.sink, meta);
  const [main, ...others] = tree.branches;
  const state = writeEntries(request, writer, meta.id, undefined, new Set(main?.positions));
  if (state === undefined || (others.length === 0 && tree.joined.length === 0)) return state;
  const kept = abandonedEntries(request, others);
  const whole = conversationOf(
    meta,
    tree,
    (position) => entries[position] || undefined,
    (positions) => (positions === main?.positions ? [] : positions.flatMap((position) => kept.get(position) ?? [])),
  );
  writeAbandoned(request.sink, meta, whole);
  return state;
}

/** Emits the entries from where the tail begins; of a whole file, only those on the conversation's own branch. */
function writeEntries(
  request: ReadRequest,
  writer: ConversationWriter,
  id: string,
  tail: Tail | undefined,
  active?: ReadonlySet<number>,
): Json | undefined {
  const { path } = request.container;
  const metaChanges: Partial<ConversationMeta> = {};
  let offset = tail?.offset ?? 0;
  let leaf = asString(tail?.saved.leaf);
  let position = -1;
  let leading = tail === undefined;
  let last = -1;
  for (const each of active ?? []) last = Math.max(last, each);
  for (const { value, end } of readRecords(path, { offset, sink: request.sink })) {
    position += 1;
    if (value.type !== "session") {
      // Entries that arrive during the read wait for the next one.
      if (active && position > last) break;
      leaf = asString(value.id);
    }
    offset = end;
    if (value.type === "session") continue;
    // A name belongs to the session, not to a branch.
    metaChanges.title = titleFrom(nameIn(value)) ?? metaChanges.title;
    if (active && !active.has(position)) continue;
    metaChanges.model = entryModel(value) ?? metaChanges.model;
    for (const message of entryMessages(value)) {
      leading &&= message.uid !== undefined && request.inherited.has(message.uid);
      if (!leading) writer.message(message);
      if (writer.refused) return undefined;
    }
  }
  if (tail && offset === tail.offset) return request.state;
  writer.close(metaChanges);
  return { ...resumePoint(path, offset, writer.index), id, ...(leaf === undefined ? {} : { leaf }) };
}

/** The messages of the entries that the person left behind, by the entry's position in the file. */
function abandonedEntries(request: ReadRequest, branches: readonly Branch[]): Map<number, Message[]> {
  const wanted = new Set(branches.flatMap(({ positions }) => positions));
  const found = new Map<number, Message[]>();
  let position = -1;
  for (const { value } of readRecords(request.container.path, { sink: silent })) {
    position += 1;
    if (!wanted.has(position)) continue;
    const own = entryMessages(value).filter(({ uid }) => uid === undefined || !request.inherited.has(uid));
    if (own.length > 0) found.set(position, own);
  }
  return found;
}

interface SessionTree {
  header: JsonObject | undefined;
  /** The ids of all records, by their position in the file; empty where there is none. */
  entries: string[];
  tree: Branches;
}

/**
 * An entry whose parent is not in the file follows the entry before it: an unreadable line must not cut off everything
 * before it.
 */
function treeOf(path: string): SessionTree {
  const nodes: JsonObject[] = [];
  const places: number[] = [];
  const entries: string[] = [];
  let header: JsonObject | undefined;
  for (const { value } of readRecords(path, { sink: silent })) {
    entries.push(asString(value.id) ?? "");
    if (value.type === "session") {
      header ??= value;
      continue;
    }
    places.push(entries.length - 1);
    nodes.push({ id: value.id ?? null, ...(value.parentId === undefined ? {} : { parentId: value.parentId }) });
  }
  const { branches, joined } = branchesOf(nodes, "id", "parentId");
  const inFile = (node: number): number => places[node] as number;
  return {
    header,
    entries,
    tree: {
      branches: branches.map((branch) => ({ ...branch, positions: branch.positions.map(inFile) })),
      joined: joined.map(inFile),
    },
  };
}

/** omp has records of its own for a title. */
function nameIn(record: JsonObject): string | undefined {
  if (record.type === "session_info") return asString(record.name);
  return record.type === "title" || record.type === "title_change" ? asString(record.title) : undefined;
}

/** The file is named `<time>_<session id>.jsonl`; that of OpenClaw `<session id>.jsonl`. */
function idOf(container: Container, header: JsonObject | undefined): string {
  return (header && firstString(header, "id")) ?? idInName(container.path);
}

function parentOf(header: JsonObject | undefined): string | undefined {
  const path = header && firstString(header, "parentSession", "branchedFrom");
  return path === undefined ? undefined : idInName(path);
}

/** Also of a path written on another system. */
function idInName(path: string): string {
  const name = basename(path.replaceAll("\\", "/").replace(ARCHIVED, ""), ".jsonl");
  return name.slice(name.lastIndexOf("_") + 1) || name;
}
