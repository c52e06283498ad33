/** Finds the copies of a repository from the conversations of other folders: their commits, their files, git's output. */
import { existsSync, statSync } from "node:fs";
import { posix } from "node:path";
import type { Message } from "../../conversations/model.ts";
import { isBelow } from "../../kernel/files/paths.ts";
import { compareText } from "../../kernel/text.ts";
import type { HistoryReader } from "../../store/history.ts";
import type { TrailConversation } from "../../store/trails.ts";
import { git } from "../git.ts";
import type { ConversationIndex } from "../links.ts";
import { findRepository, type Repository } from "../repository.ts";
import type { LoadConversation } from "../scan.ts";
import { type CopyEvidence, type CopySetting, confirmedCopies, isRefused, type RepositoryCopy } from "./copies.ts";
import { judgeCopy } from "./evidence.ts";
import { isTelling, namedAs, namesOf, remoteName, remotesOf } from "./names.ts";
import { gitOutputOf } from "./output.ts";

const MAX_FOLDERS = 300;
const MAX_CONVERSATIONS = 300;
/** Conversations of a folder whose messages are searched for git's output, if its commits and files do not decide. */
const MAX_SEARCHED = 12;
const MAX_REPOSITORIES_ASKED = 100;
const MAX_PATH_PARTS = 40;
const HOUR_MS = 3_600_000;
const SHORT_SHA_CHARS = 7;
const GIT_TIMEOUT_MS = 5000;

export interface CopyIndex extends ConversationIndex {
  projects(limit: number): { project: string; conversations: number; updated: number }[];
  storedMeta(no: number): { prs?: string[] } | undefined;
}

export interface CopySource {
  repository: Repository;
  history: HistoryReader;
  index: CopyIndex;
  load: LoadConversation;
  setting: CopySetting;
}

/** Folders of conversations outside the repository, the busiest first. */
export function foldersElsewhere({ repository, index }: Pick<CopySource, "repository" | "index">) {
  return index
    .projects(10_000)
    .filter(({ project }) => project.startsWith("/") && !repository.roots.some((root) => isBelow(root, project)));
}

interface Folder {
  path: string;
  rows: TrailConversation[];
  /** Absolute paths of the files that its conversations read or edited. */
  files: Set<string>;
  made: number;
  commits: number;
}

export async function findCopies(source: CopySource): Promise<RepositoryCopy[]> {
  const { repository, history, setting } = source;
  const remotes = remotesOf(repository);
  const names = namesOf(repository, remotes);
  const onDisk = await repositoriesOnDisk(source);
  const commits = commitsByFolder(source);
  const folders = foldersElsewhere(source)
    .map(({ project }) => project)
    .filter(
      (path) =>
        namedAs(path, names) !== undefined || (commits.get(path)?.here ?? 0) > 0 || onDisk.get(path) !== undefined,
    )
    .slice(0, MAX_FOLDERS)
    .map((path) => readFolder(source, path, commits.get(path)));
  const roots = new Roots(history);
  for (const { files } of folders) for (const file of files) roots.take(file);
  const found = new Map<string, Group>();
  for (const folder of folders) {
    const disk = onDisk.get(folder.path);
    // A folder that still exists decides for itself.
    if (disk === false) continue;
    const root = disk ?? roots.of(folder.path);
    const group = found.get(root) ?? { folders: [], firstCommit: disk !== undefined };
    group.folders.push(folder);
    found.set(root, group);
  }
  const copies: RepositoryCopy[] = [];
  for (const root of confirmedCopies(setting, repository)) {
    if (!found.has(root))
      found.set(root, { folders: [readFolder(source, root, commits.get(root))], firstCommit: false });
  }
  for (const [root, group] of found) {
    if (isRefused(setting, root, repository)) continue;
    const copy = judgeGroup(source, root, group, roots, { names, remotes });
    if (copy) copies.push(copy);
  }
  const joined = copies.filter(({ state }) => state === "joined");
  return [...copies, ...worktreesOf(source, joined, roots, names)].sort(
    (a, b) => compareText(a.state, b.state) || b.conversations - a.conversations || compareText(a.folder, b.folder),
  );
}

interface Group {
  folders: Folder[];
  firstCommit: boolean;
}

function judgeGroup(
  source: CopySource,
  root: string,
  { folders, firstCommit }: Group,
  roots: Roots,
  known: { names: ReadonlySet<string>; remotes: readonly string[] },
): RepositoryCopy | undefined {
  const rows = folders.flatMap((folder) => folder.rows);
  const evidence: CopyEvidence = {
    confirmed: confirmedCopies(source.setting, source.repository).includes(root),
    first_commit: firstCommit,
    commits: folders.reduce((sum, { commits }) => sum + commits, 0),
    shown: 0,
    ...roots.countsOf(root),
    remote: rows.some(({ no }) =>
      source.index.storedMeta(no)?.prs?.some((url) => known.remotes.includes(remoteName(url) ?? "")),
    ),
  };
  const judged = {
    named: namedAs(root, known.names),
    telling: roots.tellingOf(root),
    made: folders.reduce((sum, { made }) => sum + made, 0),
  };
  let state = judgeCopy({ ...judged, evidence });
  if (state === "unsure") {
    Object.assign(
      evidence,
      gitOutputOf(searchedMessages(source, rows), source.history, known.remotes, evidence.remote),
    );
    state = judgeCopy({ ...judged, evidence });
  }
  return state && { folder: root, state, conversations: rows.length, evidence };
}

function* searchedMessages({ load }: CopySource, rows: readonly TrailConversation[]): Generator<Message> {
  for (const row of rows.slice(0, MAX_SEARCHED)) for (const { message } of load(row)) yield message;
}

