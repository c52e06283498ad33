/**
 * What providers look at, opened. An answer that may wait is made from what is brought up to date first; one that may
 * not, or that comes soon after another in the same process, from what is stored.
 */

import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findProject as findCode, openCode } from "../code/project.ts";
import type { Dex } from "../dex.ts";
import { coChanges, type Partner } from "../history/cochange.ts";
import { workingChanges } from "../history/gaps.ts";
import { CommitLinks } from "../history/links.ts";
import { historyPath } from "../history/place.ts";
import { findProject, type Repository } from "../history/repository.ts";
import { updateHistory } from "../history/update.ts";
import { DexError } from "../kernel/errors.ts";
import type { OwnedCaches } from "../kernel/owned_caches.ts";
import { commitChanges, conversationChanges } from "../project/changes.ts";
import { codeGraph } from "../project/code.ts";
import type { OpenRepository } from "../project/repository.ts";
import type { TextHit } from "../ranking/hits.ts";
import type { TermQuery } from "../ranking/query.ts";
import type { RunContext } from "../run_context.ts";
import { parseQuery } from "../search/query/query.ts";
import { vectorOf } from "../search/query/vector.ts";
import type { CodeReader } from "../store/code.ts";
import { openHistory } from "../store/engine/history.ts";
import { openState } from "../store/engine/state.ts";
import type { HistoryReader } from "../store/history.ts";
import { openCodeGraphs } from "../store/open_databases.ts";
import type { StateStore } from "../store/state.ts";
import { type DocumentFinder, documentFinder } from "./documents.ts";
import type { Focus, Ground, LikelySource } from "./evidence.ts";
import { type LikelyInput, likelyFiles } from "./files/likely.ts";
import { promptFiles } from "./files/prompt.ts";
import { focusOf } from "./focus.ts";
import type { Activity } from "./model.ts";
import { type Derived, failingTests, keptDerived } from "./stored_findings.ts";

/** Without a sign of change, what was brought up to date counts as that for so long. */
const FRESH_FOR = 60_000;
const MOST_PARTNERS = 20;

/** By git folder: when each working tree was last brought up to date, and which commit it was at. */
function lastLooks(): Map<string, { at: number; wall: number; head: string | undefined }> {
  return new Map();
}

export interface GroundOptions {
  stale: boolean;
  days: number;
}

export async function withGround<T>(
  dex: Dex,
  activity: Activity,
  options: GroundOptions,
  context: RunContext,
  work: (ground: Ground, projectId: string, state: StateStore | undefined) => T | Promise<T>,
): Promise<T> {
  const folder = resolve(dex.cwd, activity.folder);
  const repository = findProject(folder);
  const wanted = { ...activity, folder };
  const fresh = !options.stale && isDue(dex, repository, wanted);
  // Git is asked while the rest is looked up.
  const changes = options.stale ? undefined : changedFiles(dex, repository, fresh);
  if (fresh) await bring(dex, repository, context);
  const question = await questionOf(dex, activity);
  const documents = await documentsOf(dex);
  const history = openHistory(historyPath(dex.paths.history, repository));
  let graph: CodeReader | undefined;
  let state: StateStore | undefined;
  try {
    const open = { repository, folder, history, links: linksOf(dex, repository) };
    if (fresh) await codeGraph(dex, repository, context);
    graph = storedGraph(dex, repository);
    let derived = fresh ? await lookAgain(dex, open, graph, context) : undefined;
    if (fresh) {
      const look = { at: performance.now(), wall: Date.now(), head: repository.head };
      dex.caches.of(lastLooks).set(repository.gitDir, look);
    }
    const changed = await changes;
    state = dex.hasState ? openState(dex.paths.state) : undefined;
    const times = { now: dex.now(), recentChangeDays: options.days };
    const focus = focusOf(wanted, { repository, history, graph, index: dex.store, changed, question, ...times });
    const kept = (): Derived => (derived ??= keptDerived(open, state));
    return await work(
      {
        activity: wanted,
        focus,
        repository,
        history,
        graph,
        links: open.links,
        index: dex.store,
        likely: likelySource(dex, repository, history, graph, activity.session),
        near: nearTo(dex, focus),
        partners: partnersOf(history),
        decisions: () => kept().decisions,
        deprecated: () => kept().deprecated,
        failing: () => failingTests(open, state),
        documents,
        changed,
        ...times,
      },
      repository.commonDir,
      state,
    );
  } finally {
    state?.close();
    history.close();
  }
}

/** What looks at everything is not loaded where the answer cannot wait. */
async function lookAgain(
  dex: Dex,
  open: OpenRepository,
  graph: CodeReader | undefined,
  context: RunContext,
): Promise<Derived> {
  const { findDerived } = await import("./findings.ts");
  return findDerived(dex, open, graph, context);
}

/** Which conversation made which commit takes a look at all of them: kept as long as the index is the same. */
const linked = new WeakMap<Dex["store"], { key: string; links: CommitLinks }>();

