/**
 * The port to the index of conversations: its rows, and reading and searching them. SQLite implements it now; another
 * engine has to implement only the ports.
 */
import type { ShellOutcome } from "../conversations/activity/shell/shell_runs.ts";
import type { ConversationMeta, ParentKind, Role } from "../conversations/model.ts";
import type { Format } from "../conversations/render.ts";
import type { MessageHit, TermCounts, TermShare, TextHit, TextHits } from "../ranking/hits.ts";
import type { Holders } from "../ranking/holders.ts";
import type { TermQuery } from "../ranking/query.ts";
import type { NearTerm } from "../ranking/spelling.ts";
import type { ArchiveBlock } from "./archive/archive.ts";
import type { VectorGapReader } from "./vector_gaps.ts";

/** A conversation as the index knows it. Times are milliseconds. */
export interface ConversationRow {
  no: number;
  source: string;
  id: string;
  title: string;
  project: string | null;
  branch: string | null;
  model: string | null;
  created: number;
  updated: number;
  messages: number;
  tokens: number;
  tokens_stripped: number;
  tokens_user: number;
  parent: string | null;
  parent_kind: ParentKind | null;
  /** Path inside the archive folder, or from it. */
  archive: string;
  archive_bytes: number;
  /** Of a conversation that a team shares; absent for one of this home. */
  team?: TeamOrigin;
}

/** Where a shared conversation comes from. */
export interface TeamOrigin {
  /** The member who pushed it, and the machine it was pushed from. */
  owner: string;
  machine: string;
  /** The shared project, as its normalised git remote. */
  scope: string;
}

export interface MessageRow {
  index: number;
  role: Role;
  time: number | null;
  tokens: number;
  tokens_stripped: number;
  tokens_user: number;
  head: string;
}

export interface MessageSizes {
  messages: number;
  tokens: number;
}

export type FileUse = "edited" | "read" | "mentioned";

export interface FileRow {
  path: string;
  how: FileUse;
  first: number;
}

export interface CommitRow {
  first: number;
  sha: string;
  subject: string;
}

/** A shell command that an agent ran. */
export interface ShellRun {
  no: number;
  index: number;
  time: number | null;
  command: string;
  /** `unclear` also if no result was recorded. */
  outcome: ShellOutcome;
  exit_code: number | null;
}

/** Which conversations are included. All conditions hold together. */
export interface ConversationFilter {
  /** Part of the project path. */
  project?: string;
  /** One of the project's folders, or one below it. */
  below?: readonly string[];
  source?: string;
  /** False: without the conversations of subagents; true: only those. */
  subagents?: boolean;
  /** False: without branches that were abandoned; true: only those. */
  abandoned?: boolean;
  /** Milliseconds; includes conversations that were active in the span. */
  from?: number;
  to?: number;
  /** Part of the path of a file it touched. */
  file?: string;
  /** One conversation, by its number. */
  no?: number;
  /** Only conversations of this home, or only those of the team. */
  origin?: "local" | "team";
  /** The member who pushed it. This home's own conversations belong to the member who owns the home. */
  owner?: string;
}

/** The messages of a conversation within a quarter of an hour, which starts at `time`. */
export interface ActivityRow {
  no: number;
  source: string;
  project: string | null;
  time: number;
  messages: number;
  tokens: number;
}

export interface IndexTotals {
  conversations: number;
  messages: number;
  tokens: number;
  earliest: number | null;
  latest: number | null;
  sources: Record<string, number>;
}

/** The archive file of a conversation as the index knows it, and what would be lost with it. */
export interface ArchivedRow {
  no: number;
  source: string;
  id: string;
  title: string;
  messages: number;
  /** The agent's own file that it was read from. */
  origin: string | null;
  /** A program ran it. */
  headless: boolean;
  /** Path inside the archive folder, and the length of the file. */
  archive: string;
  bytes: number;
}

