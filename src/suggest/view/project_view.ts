/**
 * Opens everything providers read. Interactive callers get refreshed data; latency-bound callers (hooks), and calls
 * soon after another in the same process, get the last stored data.
 */

import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { FILE_NAMES_KEY, type FileNames, readFileNames } from "../../code/answers/file_names.ts";
import { findCodeProject, openCode } from "../../code/project.ts";
import type { Dex } from "../../dex.ts";
import { workingChanges } from "../../history/cochange/gaps.ts";
import { withCopies } from "../../history/copies/copies.ts";
import { CommitLinks } from "../../history/links.ts";
import { historyPath } from "../../history/place.ts";
import { projectKey, type Repository, repositoryOrFolder } from "../../history/repository.ts";
import { updateHistory } from "../../history/update.ts";
import { DexError } from "../../kernel/errors.ts";
import type { OwnedCaches } from "../../kernel/owned_caches.ts";
import { commitChanges, conversationChanges } from "../../project/changes.ts";
import { codeGraph } from "../../project/code.ts";
import type { OpenRepository } from "../../project/repository.ts";
import { failingTests } from "../../project/tests/failing.ts";
import type { TextHit } from "../../ranking/hits.ts";
import type { RunContext } from "../../run_context.ts";
import { withTeam } from "../../search/with_team.ts";
import type { CodeReader } from "../../store/code.ts";
import { openCodeGraphs } from "../../store/databases/open_databases.ts";
import { openHistory } from "../../store/engine/history.ts";
import { openState } from "../../store/engine/state.ts";
import type { FileRow } from "../../store/ports.ts";
import type { StateStore } from "../../store/state/state.ts";
import { withCached } from "../../team/finding/cached.ts";
import { hasTeam } from "../../team/joined.ts";
import type { Focus, LikelyFiles, ProjectView } from "../evidence.ts";
import { type LikelyFile, type LikelyInput, likelyFiles } from "../files/likely.ts";
import { hasNeighbours, preparedNeighbours } from "../files/prepared_neighbours.ts";
import { promptFiles } from "../files/prompt.ts";
import type { Activity } from "../model.ts";
import { storedShifts } from "../replay/stored_shifts.ts";
import { type DocumentFinder, documentFinder } from "./documents.ts";
import { focusOf } from "./focus.ts";
import { likenessTo, questionOf } from "./question.ts";
import { type Findings, storedFindings } from "./stored_findings.ts";

/** Without a sign of change, refreshed data counts as fresh for this long. */
const REFRESH_INTERVAL_MS = 60_000;

/** By git directory: when each working tree was last refreshed, and at which commit. */
function lastRefreshed(): Map<string, { at: number; wall: number; head: string | undefined }> {
  return new Map();
}

export interface ProjectViewOptions {
  stale: boolean;
  days: number;
  /** Milliseconds until the caller stops waiting; undefined: it waits. */
  left?: (() => number) | undefined;
  /** Called when there is no time for a step. */
  skipped?: (() => void) | undefined;
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

/** Milliseconds that the long steps of a hook take in a large project on an idle machine, and all that comes before. */
const STEP_MS = { cachedTeam: 20, similarConversations: 30, likelyWith: 45, likelyFor: 35 } as const;
const BEFORE_STEPS_MS = 90;

/** Whether there is time for a step, if this machine goes on as slowly as it did since the process was started. */
function affordable({ left, skipped }: ProjectViewOptions): (step: keyof typeof STEP_MS) => boolean {
  if (!left) return () => true;
  const pace = Math.max(1, performance.now() / BEFORE_STEPS_MS);
  return (step) => {
    const isTime = left() > STEP_MS[step] * pace;
    if (!isTime) skipped?.();
    return isTime;
  };
}

/** A look at a project: through which view, with which state, and whom to tell about it. */
export interface Look {
  view: ProjectView;
  projectId: string;
  state: StateStore | undefined;
  context: RunContext;
}

/**
 * `work` may run several times, because parts of the team's index are fetched when it misses them: it must only read.
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
  const release = dex.caches.of(openCodeGraphs).hold();
  try {
    const open = { repository, folder, history, links: linksOf(dex, repository) };
    if (fresh) await codeGraph(dex, repository, context);
    graph = storedGraph(dex, repository);
    if (fresh && !graph) await prepareNames(dex, open);
    let findings = fresh ? await computeFindings(dex, open, graph, context) : undefined;
    if (fresh) {
      const refreshed = { at: performance.now(), wall: Date.now(), head: repository.head };
      dex.caches.of(lastRefreshed).set(repository.gitDir, refreshed);
    }
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

/** Latency-bound callers read what is cached of the team, and never ask its server. */
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
    return await look(cached ? dex.over(cached.index) : dex, context);
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
  const { prepareFileNames } = await import("../files/prepare_names.ts");
  await prepareFileNames(dex, repository, history);
}

/** Linking commits to conversations reads all of them, so the links are cached until the index changes. */
const linked = new WeakMap<Dex["store"], { key: string; links: CommitLinks }>();

