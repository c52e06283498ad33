/** Messages of a conversation, read from its archive. */
import type { Message } from "../conversations/model.ts";
import type { Dex } from "../dex.ts";
import { DexError } from "../kernel/errors.ts";
import { readMessages, readMessagesAt } from "../store/archive/archive.ts";
import type { ConversationRow } from "../store/ports.ts";

/** Messages held in memory at a time: conversations of a hundred thousand exist. */
const CHUNK_MESSAGES = 500;

export function loadMessages(
  dex: Dex,
  row: ConversationRow,
  from = 0,
  to = row.messages,
): { index: number; message: Message }[] {
  try {
    return [...readMessages(dex.archive, row.archive, dex.store.blocks(row.no, from, to), from, to)];
  } catch (error) {
    throw damagedArchive(row, error);
  }
}

/** The messages with these indices, in ascending order, one in memory at a time. */
export function* loadMessagesAt(
  dex: Dex,
  row: ConversationRow,
  indices: readonly number[],
): Generator<{ index: number; message: Message }> {
  const ascending = [...new Set(indices)].sort((a, b) => a - b);
  try {
    // Blocks of a shared conversation may have to be fetched, so only those are asked for that are read.
    const blocks = row.team
      ? ascending.flatMap((index) => dex.store.blocks(row.no, index, index + 1))
      : dex.store.blocks(row.no);
    yield* readMessagesAt(dex.archive, row.archive, blocks, ascending);
  } catch (error) {
    throw damagedArchive(row, error);
  }
}

export function damagedArchive(row: ConversationRow, cause: unknown): DexError {
  return new DexError("damaged_archive", `The archive of ${row.source}:${row.id} cannot be read.`, {
    hint: "Run `dex doctor --fix`: it keeps every whole message and reads the rest from the agent's own files.",
    cause,
  });
}

export function* streamMessages(dex: Dex, row: ConversationRow): Generator<{ index: number; message: Message }> {
  for (let from = 0; from < row.messages; from += CHUNK_MESSAGES) {
    yield* loadMessages(dex, row, from, Math.min(row.messages, from + CHUNK_MESSAGES));
  }
}
