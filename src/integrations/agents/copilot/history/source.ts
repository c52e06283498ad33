/**
 * GitHub Copilot CLI: one append-only file of events per session, and next to it a small description of the workspace.
 */
import { basename, dirname, join } from "node:path";
import { defined } from "../../../../kernel/defined.ts";
import { errorMessage } from "../../../../kernel/errors.ts";
import { type Line, readLines } from "../../../../kernel/files/lines.ts";
import { asObject, firstString, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { heldBackOf, type Mark, Transcript } from "../../../history/building/transcript.ts";
import { entryPath, fileContainer, listDir, pathIn } from "../../../history/reading/files.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { isOwnFolder } from "../../../history/reading/own_folder.ts";
import { isReadable, silent } from "../../../history/reading/tail.ts";
import type { Container, ReadRequest, Source } from "../../../history/source.ts";
import { copilotHome } from "../integration.ts";
import { canSkip, learnName, readEvent } from "./events.ts";
import { NOTHING_READ, type Reading, type ResumeState, resumeMark, savedMark } from "./resume_state.ts";
import { agentOf, noteAgentEvent, readSubagent } from "./subagents.ts";
import { readWorkspace, WORKSPACE_FILE } from "./workspace.ts";

const ID = "copilot";
const EVENTS_FILE = "events.jsonl";

export const copilotHistory: Source = {
  id: ID,
  places(env) {
    return [
      {
        path: join(copilotHome(env), "session-state"),
        what: "one folder with events.jsonl, or one .jsonl file, per session",
      },
    ];
  },
  discover(env) {
    const found = new Map<string, Container>();
    const sessions = join(copilotHome(env), "session-state");
    for (const entry of listDir(sessions)) {
      const path = entryPath(sessions, entry);
      const container = entry.isDirectory()
        ? sessionContainer(path)
        : entry.name.endsWith(".jsonl")
          ? fileContainer(ID, path)
          : undefined;
      if (!container) continue;
      // A session that was moved from a file to a folder continues in the folder.
      const id = sessionId(container.path);
      if (entry.isDirectory() || !found.has(id)) found.set(id, container);
    }
    return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  },
  read,
};

function sessionContainer(folder: string): Container | undefined {
  const events = fileContainer(ID, pathIn(folder, EVENTS_FILE));
  const workspace = fileContainer(ID, pathIn(folder, WORKSPACE_FILE));
  return events && workspace ? { ...events, stamp: `${events.stamp}+${workspace.stamp}` } : events;
}

function sessionId(path: string): string {
  return basename(path) === EVENTS_FILE ? basename(dirname(path)) : basename(path, ".jsonl");
}

function read(request: ReadRequest): Json | undefined {
  const { container, sink, state } = request;
  const { path } = container;
  if (!isReadable(path, sink)) return state;
  const saved = asObject(state);
  if (saved.stamp === container.stamp) return state;
  const resumed = resumeMark(path, saved);
  const tail = readFrom(request, resumed);
  const { transcript, mark, agents } = tail.transcript.goesBackFurther
    ? readFrom(request, undefined, heldBackOf(container.bytes))
    : tail;
  if (transcript.refused || agents.size === 0) return savedMark(container, mark);
  const parent = sessionId(path);
  const common = defined({ source: ID, parent, parent_kind: "subagent" as const, ...placeOf(path) });
  for (const agent of agents) readSubagent(request, { ...common, id: `${parent}-${agent}` }, agent);
  return savedMark(container, mark);
}

function readFrom(
  { container: { path }, sink }: ReadRequest,
  resumed: Mark<ResumeState> | undefined,
  heldBack?: number,
): { transcript: Reading; mark: Mark<ResumeState> | undefined; agents: ReadonlySet<string> } {
  const start: Mark<ResumeState> = resumed ?? { offset: 0, index: 0, state: NOTHING_READ };
  const transcript: Reading = new Transcript<ResumeState>(sink, { id: sessionId(path), source: ID }, start, heldBack);
  const workspace = basename(path) === EVENTS_FILE ? readWorkspace(dirname(path)) : new Map<string, string>();
  const project = workspace.get("cwd");
  if (!resumed) {
    transcript.learn({ project, branch: workspace.get("branch"), headless: isOwnFolder(project) ? true : undefined });
  }

  const agents = new Set<string>();
  let end = start.offset;
  const lines = function* (): Generator<Line> {
    try {
      yield* readLines(path, { offset: start.offset });
    } catch (error) {
      sink.malformed(path, errorMessage(error));
    }
  };
  for (const { value, offset, end: behind } of readRecords(path, { lines: lines(), skip: canSkip, sink })) {
    transcript.begin(offset);
    const agent = agentOf(value);
    if (agent === undefined) readEvent(transcript, value);
    else {
      agents.add(agent);
      noteAgentEvent(transcript, value);
    }
    if (transcript.refused) break;
    end = behind;
  }
  // The name in the side file is the session's current one.
  learnName(transcript, workspace.get("name") ?? workspace.get("summary"));
  return { transcript, mark: transcript.close(end), agents };
}

/** The folder and branch of a session: in the description of its workspace, or in its first event. */
function placeOf(path: string): { project?: string | undefined; branch?: string | undefined } {
  const workspace = basename(path) === EVENTS_FILE ? readWorkspace(dirname(path)) : new Map<string, string>();
  let context: JsonObject = {};
  for (const { value } of readRecords(path, { sink: silent })) {
    context = asObject(asObject(value.data).context);
    break;
  }
  return {
    project: workspace.get("cwd") ?? firstString(context, "cwd", "gitRoot"),
    branch: workspace.get("branch") ?? firstString(context, "branch"),
  };
}
