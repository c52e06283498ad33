/** Claude Code, and agents that keep its transcripts elsewhere: where they are and how they are related. */
import { basename, dirname, join, sep } from "node:path";
import { defined } from "../../../../kernel/defined.ts";
import { type Entry, entryPath, fileContainer, listDir } from "../../../history/reading/files.ts";
import { withSideMetadata } from "../../../history/reading/side_metadata.ts";
import type { Container, HistoryPlace, Lineage, Source, SourceEnv } from "../../../history/source.ts";
import { claudeHomes } from "../integration.ts";
import { desktopTitle } from "./desktop_titles.ts";
import { type Location, readHead, readSession } from "./read.ts";

const transcripts = claudeStyleSource("claude_code", (env) =>
  claudeHomes(env).map((folder) => join(folder, "projects")),
);

export const claudeCodeHistory: Source = {
  ...transcripts,
  read(request) {
    const { id, subagent } = locate(request.container.path);
    const title = subagent ? undefined : desktopTitle(request.env, id);
    return transcripts.read(
      title === undefined ? request : { ...request, sink: withSideMetadata(request.sink, { title }) },
    );
  },
};

/** `projects`: the folders that contain one folder of transcripts per project. */
export function claudeStyleSource(id: string, projects: (env: SourceEnv) => string[]): Source {
  const what = "transcripts of sessions and subagents, by project";
  return {
    id,
    places: (env): HistoryPlace[] => projects(env).map((path) => ({ path, what })),
    discover: (env) => discover(id, projects(env)),
    lineage,
    read: (request) => readSession(request, locate(request.container.path)),
  };
}

function discover(id: string, roots: readonly string[]): Container[] {
  const found: Container[] = [];
  const add = (path: string): void => {
    const container = fileContainer(id, path);
    if (container) found.push(container);
  };
  for (const root of roots) {
    for (const project of listDir(root)) {
      if (!project.isDirectory()) continue;
      const folder = entryPath(root, project);
      for (const entry of listDir(folder)) {
        const path = entryPath(folder, entry);
        if (entry.isDirectory()) subagentFiles(path).forEach(add);
        else if (entry.name.endsWith(".jsonl")) add(path);
      }
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** In `<session>/subagents` and `<session>/subagents/workflows/<workflow>`. Other files there are not transcripts. */
function subagentFiles(session: string): string[] {
  const folder = join(session, "subagents");
  const agentsAmong = (entries: readonly Entry[], path: string): string[] =>
    entries.filter((entry) => !entry.isDirectory() && isAgentFile(entry.name)).map((entry) => entryPath(path, entry));
  const entries = listDir(folder);
  // Asking for a folder that is not there costs more than listing one.
  if (!entries.some(({ name }) => name === "workflows")) return agentsAmong(entries, folder);
  const workflows = listDir(join(folder, "workflows")).filter((entry) => entry.isDirectory());
  const inWorkflows = workflows.flatMap(({ name }) => {
    const path = join(folder, "workflows", name);
    return agentsAmong(listDir(path), path);
  });
  return [...agentsAmong(entries, folder), ...inWorkflows];
}

function isAgentFile(name: string): boolean {
  return name.startsWith("agent-") && name.endsWith(".jsonl");
}

/** Facts that follow from the path of a transcript. */
function locate(path: string): Location {
  const id = basename(path, ".jsonl");
  if (!isAgentFile(basename(path))) return { id, subagent: false, session: id, project: dirname(path) };
  const names = path.split(sep);
  const at = names.lastIndexOf("subagents");
  const below = names.length - at - 1;
  const inSession = at > 1 && (below === 1 || (below === 3 && names[at + 1] === "workflows"));
  // Older versions put them next to the session: only the records say which session it is.
  if (!inSession) return { id, subagent: true, project: dirname(path) };
  return { id, subagent: true, session: names[at - 1], project: names.slice(0, at - 1).join(sep) };
}

/** Forks repeat the chain from its first record on; in most versions they carry the new session id. */
function lineage(container: Container): Lineage | undefined {
  const { id, subagent } = locate(container.path);
  const head = readHead(container.path);
  if (!head) return undefined;
  const forked = !subagent && head.session !== id;
  return defined<Lineage>({ id, family: head.uuid, forkOf: forked ? head.session : undefined });
}
