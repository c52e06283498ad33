/** The agents' own histories for `dex doctor`: found, unreadable, and left out on purpose. */
import { existsSync } from "node:fs";
import type { Dex } from "../dex.ts";
import { noteRefusals, type Refusal } from "../integrations/history/reading/files.ts";
import type { Container } from "../integrations/history/source.ts";
import { integrationById, loadSources } from "../integrations/registry.ts";
import { isBelow } from "../kernel/files/paths.ts";
import { plural } from "../kernel/text.ts";
import { readableOnly } from "../sync/plan.ts";
import { storedPath } from "../sync/reading/fields.ts";
import { sourceEnv } from "../sync/service.ts";
import { sumLeftOut } from "../sync/totals.ts";
import { counted, type Problem } from "./problem.ts";

export interface AgentState {
  source: string;
  name: string;
  found: boolean;
  places: string[];
  files: number;
  bytes: number;
  conversations: number;
  /** Folders and files of its history that dex may not read. */
  unreadable: string[];
}

/** History that dex leaves out on purpose, and the setting or command that includes it. */
export interface LeftOut {
  what: string;
  setting: string;
}

export interface SourcesState {
  agents: AgentState[];
  left_out: LeftOut[];
  problems: Problem[];
}

/** `store` is undefined when the index cannot be used; dex still looks for histories. */
export async function sourcesState(dex: Dex, store: Dex["store"]): Promise<SourcesState> {
  const env = sourceEnv(dex.syncContext, store);
  const counts = store.totals().sources;
  const refusals: Refusal[] = [];
  const agents = (await loadSources()).map((source): AgentState => {
    const { result: containers, refused } = noteRefusals(() => source.discover(env));
    const places = source.places(env).map(({ path }) => path);
    const unread = [...refused, ...readableOnly(containers).refused].filter(({ path }) =>
      isOf(path, places, containers),
    );
    refusals.push(...unread);
    return {
      source: source.id,
      name: integrationById(source.id)?.name ?? source.id,
      found: containers.length > 0 || unread.length > 0,
      places: places.filter((path) => existsSync(path)).map(storedPath),
      files: containers.length,
      bytes: containers.reduce((sum, { bytes }) => sum + bytes, 0),
      conversations: counts[source.id] ?? 0,
      unreadable: unread.map(({ path }) => storedPath(path)),
    };
  });
  return {
    agents,
    left_out: leftOut(dex, store),
    problems: [...unreadableProblems(refusals), ...failureProblems(store)],
  };
}

/** Several agents look into a project's folder: if it is unreadable, it does not count as the history of any. */
function isOf(path: string, places: readonly string[], containers: readonly Container[]): boolean {
  return (
    containers.some((each) => each.path === path) || places.some((place) => path === place || isBelow(place, path))
  );
}

function unreadableProblems(refusals: readonly Refusal[]): Problem[] {
  const [first] = refusals;
  if (!first) return [];
  const names = refusals.map(({ path, reason }) => `${path}: ${reason}`);
  const what = `History may not be read, and is missing from every answer: ${counted(names, "place")}.`;
  return [{ code: "history_unreadable", what, path: first.path, fix: `chmod u+rX ${JSON.stringify(first.path)}` }];
}

function failureProblems(store: Dex["store"]): Problem[] {
  const failed = store.failedContainers();
  const [first] = failed;
  if (!first) return [];
  const names = failed.map(({ path, error }) => `${path}: ${error}`);
  const what = `History that the last sync could not read: ${counted(names, "file")}.`;
  return [{ code: "history_failed", what, path: first.path, fix: "dex sync" }];
}

function leftOut(dex: Dex, store: Dex["store"]): LeftOut[] {
  const { sync, chat } = dex.settings;
  const found: LeftOut[] = sync.exclude_sources.map((source) => ({
    what: integrationById(source)?.name ?? source,
    setting: "sync.exclude_sources",
  }));
  if (sync.exclude.length > 0) {
    found.push({ what: `conversations in ${sync.exclude.join(", ")}`, setting: "sync.exclude" });
  }
  const { headless = 0, from_clone: fromClone = 0 } = sumLeftOut(store.leftOut());
  if (headless > 0) {
    found.push({
      what: `${plural(headless, "session")} that programs started (headless, SDK): ${byAgent(store)}`,
      setting: "sync.headless",
    });
  }
  if (fromClone > 0) {
    const what = `${plural(fromClone, "history file")} committed in a repository`;
    found.push({ what, setting: "dex trust --history <folder>" });
  }
  if (!chat.index && existsSync(dex.paths.chats)) {
    found.push({ what: "chats held in dex", setting: "chat.index" });
  }
  return found;
}

/** How many of them each agent has. */
function byAgent(store: Dex["store"]): string {
  const counts = new Map<string, number>();
  for (const { source, reasons } of store.leftOut()) {
    if (reasons.headless) counts.set(source, (counts.get(source) ?? 0) + reasons.headless);
  }
  return Array.from(counts, ([source, count]) => `${integrationById(source)?.name ?? source} ${count}`).join(", ");
}
