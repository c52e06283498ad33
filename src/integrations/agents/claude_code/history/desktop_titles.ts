/**
 * Titles that Claude's desktop app gives to the sessions of its Code tab. The transcripts are those of Claude Code; the
 * app keeps one small document per session, `claude-code-sessions/<organisation>/<workspace>/local_<id>.json`, which
 * names the transcript and the title. dex lists them once, and again only when a folder changed.
 */
import { join } from "node:path";
import { asObject, firstString } from "../../../../kernel/json.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { claudeDesktopFolders } from "../../../history/folders.ts";
import { listDir, stampedCache, statOrUndefined, walkFiles } from "../../../history/reading/files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { SourceEnv } from "../../../history/source.ts";

const MAX_DEPTH = 2;
const MAX_DOCUMENTS = 20_000;

/** The path of the app's document, by the id of the transcript. */
type Documents = ReadonlyMap<string, string>;

const cached = stampedCache<Documents>();

/** The app's title of a session; undefined if the session does not come from the app, or has no title. */
export function desktopTitle(env: SourceEnv, session: string): string | undefined {
  for (const folder of claudeDesktopFolders(env).map((path) => join(path, "claude-code-sessions"))) {
    const document = documentsIn(folder).get(session);
    // The title may have changed since the folder was listed.
    const title = document && titleFrom(firstString(asObject(readSideJson(document)), "title"));
    if (title) return title;
  }
  return undefined;
}

function documentsIn(root: string): Documents {
  if (!statOrUndefined(root)) return new Map();
  const below = (folder: string): string[] =>
    listDir(folder)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name));
  const folders = [root, ...below(root), ...below(root).flatMap(below)];
  const stamp = folders.map((folder) => statOrUndefined(folder)?.mtimeMs).join(" ");
  return cached(root, stamp, () => {
    const paths = walkFiles(root, MAX_DEPTH, (name) => name.startsWith("local_") && name.endsWith(".json"));
    return new Map(
      paths.slice(-MAX_DOCUMENTS).flatMap((path): [string, string][] => {
        const session = firstString(asObject(readSideJson(path)), "cliSessionId");
        return session === undefined ? [] : [[session, path]];
      }),
    );
  });
}
