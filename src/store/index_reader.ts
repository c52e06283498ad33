/**
 * The index of conversations as a reader sees it: its rows, its search, the usage of models, and the traces that conversations left in
 * files.
 */
import type { TrailReader } from "./history.ts";
import type { ConversationReader, TextSearch } from "./ports.ts";
import type { UsageReader } from "./usage.ts";

export interface IndexReader extends ConversationReader, TextSearch, UsageReader {
  /** Work of conversations on files and commits. */
  readonly trail: TrailReader;
  close(): void;
}