function linksOf({ store }: Dex, repository: Repository): CommitLinks {
  // Conversations of the team come and go without a sync.
  if (store.home) return new CommitLinks(repository, store);
  const key = `${repository.gitDir} ${repository.roots.join(" ")} ${store.getValue("last_sync") ?? ""}`;
  const known = linked.get(store);
  if (known?.key === key) return known.links;
  const links = new CommitLinks(repository, store);
  linked.set(store, { key, links });
  return links;
}

interface LikelyOptions {
  /** Left out: the caller's own. */
  session: string | undefined;
  affords: ReturnType<typeof affordable>;
  /** Whether lists of the last refresh will do. */
  isPrepared: boolean;
  filesIn: ProjectView["filesIn"];
}

function filesOnce(store: Dex["store"]): ProjectView["filesIn"] {
  const known = new Map<number, readonly FileRow[]>();
  return (no) => {
    const files = known.get(no) ?? store.files(no);
    known.set(no, files);
    return files;
  };
}

function likelySource(
  dex: Dex,
  { repository, history }: OpenRepository,
  code: CodeReader | undefined,
  { session, affords, isPrepared, filesIn }: LikelyOptions,
): LikelyFiles {
  const exists = (path: string): boolean => existsSync(join(repository.root, path));
  // Both methods read the same changes.
  let known: Pick<LikelyInput, "code" | "commits" | "conversations" | "exists"> | undefined;
  const trail = { conversationsIn: (_: unknown, limit: number) => linksOf(dex, repository).latestBelow(limit) };
  const sources = () =>
    (known ??= {
      ...(code ? { code } : {}),
      commits: commitChanges(history),
      conversations: conversationChanges(repository, { trail, files: filesIn }, session),
      exists,
    });
  const names = (): FileNames | undefined => (code ? undefined : readFileNames(history.getValue(FILE_NAMES_KEY)));
  const prepared = (files: readonly string[]): LikelyFile[] | undefined =>
    isPrepared && files.length === 1 ? preparedNeighbours(history, files[0] ?? "", exists) : undefined;
  // Ranking the whole graph of the code takes a hook longer than everything else it does.
  const withoutGraph = () => isPrepared && hasNeighbours(history);
  const found = (files: readonly string[]): LikelyFile[] => {
    if (files.length === 0 || !affords("likelyWith")) return [];
    const { code: graph, ...changes } = sources();
    return likelyFiles({ files, ...changes, ...(graph && !withoutGraph() ? { code: graph } : {}) });
  };
  return {
    with: (files) => prepared(files) ?? found(files),
    for: (prompt, near) => (affords("likelyFor") ? promptFiles({ prompt, near, names: names(), ...sources() }) : []),
  };
}

const MAX_NEAR_CONVERSATIONS = 8;

function nearTo({ store }: Dex, { question, own }: Focus, affords: ReturnType<typeof affordable>): ProjectView["near"] {
  let known: readonly TextHit[] | undefined;
  return () => {
    if (!question || (!known && !affords("similarConversations"))) return [];
    known ??= store
      .bestTexts(question, {}, MAX_NEAR_CONVERSATIONS + own.size)
      .filter(({ no }) => !own.has(no))
      .slice(0, MAX_NEAR_CONVERSATIONS);
    return known;
  };
}

function isDue({ caches }: Dex, repository: Repository, { file, folder }: Activity): boolean {
  const last = caches.of(lastRefreshed).get(repository.gitDir);
  if (!last || last.head !== repository.head || performance.now() - last.at > REFRESH_INTERVAL_MS) return true;
  const stats = file === undefined ? undefined : statSync(resolve(folder, file), { throwIfNoEntry: false });
  return stats !== undefined && stats.mtimeMs > last.wall;
}

/** Without git the other sources still give suggestions. */
async function refreshHistory(dex: Dex, repository: Repository, context: RunContext): Promise<void> {
  try {
    await updateHistory(repository, dex.paths.history, { progress: context.progress });
    const { refreshCopies } = await import("../../project/copies.ts");
    await refreshCopies(dex, repository);
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    context.notice?.(`${error.message} ${error.hint ?? ""}`.trim());
  }
}

/** By git directory: the last git status of each working tree. */
function lastStatus(): Map<string, { at: number; files: string[] }> {
  return new Map();
}
const STATUS_TTL_MS = 1000;
/** How long an answer waits for git if an earlier status is known. */
const MAX_STATUS_WAIT_MS = 25;

/** Files that differ from the last commit. On a large tree git is the slowest part; then its last status is used. */
async function changedFiles({ caches }: Dex, repository: Repository, mayWait: boolean): Promise<string[] | undefined> {
  const known = caches.of(lastStatus).get(repository.gitDir);
  if (!mayWait && known && performance.now() - known.at < STATUS_TTL_MS) return known.files;
  const asked = askStatus(caches, repository);
  if (mayWait || !known) return asked;
  const late = new AbortController();
  const last = delay(MAX_STATUS_WAIT_MS, known.files, { ref: false, signal: late.signal }).catch(() => known.files);
  const files = await Promise.race([asked, last]);
  late.abort();
  return files;
}

async function askStatus(caches: OwnedCaches, repository: Repository): Promise<string[] | undefined> {
  try {
    const files = await workingChanges(repository);
    caches.of(lastStatus).set(repository.gitDir, { at: performance.now(), files });
    return files;
  } catch (error) {
    if (error instanceof DexError) return undefined;
    throw error;
  }
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