function linksOf({ store }: Dex, repository: Repository): CommitLinks {
  const key = `${repository.gitDir} ${repository.roots.join(" ")} ${store.getValue("last_sync") ?? ""}`;
  const known = linked.get(store);
  if (known?.key === key) return known.links;
  const links = new CommitLinks(repository, store);
  linked.set(store, { key, links });
  return links;
}

function likelySource(
  dex: Dex,
  repository: Repository,
  history: HistoryReader,
  code: CodeReader | undefined,
  session: string | undefined,
): LikelySource {
  const exists = (path: string): boolean => existsSync(join(repository.root, path));
  // Both ways of asking look at the same changes.
  let known: Pick<LikelyInput, "code" | "commits" | "conversations" | "exists"> | undefined;
  const sources = () =>
    (known ??= {
      ...(code ? { code } : {}),
      commits: commitChanges(history),
      conversations: conversationChanges(repository, dex.store, session),
      exists,
    });
  return {
    with: (files) => (files.length === 0 ? [] : likelyFiles({ files, ...sources() })),
    for: (prompt, near) => promptFiles({ prompt, near, ...sources() }),
  };
}

const MOST_NEAR = 8;

function nearTo({ store }: Dex, { question, own }: Focus): Ground["near"] {
  let known: readonly TextHit[] | undefined;
  return () => {
    if (!question) return [];
    known ??= store
      .searchTexts(question, {}, MOST_NEAR + own.size, 0)
      .hits.filter(({ no }) => !own.has(no))
      .slice(0, MOST_NEAR);
    return known;
  };
}

function partnersOf(history: HistoryReader): Ground["partners"] {
  const known = new Map<string, readonly Partner[]>();
  return (path) => {
    const found = known.get(path) ?? coChanges(history, path, MOST_PARTNERS);
    known.set(path, found);
    return found;
  };
}

function isDue({ caches }: Dex, repository: Repository, { file, folder }: Activity): boolean {
  const last = caches.of(lastLooks).get(repository.gitDir);
  if (!last || last.head !== repository.head || performance.now() - last.at > FRESH_FOR) return true;
  const stats = file === undefined ? undefined : statSync(resolve(folder, file), { throwIfNoEntry: false });
  return stats !== undefined && stats.mtimeMs > last.wall;
}

/** Without the git program the rest can still be told. */
async function bring(dex: Dex, repository: Repository, context: RunContext): Promise<void> {
  try {
    const progress = (done: number): void => context.progress?.(done, done, "commits");
    await updateHistory(repository, dex.paths.history, { progress });
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    context.notice?.(`${error.message} ${error.hint ?? ""}`.trim());
  }
}

/** By git folder: what git said last of each working tree. */
function lastStatus(): Map<string, { at: number; files: string[] }> {
  return new Map();
}
const STATUS_FOR = 1000;
/** An answer waits no longer than this for git where it said something before. */
const PATIENCE = 25;

/** Files that differ from the last commit. On a large tree git takes longer than all the rest: then its last word counts. */
async function changedFiles({ caches }: Dex, repository: Repository, patient: boolean): Promise<string[] | undefined> {
  const known = caches.of(lastStatus).get(repository.gitDir);
  if (!patient && known && performance.now() - known.at < STATUS_FOR) return known.files;
  const asked = askStatus(caches, repository);
  if (patient || !known) return asked;
  const late = new AbortController();
  const last = delay(PATIENCE, known.files, { ref: false, signal: late.signal }).catch(() => known.files);
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

/** The graph as the last run left it; undefined where the code was never read. */
function storedGraph(dex: Dex, repository: Repository): CodeReader | undefined {
  const project = findCode(dex.paths.code, repository.root);
  if (project.root !== repository.root || !existsSync(project.path)) return undefined;
  try {
    return dex.caches.of(openCodeGraphs).get(project.path, () => openCode(project).store);
  } catch (error) {
    // `dex code` reports a graph that cannot be read.
    if (error instanceof DexError) return undefined;
    throw error;
  }
}

/** A service elsewhere is not asked: what is pushed must not wait for it, nor tell it what is worked on. */
async function questionOf(dex: Dex, { prompt }: Activity): Promise<TermQuery | undefined> {
  const parsed = prompt === undefined ? undefined : parseQuery(prompt.replaceAll(/["]|\b\w+:(?=\S)/g, " "));
  if (!parsed) return undefined;
  const local = dex.settings.embedding.provider === "static";
  const vector = local ? await vectorOf(parsed, dex, "hybrid") : undefined;
  return { terms: parsed.terms, paths: parsed.paths, ...(vector ? { vector } : {}) };
}

async function documentsOf(dex: Dex): Promise<DocumentFinder | undefined> {
  if (!existsSync(dex.paths.documents)) return undefined;
  try {
    return documentFinder(await dex.library(), dex.settings);
  } catch (error) {
    if (error instanceof DexError) return undefined;
    throw error;
  }
}
