/**
 * Claude Cowork: transcripts of Claude Code below a folder per session, and a document beside it with the title and the
 * folders that the user chose: the transcript names only a folder inside a virtual machine.
 */
import { dirname, join, sep } from "node:path";
import type { ConversationMeta } from "../../../../conversations/model.ts";
import { asArray, asObject, asString, firstString } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { listDir } from "../../../history/reading/files.ts";
import { withSideMetadata } from "../../../history/reading/side_metadata.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { Source, SourceEnv } from "../../../history/source.ts";
import { claudeStyleSource } from "../../claude_code/history/source.ts";
import { coworkFolders } from "../integration.ts";

const transcripts = claudeStyleSource("claude_cowork", projectFolders);

export const claudeCoworkHistory: Source = {
  ...transcripts,
  places: (env) =>
    coworkFolders(env).map((path) => ({ path, what: "sessions, in <organisation>/<workspace>/local_<id>" })),
  read: (request) =>
    transcripts.read({ ...request, sink: withSideMetadata(request.sink, knownOf(request.container.path)) }),
};

/** `<organisation>/<workspace>/local_<id>/.claude/projects` */
function projectFolders(env: SourceEnv): string[] {
  const below = (folders: readonly string[]): string[] =>
    folders.flatMap((folder) =>
      listDir(folder)
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(folder, name)),
    );
  const sessions = below(below(below(coworkFolders(env))));
  return sessions.map((session) => join(session, ".claude", "projects"));
}

function knownOf(path: string): Partial<ConversationMeta> {
  const names = path.split(sep);
  const session = names.slice(0, names.lastIndexOf(".claude")).join(sep);
  const facts = asObject(readSideJson(`${session}.json`));
  const [folder] = asArray(facts.userSelectedFolders);
  const isSubagent = dirname(path).split(sep).includes("subagents");
  return {
    project: asString(folder),
    ...(isSubagent
      ? {}
      : {
          title: titleFrom(asString(facts.title)),
          model: firstString(facts, "model"),
          created: toIso(facts.createdAt),
        }),
  };
}
