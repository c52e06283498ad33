/**
 * Opens everything providers read. Interactive callers get refreshed data; latency-bound callers (hooks), and calls
 * soon after another in the same process, get the last stored data.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findCodeProject, openCode } from "../../code/project.ts";
import type { Dex } from "../../dex.ts";
import { withCopies } from "../../history/copies/copies.ts";
import { historyPath } from "../../history/place.ts";
import { projectKey, type Repository, repositoryOrFolder } from "../../history/repository.ts";
import { DexError } from "../../kernel/errors.ts";
import { firstCodeGraph } from "../../project/code.ts";
import type { OpenRepository } from "../../project/repository.ts";
import { failingTests } from "../../project/tests/failing.ts";
import type { RunContext } from "../../run_context.ts";
import { withTeam } from "../../search/with_team.ts";
import type { CodeReader } from "../../store/code.ts";
import { holdDatabases, openCodeGraphs } from "../../store/databases/open_databases.ts";
import { openHistory } from "../../store/engine/history.ts";
import { openState } from "../../store/engine/state.ts";
import type { StateStore } from "../../store/state/state.ts";
import { withCached } from "../../team/finding/cached.ts";
import { hasTeam } from "../../team/joined.ts";
import type { ProjectView } from "../evidence.ts";
import type { Activity } from "../model.ts";
import { storedShifts } from "../replay/stored_shifts.ts";
import { type DocumentFinder, documentFinder } from "./documents.ts";
import { focusOf } from "./focus.ts";
import { changedFiles, isDue, noteRefreshed, refreshHistory } from "./freshness.ts";
import { filesOnce, likelySource, linksOf, nearTo } from "./likely_source.ts";
import { likenessTo, questionOf } from "./question.ts";
import { type Findings, storedFindings } from "./stored_findings.ts";
import { affordable, type TimeBudget } from "./time_budget.ts";

export interface ProjectViewOptions extends TimeBudget {
  stale: boolean;
  days: number;
  /** Which conversations are suggested: by default those of this home and of its team. */
  choice?: ConversationChoice | undefined;
}

export interface ConversationChoice {
  team?: boolean;
  local?: boolean;
  by?: string | undefined;
}

/** `home`: the member that owns the conversations of this home. */
function chosenBy({ team = false, by }: ConversationChoice = {}, home: string | undefined): ProjectView["isChosen"] {
  return (row) => (!team || row.team !== undefined) && (by === undefined || by === (row.team?.owner ?? home));
}

/** An opened view of a project, with the state and the context of its caller. */
export interface Look {
  view: ProjectView;
  projectId: string;
  state: StateStore | undefined;
  context: RunContext;
}

/**
 * `work` may run several times, because missing parts of the team's index are fetched in between, so it must only read.
 * `finish` runs once, with the last result.
 */
