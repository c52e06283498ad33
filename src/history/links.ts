/**
 * Links commits to the conversations that made them. A commit's hash in a tool result is proof; the same commit message
 * at that time is nearly so (a rebase changes the hash); the same files at that time are a guess with a lower
 * confidence. Also finds the conversations that touched a file.
 */
import { isBelow } from "../kernel/files/paths.ts";
import type { CommitInfo } from "../store/history_records.ts";
import type { FileRow, FileUse, TeamOrigin } from "../store/ports.ts";
import { pathInProject } from "../store/shared/placing.ts";
import type { TrailConversation, TrailReader } from "../store/trails.ts";
import { insidePath, type Repository } from "./repository.ts";

export interface CommitLink {
  source: string;
  id: string;
  title: string;
  /** The message in which the commit was made, if known. */
  message: number | null;
  /** When the conversation was last active. */
  updated: number;
  by: "sha" | "message" | "files";
  confidence: number;
  /** Of a conversation that a team shares. */
  team?: TeamOrigin;
}

type LinkedConversation = Pick<TrailConversation, "no" | "source" | "id" | "title" | "updated" | "team">;

/** The part of the index that links need. */
export interface ConversationIndex {
  trail: TrailReader;
  files(no: number): FileRow[];
  byNo(no: number): LinkedConversation | undefined;
}

const HOUR = 3_600_000;
const MAX_CONVERSATIONS = 5000;
/** The longest time from the end of a conversation to its commit, by kind of link. */
const MAX_AFTER_MESSAGE_MS = 24 * HOUR;
const MAX_AFTER_FILES_MS = 6 * HOUR;
const MIN_OVERLAP = 0.5;
const SHORT_SHA_CHARS = 7;

export class CommitLinks {
  readonly #repository: Repository;
  readonly #index: ConversationIndex;
  #conversations: readonly TrailConversation[] | undefined;
  /** Cached, because several parts of an answer use it. */
  #latest: { limit: number; rows: readonly TrailConversation[] } | undefined;
  readonly #bySha = new Map<string, { no: number; first: number; sha: string }[]>();
  readonly #bySubject = new Map<string, { no: number; first: number }[]>();
  #knowsCommits = false;
  readonly #edited = new Map<number, Set<string>>();

  constructor(repository: Repository, index: ConversationIndex) {
    this.#repository = repository;
    this.#index = index;
  }

  /**
   * All conversations, which are thousands of rows in a large project; the other methods read only the rows they need.
   */
  get conversations(): readonly TrailConversation[] {
    this.#conversations ??= this.#conversationsSince(0);
    return this.#conversations;
  }

  /** The latest, at most this many. */
  latest(limit: number): TrailConversation[] {
    return this.latestBelow(limit).filter((row) => this.#isHere(row));
  }

  /** The same with those of projects inside a folder that is not a project. */
  latestBelow(limit: number): readonly TrailConversation[] {
    if (!this.#latest || this.#latest.limit < limit) {
      const rows = this.#index.trail.conversationsIn(this.#repository.roots, limit);
      this.#latest = { limit, rows };
    }
    return this.#latest.rows.slice(0, limit);
  }

  #conversationsSince(time: number): TrailConversation[] {
    const below = this.#index.trail.conversationsIn(this.#repository.roots, MAX_CONVERSATIONS, time);
    return below.filter((row) => this.#isHere(row));
  }

  /** A folder that is not a project may contain projects, whose conversations are not its own. */
  #isHere({ project }: TrailConversation): boolean {
    const { isProject, root, roots } = this.#repository;
    return isProject ? roots.some((each) => isBelow(each, project)) : project === root;
  }