/** Working trees outside a copy's folder whose files conversations of the copy read or edited. */
function worktreesOf(
  { repository, setting }: CopySource,
  joined: readonly RepositoryCopy[],
  roots: Roots,
  names: ReadonlySet<string>,
): RepositoryCopy[] {
  const known = new Set(joined.map(({ folder }) => folder));
  if (known.size === 0) return [];
  return roots.all().flatMap((folder): RepositoryCopy[] => {
    const isKnown = known.has(folder) || repository.roots.includes(folder) || isRefused(setting, folder, repository);
    if (isKnown || existsSync(folder)) return [];
    const none = { confirmed: false, first_commit: false, commits: 0, shown: 0, remote: false };
    const evidence = { ...none, ...roots.countsOf(folder) };
    const state = judgeCopy({ named: namedAs(folder, names), evidence, telling: roots.tellingOf(folder), made: 0 });
    return state === "joined" ? [{ folder, state, conversations: 0, evidence }] : [];
  });
}

function readFolder({ index }: CopySource, path: string, commits: { made: number; here: number } | undefined): Folder {
  const rows = index.trail.conversationsIn([path], MAX_CONVERSATIONS).filter(({ project }) => project === path);
  const files = new Set<string>();
  for (const { no } of rows) {
    for (const file of index.files(no)) {
      if (file.how === "mentioned" || file.path.includes("\\")) continue;
      files.add(posix.normalize(file.path.startsWith("/") ? file.path : `${path}/${file.path}`));
    }
  }
  return { path, rows, files, made: commits?.made ?? 0, commits: commits?.here ?? 0 };
}

/**
 * By folder: the commits that its conversations made, and those of them that are here. A short id may match by chance, so
 * the commit's time must match, too.
 */
function commitsByFolder({ history, index }: CopySource): Map<string, { made: number; here: number }> {
  const rows = new Map<number, TrailConversation | undefined>();
  const shas = new Set<string>();
  const found = new Map<string, { made: number; here: number }>();
  for (const { no, sha } of index.trail.commitsMade()) {
    if (!rows.has(no)) rows.set(no, index.trail.conversation(no));
    const row = rows.get(no);
    if (!row || sha.length < SHORT_SHA_CHARS || shas.has(`${row.project} ${sha}`)) continue;
    shas.add(`${row.project} ${sha}`);
    const counts = found.get(row.project) ?? { made: 0, here: 0 };
    const [commit] = history.byPrefix(sha, 1);
    counts.made += 1;
    if (commit && commit.authored >= row.created - HOUR_MS && commit.authored <= row.updated + HOUR_MS)
      counts.here += 1;
    found.set(row.project, counts);
  }
  return found;
}

/**
 * For folders that still exist: the root of their repository if it contains this repository's first commit, false if it
 * does not.
 */
async function repositoriesOnDisk(source: CopySource): Promise<Map<string, string | false>> {
  const { repository, history } = source;
  const found = new Map<string, string | false>();
  const first = history.firstCommit();
  if (first === undefined) return found;
  const asked = new Map<string, boolean>();
  for (const { project } of foldersElsewhere(source)) {
    if (!statSync(project, { throwIfNoEntry: false })?.isDirectory()) continue;
    const other = findRepository(project);
    if (!other || other.commonDir === repository.commonDir) continue;
    if (!asked.has(other.commonDir) && asked.size >= MAX_REPOSITORIES_ASKED) continue;
    const has = asked.get(other.commonDir) ?? (await hasCommit(other.root, first));
    asked.set(other.commonDir, has);
    found.set(project, has && other.root);
  }
  return found;
}

async function hasCommit(root: string, sha: string): Promise<boolean> {
  try {
    await git(root, ["cat-file", "-e", `${sha}^{commit}`], { timeoutMs: GIT_TIMEOUT_MS });
    return true;
  } catch {
    return false;
  }
}

/** Possible roots of copies: the folders below which the files have the relative paths of this repository. */
class Roots {
  readonly #history: HistoryReader;
  readonly #here = new Map<string, Set<string>>();
  readonly #files = new Set<string>();

  constructor(history: HistoryReader) {
    this.#history = history;
  }

  /** Takes the longest relative path that the repository has. A bare file name proves nothing. */
  take(file: string): void {
    if (this.#files.has(file)) return;
    this.#files.add(file);
    const parts = file.split("/").slice(0, MAX_PATH_PARTS);
    for (let at = 1; at < parts.length - 1; at += 1) {
      const path = parts.slice(at).join("/");
      if (!this.#history.hasPath(path)) continue;
      const root = parts.slice(0, at).join("/");
      const known = this.#here.get(root);
      if (known) known.add(path);
      else this.#here.set(root, new Set([path]));
      return;
    }
  }

  /** The root of a conversation's folder: the folder itself or one above it, by the number of files. */
  of(folder: string): string {
    let best = folder;
    for (const [root, { size }] of this.#here) {
      if (isBelow(root, folder) && size > (this.#here.get(best)?.size ?? 0)) best = root;
    }
    return best;
  }

  all(): string[] {
    return [...this.#here.keys()];
  }

  countsOf(root: string): { files: number; files_of: number } {
    let of = 0;
    for (const file of this.#files) {
      if (file.startsWith(`${root}/`) && !this.#isDeeper(file, root)) of += 1;
    }
    return { files: this.#here.get(root)?.size ?? 0, files_of: of };
  }

  tellingOf(root: string): number {
    return [...(this.#here.get(root) ?? [])].filter(isTelling).length;
  }

  /** Whether the file belongs to a working tree inside the folder. */
  #isDeeper(file: string, root: string): boolean {
    return /\/\.?worktrees?\//.test(file.slice(root.length));
  }
}
