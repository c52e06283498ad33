/** Opens the repository of a verb: finds it from a folder, refreshes its history, and closes it afterwards. */
import { existsSync, statSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";
import type { Dex } from "../dex.ts";
import { CommitLinks } from "../history/links.ts";
import { historyPath } from "../history/place.ts";
import { insidePath, type Repository, repositoryOrFolder } from "../history/repository.ts";
import { updateOrStored } from "../history/update.ts";
import { unknownName } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import { bareRepositoryError } from "../kernel/git/git_folder.ts";
import { spellings } from "../kernel/text.ts";
import type { RunContext } from "../run_context.ts";
import { holdDatabases } from "../store/databases/open_databases.ts";
import { openHistory } from "../store/engine/history.ts";
import type { HistoryReader } from "../store/history.ts";
import { refreshCopies } from "./copies.ts";

export interface OpenRepository {
  repository: Repository;
  /** The base of relative paths. */
  folder: string;
  history: HistoryReader;
  links: CommitLinks;
  /** Why git is not read although the folder is in a repository: the program is missing. */
  withoutGit?: DexError;
}

/**
 * The project of the current folder, or the one that the user named. A folder without git is accepted too: it has
 * conversations and files.
 */
export function repositoryOf(dex: Dex, named: string | undefined): { repository: Repository; folder: string } {
  const from = projectNamed(dex, named) ?? dex.cwd;
  if (!existsSync(from)) throw noFolder(from);
  return { repository: repositoryOrFolder(from), folder: from };
}

const MAX_PROJECTS = 10_000;
const MAX_NAMED = 8;
const MAX_QUOTED_CHARS = 200;

/** Finds a project by its folder, its name, or part of the path of a project with conversations. */
export function projectNamed(dex: Dex, typed: string | undefined): string | undefined {
  if (typed === undefined) return undefined;
  if (existsSync(resolve(dex.cwd, typed))) return resolve(dex.cwd, typed);
  if (typed === "current") return dex.cwd;
  const all = dex.store.projects(MAX_PROJECTS).map(({ project }) => project);
  const known = all.filter((project) => existsSync(project));
  const wanted = typed.toLowerCase();
  const found = calledLike(wanted, known);
  const roots = [...new Set(found.map((project) => repositoryOrFolder(project).root))];
  const [only] = roots;
  if (only !== undefined && roots.length === 1) return only;
  if (roots.length > 1) {
    const shown = roots.slice(0, MAX_NAMED).map((root) => `  ${root}`);
    throw new DexError("ambiguous_project", `"${typed}" could be any of these projects:\n${shown.join("\n")}`, {
      hint: "Give more of its path.",
    });
  }
  if (isAbsolute(typed) || /^\.{1,2}(?:[/\\]|$)/.test(typed)) {
    throw noFolder(resolve(dex.cwd, typed));
  }
  const [elsewhere] = calledLike(wanted, all);
  if (elsewhere !== undefined) {
    throw new DexError(
      "unknown_project",
      `The project ${elsewhere} is not on this machine, only conversations of it.`,
      {
        hint: "Give the folder in which you have it now.",
      },
    );
  }
  throw unknownName({
    code: "unknown_project",
    sentence: `No project is called "${typed.slice(0, MAX_QUOTED_CHARS)}".`,
    typed: wanted,
    names: known.map((project) => basename(project)),
    hint: "Give its folder. Run `dex sync` to find the projects of conversations.",
  });
}

function noFolder(folder: string): DexError {
  return new DexError("no_folder", `${folder} does not exist.`, {
    hint: "Give an existing folder, or the name of a project with conversations.",
  });
}

/** Projects with that name, or else those with it in their path. */
function calledLike(wanted: string, projects: readonly string[]): string[] {
  const exact = projects.filter((project) => basename(project).toLowerCase() === wanted);
  return exact.length > 0 ? exact : projects.filter((project) => project.toLowerCase().includes(wanted));
}

export function needsGit({ repository, withoutGit }: Pick<OpenRepository, "repository" | "withoutGit">): void {
  if (repository.git) return;
  if (withoutGit) throw withoutGit;
  const bare = bareRepositoryError(repository.root);
  if (bare) throw bare;
  throw new DexError("no_repository", `${repository.root} is not in a git repository.`, {
    hint: "Change to a git repository, or give a folder of one with --project.",
  });
}

/** Runs `work` with the refreshed history. Limits of the history (a shallow clone) become notices. */
export async function withRepository<T>(
  dex: Dex,
  folder: string | undefined,
  context: RunContext,
  work: (open: OpenRepository) => T | Promise<T>,
): Promise<T> {
  const found = await refreshHistory(dex, folder, context);
  const history = openHistory(historyPath(dex.paths.history, found.repository));
  // Reading decisions or tests may take longer than an unused code graph stays open.
  const release = holdDatabases(dex.caches);
  try {
    return await work({ ...found, history, links: new CommitLinks(found.repository, dex.store) });
  } finally {
    release();
    history.close();
  }
}

/** True if the repository has no conversations of its own, but copies of it, found just now, have some. */
export async function hasCopies(dex: Dex, repository: Repository, context: RunContext): Promise<boolean> {
  const found = await refreshHistory(dex, repository.root, context);
  return (
    found.repository.roots.length > repository.roots.length && dex.store.count({ below: found.repository.roots }) > 0
  );
}

/** Without git the other sources still answer. */
async function refreshHistory(
  dex: Dex,
  folder: string | undefined,
  context: RunContext,
): Promise<Pick<OpenRepository, "repository" | "folder" | "withoutGit">> {
  const found = repositoryOf(dex, folder);
  if (!found.repository.isProject) {
    const { root } = found.repository;
    const reason = bareRepositoryError(root)?.message ?? `${root} is not in a git repository and has no manifest.`;
    context.notice?.(
      `${reason} dex answers only from conversations held in this folder itself. Change to a project, or give one with --project.`,
    );
  }
  try {
    const state = await updateOrStored(found.repository, dex.paths.history, { progress: context.progress });
    for (const note of state.notes) context.notice?.(`History: ${note}.`);
    if (state.behind !== undefined) dex.notice(state.behind);
    return { ...found, repository: await refreshCopies(dex, found.repository) };
  } catch (error) {
    if (!(error instanceof DexError) || error.code !== "no_git") throw error;
    context.notice?.(`${error.message} ${error.hint}`);
    return { ...found, repository: { ...found.repository, git: false }, withoutGit: error };
  }
}

/** The path of a file in the repository. The end of a path is enough if it is unique. */
export function resolveFile(open: OpenRepository, given: string): string {
  const typed = spellings(given).find((each) => isKnownPath(open, each)) ?? given;
  const inside = insidePath(open.repository, typed, open.folder);
  if (inside !== undefined && open.history.countOf(inside) > 0) return inside;
  const like = open.history.pathsLike(typed.replace(/^\.\//, ""), 6);
  if (like.length === 1 || like[0] === typed) return like[0] ?? typed;
  if (like.length > 1) {
    throw new DexError("ambiguous_file", `"${typed}" could be any of these:\n  ${like.join("\n  ")}`, {
      hint: "Give more of its path.",
    });
  }
  if (inside !== undefined) return inside;
  throw outsideRepository(open, typed);
}

function isKnownPath(open: OpenRepository, typed: string): boolean {
  const inside = insidePath(open.repository, typed, open.folder);
  if (inside !== undefined && open.history.countOf(inside) > 0) return true;
  if (open.history.pathsLike(typed.replace(/^\.\//, ""), 1).length > 0) return true;
  return inside !== undefined && existsSync(join(open.repository.root, inside));
}

export function outsideRepository({ repository }: { repository: Repository }, typed: string): DexError {
  return new DexError("outside", `${typed} is not in the repository ${repository.root}.`, {
    hint: "Give a path inside it, or another repository with --project.",
  });
}

/** The path of an existing folder below the root; empty for the root itself. */
export function folderIn(open: OpenRepository, target: string): string | undefined {
  if (resolve(open.folder, target) === open.repository.root) return "";
  for (const spelled of spellings(target.replace(/\/+$/, ""))) {
    const inside = insidePath(open.repository, spelled, open.folder);
    if (inside === undefined) return undefined;
    const stats = statSync(join(open.repository.root, inside), { throwIfNoEntry: false });
    if (stats?.isDirectory()) return inside;
  }
  return undefined;
}
