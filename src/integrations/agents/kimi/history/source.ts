/**
 * Kimi: a folder per session with a wire log. Kimi Code has one log for each agent of a session; the older Kimi CLI has
 * one per session, with other records.
 */
import { hash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { asArray, asObject, asString, firstString } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
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
/** `<project>/<session>/agents/<agent>/wire.jsonl` */
const MAX_DEPTH = 4;

export const kimiHistory: Source = documentSource({
  id: ID,
  places: (env) => [
    { path: kimiCodeSessions(env), what: "sessions of Kimi Code, in agents/<agent>/wire.jsonl" },
    { path: kimiCliSessions(env), what: "sessions of the older Kimi CLI" },
  ],
  discover: (env) =>
    [kimiCodeSessions(env), kimiCliSessions(env)]
      .flatMap((folder) => walkFiles(folder, MAX_DEPTH, (name, path) => name === WIRE && !isCliSubagent(path)))
      .flatMap((path) => withSideFiles(ID, path, [join(sessionFolder(path), "state.json")])),
  read: (request) => [isCodeWire(request.container.path) ? codeSession(request) : cliSession(request)],
});

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
  const session = sessionFolder(request.container.path);
  const state = asObject(readSideJson(join(session, "state.json")));
  return {
    meta: {
      id: basename(session),
      title: titleFrom(asString(state.custom_title)),
      project: folderByHash(request.env, basename(dirname(session))),
    },
    messages: readCliWire(allRecords(request)),
  };
}

/** The folder of sessions is named after the MD5 of the project's path; `kimi.json` lists the paths. */
function folderByHash(env: SourceEnv, name: string): string | undefined {
  const known = asArray(asObject(readSideJson(join(dirname(kimiCliSessions(env)), "kimi.json"))).work_dirs);
  const paths = known.flatMap((each) => firstString(asObject(each), "path") ?? []);
  return paths.find((path) => name.endsWith(hash("md5", path, "hex")));
}
