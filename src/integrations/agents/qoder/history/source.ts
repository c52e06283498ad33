/** Qoder: Claude Code's lines, in folders of its own, with a document beside the session that has its title. */
import { basename, dirname } from "node:path";
import type { ConversationMeta } from "../../../../conversations/model.ts";
import { asObject, asString, firstString } from "../../../../kernel/json.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { withSideFiles } from "../../../history/forms/document.ts";
import { walkFiles } from "../../../history/reading/files.ts";
import { withSideMetadata } from "../../../history/reading/side_metadata.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { Source } from "../../../history/source.ts";
import { type Location, readSession } from "../../claude_code/history/read.ts";
import { qoderProjects } from "../integration.ts";

const ID = "qoder";
/** `<project>/<session>/subagents/<id>.jsonl` */
const MAX_DEPTH = 3;

export const qoderHistory: Source = {
  id: ID,
  places: (env) => qoderProjects(env).map((path) => ({ path, what: "sessions by project, subagents below them" })),
  discover: (env) =>
    qoderProjects(env)
      .flatMap((folder) => walkFiles(folder, MAX_DEPTH, (name) => name.endsWith(".jsonl")))
      .flatMap((path) => withSideFiles(ID, path, [sidePath(path)])),
  read: (request) => {
    const { path } = request.container;
    return readSession({ ...request, sink: withSideMetadata(request.sink, knownOf(path)) }, locate(path));
  },
};

function sidePath(path: string): string {
  return path.replace(/\.jsonl$/, "-session.json");
}

function locate(path: string): Location {
  const folder = dirname(path);
  const id = basename(path, ".jsonl");
  if (basename(folder) === "subagents") {
    const session = dirname(folder);
    return { id, subagent: true, session: basename(session), project: dirname(session) };
  }
  return { id, subagent: false, session: id, project: basename(folder) === "transcript" ? dirname(folder) : folder };
}

function knownOf(path: string): Partial<ConversationMeta> {
  const facts = asObject(readSideJson(sidePath(path)));
  const parent = firstString(facts, "parent_session_id", "fork_from");
  return {
    title: titleFrom(asString(facts.title)),
    project: firstString(facts, "working_dir"),
    ...(parent === undefined ? {} : { parent, parent_kind: facts.fork_from === parent ? "fork" : "subagent" }),
  };
}
