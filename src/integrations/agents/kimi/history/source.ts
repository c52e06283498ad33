/**
 * Kimi: a folder per session with a wire log. Kimi Code has one log for each agent of a session; the older Kimi CLI has
 * one per session, with other records.
 */
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { asArray, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { chatMessages } from "../../../history/building/chat.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { allRecords, documentSource, withSideFiles } from "../../../history/forms/document.ts";
import { walkFiles } from "../../../history/reading/files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { kimiCliSessions, kimiCodeSessions } from "../integration.ts";
import { readCliWire } from "./cli_wire.ts";
import { readCodeWire } from "./code_wire.ts";

const ID = "kimi";
const WIRE = "wire.jsonl";
const CONTEXT = "context.jsonl";
/** `<project>/<session>/agents/<agent>/wire.jsonl` */
const MAX_DEPTH = 4;

export const kimiHistory: Source = documentSource({
  id: ID,
  places: (env) => [
    { path: kimiCodeSessions(env), what: "sessions of Kimi Code, in agents/<agent>/wire.jsonl" },
    { path: kimiCliSessions(env), what: "sessions of the older Kimi CLI" },
  ],
  discover: (env) =>
    [...wires(kimiCodeSessions(env)), ...wires(kimiCliSessions(env)), ...contexts(kimiCliSessions(env))].flatMap(
      (path) => withSideFiles(ID, path, [join(sessionFolder(path), "state.json")]),
    ),
  read: (request) => [isCodeWire(request.container.path) ? codeSession(request) : cliSession(request)],
});

function wires(folder: string): string[] {
  return walkFiles(folder, MAX_DEPTH, (name, path) => name === WIRE && !isCliSubagent(path));
}

/** The messages that the model saw last, of sessions without a wire log. The first versions had this file alone. */
function contexts(folder: string): string[] {
  const inFolders = walkFiles(folder, 2, (name, path) => name === CONTEXT && !existsSync(join(dirname(path), WIRE)));
  const alone = walkFiles(folder, 1, (name, path) => name.endsWith(".jsonl") && isAlone(path, folder));
  return [...inFolders, ...alone];
}

/** `<project>/<session>.jsonl`, unless the session has a folder by now. */
function isAlone(path: string, sessions: string): boolean {
  return dirname(dirname(path)) === sessions && !existsSync(path.slice(0, -".jsonl".length));
}

/** The session's own log repeats the events of these. */
function isCliSubagent(path: string): boolean {
  return basename(dirname(dirname(path))) === "subagents";
}

function isCodeWire(path: string): boolean {
  return basename(dirname(dirname(path))) === "agents";
}

function sessionFolder(path: string): string {
  return isCodeWire(path) ? dirname(dirname(dirname(path))) : dirname(path);
}

function codeSession(request: ReadRequest): WholeConversation {
  const { path } = request.container;
  const session = sessionFolder(path);
  const state = asObject(readSideJson(join(session, "state.json")));
  const agent = basename(dirname(path));
  const wire = readCodeWire(allRecords(request));
  const common = {
    project: firstString(state, "workDir") ?? wire.folder,
    created: wire.created ?? toIso(state.createdAt),
  };
  if (agent !== "main") {
    return {
      meta: { ...common, id: `${basename(session)}-${agent}`, parent: basename(session), parent_kind: "subagent" },
      messages: wire.messages,
    };
  }
  return {
    meta: {
      ...common,
      id: basename(session),
      title: titleFrom(asString(state.title)),
      updated: toIso(state.updatedAt),
    },
    messages: wire.messages,
  };
}

function cliSession(request: ReadRequest): WholeConversation {
  const { path } = request.container;
  const isWire = basename(path) === WIRE;
  const session = isWire || basename(path) === CONTEXT ? sessionFolder(path) : path.slice(0, -".jsonl".length);
  const state = asObject(readSideJson(join(session, "state.json")));
  const records = allRecords(request);
  return {
    meta: {
      id: basename(session),
      title: titleFrom(asString(state.custom_title)),
      project: folderByHash(request.env, basename(dirname(session))),
    },
    messages: isWire ? readCliWire(records) : records.flatMap((record) => chatMessages(withThinking(record))),
  };
}

/** Thoughts are blocks of the content. */
function withThinking(record: JsonObject): JsonObject {
  const thoughts = asArray(record.content).flatMap((block) => asString(asObject(block).think) ?? []);
  return thoughts.length > 0 ? { ...record, reasoning_content: thoughts.join("\n") } : record;
}

/** The folder of sessions is named after the MD5 of the project's path; `kimi.json` lists the paths. */
function folderByHash(env: SourceEnv, name: string): string | undefined {
  const known = asArray(asObject(readSideJson(join(dirname(kimiCliSessions(env)), "kimi.json"))).work_dirs);
  const paths = known.flatMap((each) => firstString(asObject(each), "path") ?? []);
  return paths.find((path) => name.endsWith(hash("md5", path, "hex")));
}