export async function withProjectView<T>(
  dex: Dex,
  activity: Activity,
  options: ProjectViewOptions,
  context: RunContext,
  work: (look: Look) => T | Promise<T>,
  finish: (result: T, state: StateStore | undefined) => void = () => {},
): Promise<T> {
  const folder = resolve(dex.cwd, activity.folder);
  const found = repositoryOrFolder(folder);
  const wanted = { ...activity, folder };
  const fresh = !options.stale && isDue(dex, found, wanted);
  // Git runs while the rest is opened.
  const changes = options.stale ? undefined : changedFiles(dex, found, fresh);
  if (fresh) await refreshHistory(dex, found, context);
  const question = questionOf(dex.settings, activity);
  const documents = await documentsOf(dex);
  const history = openHistory(historyPath(dex.paths.history, found));
  const repository = withCopies(found, history, dex.settings.history.copies);
  let graph: CodeReader | undefined;
  let state: StateStore | undefined;
  const release = holdDatabases(dex.caches);
  try {
    const open = { repository, folder, history, links: linksOf(dex, repository) };
    if (fresh) await firstCodeGraph(dex, repository, context);
    graph = storedGraph(dex, repository);
    if (fresh && !graph) await prepareNames(dex, open);
    let findings = fresh ? await computeFindings(dex, open, graph, context) : undefined;
    if (fresh) noteRefreshed(dex, repository);
    const changed = await changes;
    state = dex.hasState ? openState(dex.paths.state) : undefined;
    const times = { now: dex.now(), recentChangeDays: options.days };
    const affords = affordable(options);
    const known = (): Findings => (findings ??= storedFindings(open, state, activity.prompt !== undefined));
    const look = (over: Dex, heard: RunContext): T | Promise<T> => {
      const index = over.store;
      const focus = focusOf(wanted, { repository, history, graph, index, changed, question, ...times });
      const filesIn = filesOnce(index);
      const { session } = activity;
      const view: ProjectView = {
        activity: wanted,
        focus,
        repository,
        history,
        graph,
        links: linksOf(over, repository),
        index,
        filesIn,
        // A hook has no time to read the files of the team's conversations, too.
        likely: likelySource(options.stale ? dex : over, open, graph, {
          session,
          affords,
          isPrepared: options.stale,
          filesIn,
        }),
        near: nearTo(over, focus, affords),
        likeness: likenessTo(dex.settings, activity),
        shifts: storedShifts(history),
        least: () => 0,
        decisions: () => known().decisions,
        deprecated: () => known().deprecated,
        failing: () => failingTests({ ...open, imported: state?.tests }),
        documents,
        changed,
        isChosen: chosenBy(options.choice, index.home?.owner),
        ...times,
      };
      return work({ view, projectId: projectKey(repository), state, context: heard });
    };
    const result = await overTeam(dex, options, context, folder, look);
    finish(result, state);
    return result;
  } finally {
    release();
    state?.close();
    history.close();
  }
}

/** Latency-bound callers use only the cached part of the team's index and never contact the server. */
async function overTeam<T>(
  dex: Dex,
  options: ProjectViewOptions,
  context: RunContext,
  folder: string,
  look: (over: Dex, context: RunContext) => T | Promise<T>,
): Promise<T> {
  if (options.choice?.local === true || !hasTeam(dex.paths.team)) return look(dex, context);
  if (!options.stale) return withTeam(dex, context, look, folder);
  const cached = affordable(options)("cachedTeam") ? withCached(dex.store, dex.paths.team, dex.now()) : undefined;
  try {
    return await look(cached ? dex.withIndex(cached.index) : dex, context);
  } finally {
    cached?.close();
  }
}

/** Imported lazily: latency-bound callers never need it. */
async function computeFindings(
  dex: Dex,
  open: OpenRepository,
  graph: CodeReader | undefined,
  context: RunContext,
): Promise<Findings> {
  const { computeFindings: compute } = await import("./findings.ts");
  return compute(dex, open, graph, context);
}

/** Imported lazily: latency-bound callers never need it. */
async function prepareNames(dex: Dex, { repository, history }: OpenRepository): Promise<void> {
  const { prepareFileNames } = await import("../files/prompt/prepare_names.ts");
  await prepareFileNames(dex, repository, history);
}

/** The graph as the last run left it; undefined if the code was never indexed. */
function storedGraph(dex: Dex, repository: Repository): CodeReader | undefined {
  const project = findCodeProject(dex.paths.code, repository.root);
  if (project.root !== repository.root || !existsSync(project.path)) return undefined;
  try {
    return dex.caches.of(openCodeGraphs).get(project.path, () => openCode(project).store);
  } catch (error) {
    // `dex code` reports a graph that cannot be read.
    if (error instanceof DexError) return undefined;
    throw error;
  }
}

async function documentsOf(dex: Dex): Promise<DocumentFinder | undefined> {
  if (!existsSync(dex.paths.documents)) return undefined;
  try {
    if ((await dex.collections()).every(({ implicit }) => implicit)) return undefined;
    return documentFinder(await dex.library(), dex.settings);
  } catch (error) {
    if (error instanceof DexError) return undefined;
    throw error;
  }
}