  #conversation(no: number): TrailConversation | undefined {
    const row = this.#index.trail.conversation(no);
    return row && this.#isHere(row) ? row : undefined;
  }

  #readCommits(): void {
    if (this.#knowsCommits) return;
    this.#knowsCommits = true;
    for (const { no, first, sha, subject } of this.#index.trail.commitsMade()) {
      add(this.#bySha, sha.slice(0, SHORT_SHA_CHARS), { no, first, sha });
      add(this.#bySubject, subject.trim(), { no, first });
    }
  }

  of(commit: CommitInfo, files: () => readonly string[]): CommitLink | undefined {
    this.#readCommits();
    return this.#shaLink(commit) ?? this.#messageLink(commit) ?? this.#filesLink(commit, files);
  }

  #shaLink(commit: CommitInfo): CommitLink | undefined {
    const made = this.#bySha.get(commit.sha.slice(0, SHORT_SHA_CHARS))?.find(({ sha }) => commit.sha.startsWith(sha));
    const row = made && this.#index.byNo(made.no);
    if (!made || !row) return undefined;
    return linkTo(row, made.first, "sha", 1);
  }

  #messageLink(commit: CommitInfo): CommitLink | undefined {
    const made = this.#bySubject.get(commit.subject);
    if (!made) return undefined;
    for (const { no, first } of made) {
      const row = this.#conversation(no);
      if (!row || !isNear(commit.authored, row, HOUR, MAX_AFTER_MESSAGE_MS)) continue;
      return linkTo(row, first, "message", 0.9);
    }
    return undefined;
  }

  #filesLink(commit: CommitInfo, files: () => readonly string[]): CommitLink | undefined {
    const since = this.#conversations ?? this.#conversationsSince(commit.authored - MAX_AFTER_FILES_MS);
    const near = since.filter((row) => isNear(commit.authored, row, 0, MAX_AFTER_FILES_MS));
    if (near.length === 0 || commit.parents > 1) return undefined;
    const changed = files();
    let best: { row: TrailConversation; overlap: number } | undefined;
    for (const row of near) {
      const edited = this.#editedBy(row);
      const overlap = changed.filter((path) => edited.has(path)).length / Math.max(1, changed.length);
      if (overlap >= MIN_OVERLAP && (!best || overlap > best.overlap)) best = { row, overlap };
    }
    if (!best) return undefined;
    const { row, overlap } = best;
    const confidence = Math.round((0.4 + 0.3 * overlap) * 100) / 100;
    return linkTo(row, null, "files", confidence);
  }

  #editedBy(row: TrailConversation): Set<string> {
    let edited = this.#edited.get(row.no);
    if (!edited) {
      edited = new Set();
      for (const { path, how } of this.#index.files(row.no)) {
        const inside = how === "edited" ? insidePath(this.#repository, path, row.project) : undefined;
        if (inside !== undefined) edited.add(inside);
      }
      this.#edited.set(row.no, edited);
    }
    return edited;
  }

  /** Conversations that touched the file under any of its names, with the strongest use and its first message. */
  touching(names: readonly string[]): { row: TrailConversation; how: FileUse; first: number }[] {
    const wanted = new Set(names);
    const spelled = new Set(names.flatMap((name) => this.#spellings(name)));
    const found = new Map<number, { row: TrailConversation; how: FileUse; first: number }>();
    for (const { no, path, how, first } of this.#index.trail.touching([...spelled])) {
      const row = this.#conversation(no);
      const inside = row && insidePath(this.#repository, path, row.project);
      if (!row || inside === undefined || !wanted.has(inside)) continue;
      const known = found.get(no);
      if (!known || STRENGTH[how] > STRENGTH[known.how]) found.set(no, { row, how, first });
    }
    return [...found.values()].sort((a, b) => b.row.updated - a.row.updated || (a.row.id < b.row.id ? -1 : 1));
  }

  /** The path of a file that the conversation names, from the root of the repository; undefined outside it. */
  insideOf({ no, project }: TrailConversation, path: string): string | undefined {
    const place = this.#index.trail.ownersPlace(no);
    return insidePath(this.#repository, place ? pathInProject(path, place) : path, project);
  }

  /** All spellings of the path in conversations: absolute in each worktree, relative to any parent folder. */
  #spellings(name: string): string[] {
    const parts = name.split("/");
    const ends = parts.map((_, i) => parts.slice(i).join("/"));
    return [...this.#repository.roots.map((root) => `${root}/${name}`), ...ends, ...ends.map((end) => `./${end}`)];
  }
}

function linkTo(
  { source, id, title, updated, team }: LinkedConversation,
  message: number | null,
  by: CommitLink["by"],
  confidence: number,
): CommitLink {
  return { source, id, title, updated, message, by, confidence, ...(team ? { team } : {}) };
}

const STRENGTH: Record<FileUse, number> = { edited: 2, read: 1, mentioned: 0 };

/** Whether the time is in the span of the conversation, widened on both sides. */
function isNear(time: number, row: TrailConversation, before: number, after: number): boolean {
  return time >= row.created - before && time <= row.updated + after;
}

function add<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
