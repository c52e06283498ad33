/**
 * The index of conversations as a reader sees it: its rows, its search, and the traces that conversations left in
 * files.
 */
import type { TrailReader } from "./history.ts";
import type { ConversationReader, TextSearch } from "./ports.ts";

export interface IndexReader extends ConversationReader, TextSearch {
  /** Work of conversations on files and commits. */
  readonly trail: TrailReader;
  close(): void;
}
