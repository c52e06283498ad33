/** The port through which a sync writes the index of conversations, and the records it writes. */
import type { ShellOutcome } from "../conversations/activity/shell/shell_runs.ts";
import type { ConversationMeta, Role } from "../conversations/model.ts";
import type { VectorModel } from "../ranking/query.ts";
import type { ArchiveBlock } from "./archive/archive.ts";
import type { ConversationReader, ConversationRow, FileUse } from "./ports.ts";
import type { RequestDigest } from "./requests.ts";
import type { VectorGapWriter } from "./vector_gaps.ts";

/** The indexed form of a message besides its text in the archive: a pure function of the message. */
export interface MessageDigest {
  role: Role;
  time: number | null;
  tokens: number;
  tokens_stripped: number;
  tokens_user: number;
  /** Hash of the archived line without its usage: it identifies two reads of the same message. */
  hash: number;
  /** Hash of the usage; 0 if there is none. */
  usage_hash: number;
  head: string;
  /** The number of words in it. */
  length: number;
  /** Alternating: numbers of its terms, in the analyser that found them, and their weights in quarters. */
  terms: Uint32Array;
  /** The codes of the words that user or assistant wrote in it, in their order. */
  order?: Uint16Array | undefined;
  /** A row of 8-bit numbers for each window of text; none if nothing is embedded. */
  vectors?: Int8Array;
  files: { path: string; how: FileUse }[];
  commits: { sha: string; subject: string }[];
  /** `call` numbers a call and its result; 0 if the agent gives no ids. */
  shell_calls: { part: number; call: number; command: string }[];
  shell_results: { part: number; call: number; outcome: ShellOutcome; exit_code: number | null }[];
  requests: RequestDigest[];
}

export interface TitleDigest {
  terms: readonly string[];
  order?: Uint16Array | undefined;
  vectors?: Int8Array;
}

export interface ConversationEntry {
  meta: ConversationMeta;
  archive: string;
  archiveBytes: number;
}

/** The result of the last read of a container. */
export interface ContainerRead {
  stamp: string;
  /** State that the source saves for its next read, as JSON. */
  state: string | null;
  malformed: number;
  /** Excluded conversations, by reason. */
  leftOut?: Readonly<Record<string, number>>;
  error?: string;
}

export interface IndexWriter extends ConversationReader, VectorGapWriter {
  find(source: string, id: string): ConversationRow | undefined;
  hashes(no: number, from: number): Pick<MessageDigest, "hash" | "usage_hash">[];
  /** Conversations whose first record is this one. */
  family(source: string, key: string): ConversationRow[];
  /** Files that contain a fork. A read needs to know the records that the fork repeats. */
  forkOrigins(): Set<string>;
  setValue(key: string, value: string): void;
  /** The container at this path is read whole at the next sync. */
  dropContainer(path: string): void;
  /** All containers of this source are read whole at the next sync. */
  dropContainers(source: string): void;
  /** Copies the container states and dex's own values of another index, if this version can read it. */
  copyContainers(otherIndex: string): void;
  newNo(): number;
  /** Removes every message of the conversation from this index on. */
  cutFrom(no: number, from: number): void;
  /** `names` gives the text of a term by its number in the digests. */
  addBlock(no: number, block: ArchiveBlock, digests: readonly MessageDigest[], names: readonly string[]): void;
  /** Writes the conversation's own row, with totals over its messages. */
  finish(no: number, entry: ConversationEntry, title: TitleDigest): void;
  /** The model that makes the vectors in the digests; undefined: none. */
  setModel(model: VectorModel | undefined): void;
  remove(no: number): void;
  /** Terms that are in messages or titles of these conversations and of no others. */
  termsOnlyIn(nos: ReadonlySet<number>): Set<string>;
  /** Removes the readers' notes about the files that these conversations came from. Call it before `remove`. */
  forgetContainers(nos: ReadonlySet<number>): void;
  /** Rewrites the index to erase all removed text from the disk. */
  purge(): void;
  /** Removes rows without a conversation: the remains of an interrupted sync. */
  removeOrphans(): void;
  saveContainer(source: string, path: string, read: ContainerRead): void;
  /** Removes one container's row unconditionally. */
  removeContainer(source: string, path: string): void;
  commit(): void;
  /**
   * Call it after the last commit: merges what was committed in several steps, so that searches read it faster. Calls
   * `progress` with the completed share, 0 to 1.
   */
  join(progress?: (share: number) => void): void;
  rollback(): void;
  close(): void;
}
