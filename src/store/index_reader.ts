/**
 * The index of conversations as a reader sees it: its rows, its search, the usage of models, and the traces that
 * conversations left in files.
 */
import type { IndexedTexts } from "../ranking/ports.ts";
import type { ConversationFilter, ConversationReader, TextSearch } from "./ports.ts";
import type { TrailReader } from "./trails.ts";
import type { UsageReader } from "./usage.ts";

export interface IndexReader extends ConversationReader, TextSearch, UsageReader {
  /** Work of conversations on files and commits. */
  readonly trail: TrailReader;
  /** Its segments and their owners, to be searched together with those of another index. */
  readonly texts: IndexedTexts<ConversationFilter>;
  /** Whose home this is, where conversations of a team are read with those of the home. */
  readonly home?: { owner: string; machine: string };
  /** Whether a conversation is one of the team, so that its texts may have to be fetched. Undefined: none is. */
  readonly isShared?: (no: number) => boolean;
  /** Reads one state of the index, which is faster than a state for each question. */
  inSnapshot<T>(read: () => T): T;
  close(): void;
}

/** A file that stays open: another version of dex may rebuild it. */
export interface OpenedIndex extends IndexReader {
  readonly isReady: boolean;
}