export interface ConversationReader extends VectorGapReader {
  totals(): IndexTotals;
  /** Projects with their number of conversations, the most active first. */
  projects(limit: number): { project: string; conversations: number; updated: number }[];
  list(filter: ConversationFilter, limit: number, offset: number): ConversationRow[];
  count(filter: ConversationFilter): number;
  /** Of the conversations that the filter includes, the messages in its span of time. */
  activity(filter: ConversationFilter): ActivityRow[];
  byNo(no: number): ConversationRow | undefined;
  /** Conversations whose id is this or begins with it; an exact match is returned alone, and an abandoned branch only if
   * nothing else begins so. */
  byPrefix(prefix: string, source?: string, limit?: number): ConversationRow[];
  /** The number of conversations with this id, and the neighbouring ids in order; empty if there is none. */
  idNeighbours(id: string): { same: number; before: string; after: string };
  /** Ids near a mistyped one. */
  ids(): { source: string; id: string }[];
  /** The metadata as archived. */
  storedMeta(no: number): ConversationMeta | undefined;
  children(id: string): ConversationRow[];
  childCount(id: string): number;
  /** The codes of a message's words in their order, if they are stored. */
  wordOrder(no: number, index: number): Uint16Array | undefined;
  messages(no: number, from?: number, to?: number): MessageRow[];
  /** How many of the messages `from` to `to` (exclusive) have text in this format, and their tokens. */
  sizes(no: number, format: Format, from: number, to: number): MessageSizes;
  /** The blocks of the messages `from` to `to` (exclusive); all blocks where they are not given. */
  blocks(no: number, from?: number, to?: number): ArchiveBlock[];
  /** All of them, or those that were used in this way. */
  files(no: number, how?: FileUse): FileRow[];
  commits(no: number): CommitRow[];
  /** Runs of commands that contain this text, ignoring case; those of the latest conversations first. */
  shellRuns(filter: ConversationFilter, containing: readonly string[], limit: number): ShellRun[];
  fileCounts(nos: readonly number[]): Map<number, { files: number; commits: number }>;
  /** The stamps that containers had when they were last read. */
  stamps(): ReadonlyMap<string, string>;
  /** State that the source saved for its next read of the container. */
  containerState(source: string, path: string): string | null;
  /** Every conversation's archive path with the length the index knows. */
  archiveSizes(): Map<string, { no: number; bytes: number }>;
  /** Every conversation with its archive file, in the order of their paths. */
  archivedConversations(): ArchivedRow[];
  malformed(): { source: string; path: string; malformed: number }[];
  /** Containers with excluded conversations: their number by reason. */
  leftOut(): { source: string; path: string; reasons: Record<string, number> }[];
  /** Containers whose last read failed, with the reason; they are read again at the next sync. */
  failedContainers(): { source: string; path: string; error: string }[];
  /** A small internal value, by name. */
  getValue(key: string): string | undefined;
}

export interface TextSearch {
  /** Conversations with a match, best first, and their total number. */
  searchTexts(
    query: TermQuery,
    filter: ConversationFilter,
    limit: number,
    offset: number,
    /** Checks a matching message, or the title (null), if its terms alone do not decide. */
    accept?: (no: number, index: number | null) => boolean,
  ): TextHits;
  /** The best of them, without any count. */
  bestTexts(query: TermQuery, filter: ConversationFilter, limit: number): TextHit[];
  /** For each role, the number of these conversations that have any of the words in a message of the role. */
  countRoles(
    query: TermQuery,
    filter: ConversationFilter,
    nos: readonly number[],
    accept?: (no: number, index: number | null) => boolean,
  ): Map<Role, number>;
  /**
   * The messages and titles that have all of these terms and meet the query's other conditions. Those that have `more`
   * terms come first.
   */
  holders(terms: readonly string[], query: TermQuery, filter: ConversationFilter, more?: readonly string[]): Holders;
  /** Single messages with a match, best first, without titles. */
  searchMessages(query: TermQuery, filter: ConversationFilter, limit: number): MessageHit[];
  /** How a message came to its score: each term's rarity, weight in the message, and share. */
  explain(query: TermQuery, no: number, index: number): TermShare[];
  /** The number of texts, and how many of them have each term. */
  countTerms(terms: readonly string[]): TermCounts;
  /** Terms of the index similar to this one, the most frequent first. */
  nearTerms(term: string): NearTerm[];
}
