/** Loads the archived messages of conversations for scans. */
import type { Message } from "../conversations/model.ts";
import type { Dex } from "../dex.ts";
import type { LoadConversation } from "../history/scan.ts";
import { readMessages } from "../store/archive/archive.ts";
import { isArchiveFailure } from "../store/archive/frames.ts";
import type { TrailConversation } from "../store/trails.ts";

/** A conversation with an unreadable archive has no messages here; `dex doctor` reports it. */
export function conversationLoader(dex: Dex): LoadConversation {
  return function* (row: TrailConversation): Generator<{ index: number; message: Message }> {
    const blocks = dex.store.blocks(row.no);
    try {
      yield* readMessages(dex.paths.archive, row.archive, blocks);
    } catch (error) {
      if (!isArchiveFailure(error)) throw error;
    }
  };
}
