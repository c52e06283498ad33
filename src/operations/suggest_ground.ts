/**
 * What providers look at, opened. An answer that may wait is made from what is brought up to date first; one that may
 * not, or that comes soon after another in the same process, from what is stored.
 */
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { findProject as findCode, openCode } from "../code/project.ts";
import type { Dex } from "../dex.ts";
import { workingChanges } from "../history/gaps.ts";
import { CommitLinks } from "../history/links.ts";
import { historyPath } from "../history/place.ts";
import { findProject, type Repository } from "../history/repository.ts";
import { updateHistory } from "../history/update.ts";
import { DexError } from "../kernel/errors.ts";
import { parseQuery } from "../search/query.ts";
import { vectorOf } from "../search/question.ts";
import type { CodeReader } from "../store/code.ts";
import type { TermQuery } from "../store/ports.ts";
import { openHistory } from "../store/sqlite/history.ts";
import { type DocumentFinder, documentFinder } from "../suggest/documents.ts";
import type { Ground } from "../suggest/evidence.ts";
import { focusOf } from "../suggest/focus.ts";
import type { Activity } from "../suggest/model.ts";
import { codeGraph } from "./history_code.ts";
import type { RunContext } from "./operation.ts";
import { type Derived, failingTests, findDerived, keptDerived } from "./suggest_derived.ts";

/** Without a sign of change, what was brought up to date counts as that for so long. */
const FRESH_FOR = 60_000;

/** When this process last brought a working tree up to date, and which commit it was at. */
const looked = new Map<string, { at: number; wall: number; head: string | undefined }>();

export interface GroundOptions {
  stale: boolean;
  days: number;
}

export async function withGround<T>(
  dex: Dex,
  activity: Activity,
  options: GroundOptions,
  context: RunContext,
  work: (ground: Ground, projectId: string) => T | Promise<T>,
): Promise<T> {
  const folder = resolve(dex.cwd, activity.folder);
  const repository = findProject(folder);
  const wanted = { ...activity, folder };
  const fresh = !options.stale && isDue(repository, wanted);
  // Git is asked while the rest is looked up.
  const changes = options.stale ? undefined : changedFiles(repository);
  if (fresh) await bring(dex, repository, context);
  const question = await questionOf(dex, activity);
  const documents = await documentsOf(dex);
  const history = openHistory(historyPath(dex.paths.history, repository));
  let graph: CodeReader | undefined;
  try {
    const open = { repository, folder, history, links: new CommitLinks(repository, dex.store) };
    if (fresh) await codeGraph(dex, repository, context);
    graph = storedGraph(dex, repository);
    let derived: Derived | undefined = fresh ? await findDerived(dex, open, graph, context) : undefined;
    if (fresh) looked.set(repository.gitDir, { at: performance.now(), wall: Date.now(), head: repository.head });
    const changed = await changes;
    const focus = focusOf(wanted, { repository, history, graph, index: dex.store, changed, question });
    const kept = (): Derived => (derived ??= keptDerived(dex, open));
    return await work(
      {
        activity: wanted,
        focus,
        repository,
        history,
        graph,
        links: open.links,
        index: dex.store,
        decisions: () => kept().decisions,
        deprecated: () => kept().deprecated,
        failing: () => failingTests(dex, open),
        documents,
        changed,
        now: dex.now(),
        recentChangeDays: options.days,
      },
      repository.commonDir,
    );
  } finally {
    graph?.close();
    history.close();
  }
}

function isDue(repository: Repository, { file, folder }: Activity): boolean {
  const last = looked.get(repository.gitDir);
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

async function changedFiles(repository: Repository): Promise<string[] | undefined> {
  try {
    return await workingChanges(repository);
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
    return openCode(project).store;
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
