/**
 * The port to the index of conversations for a reader: its rows, its search, the usage of models, and the trail of
 * conversations.
 */
import type { IndexedTexts } from "../ranking/ports.ts";
import type { ConversationFilter, ConversationReader, TextSearch } from "./ports.ts";
import type { TrailReader } from "./trails.ts";
import type { UsageReader } from "./usage.ts";

export interface IndexReader extends ConversationReader, TextSearch, UsageReader {
  /** The files and commits that conversations worked on. */
  readonly trail: TrailReader;
  /** Its segments and their owners, for searching them together with those of another index. */
  readonly texts: IndexedTexts<ConversationFilter>;
  /** The owner and machine of this home; set if the reader includes conversations of a team. */
  readonly home?: { owner: string; machine: string };
  /** Whether a conversation belongs to the team, so that its texts may have to be fetched. Undefined if none does. */
  readonly isShared?: (no: number) => boolean;
  /** Reads a consistent state of the index, which is also faster than a state for each query. */
  inSnapshot<T>(read: () => T): T;
  close(): void;
}

/** An index whose file stays open; another version of dex may rebuild it meanwhile. */
export interface OpenedIndex extends IndexReader {
  readonly isReady: boolean;
}
