/** Messages of a conversation, read from its archive. */
import type { Message } from "../conversations/model.ts";
import type { Dex } from "../dex.ts";
import { DexError } from "../kernel/errors.ts";
import { readMessagesAt } from "../store/archive/archive.ts";
import { type FileStamps, linesIn } from "../store/archive/block_cache.ts";
import type { ConversationRow } from "../store/ports.ts";

/** Messages held in memory at a time: conversations of a hundred thousand exist. */
const CHUNK_MESSAGES = 500;
/** The beginning of a conversation is often read twice: an answer that turns out too long is built again, shorter. */
const MAX_CACHED_BLOCKS = 8;

export function loadMessages(
  dex: Dex,
  row: ConversationRow,
  from = 0,
  to = row.messages,
): { index: number; message: Message }[] {
  return [...eachMessage(dex, row, from, to)];
}

/** The same with one block in memory at a time: a caller that stops early has not read the others. */
export function* eachMessage(
  dex: Dex,
  row: ConversationRow,
  from = 0,
  to = row.messages,
): Generator<{ index: number; message: Message }> {
  let read = 0;
  const stamps: FileStamps = new Map();
  for (const block of dex.store.blocks(row.no, from, to)) {
    read += 1;
    const start = Math.max(from, block.first);
    const end = Math.min(to, block.first + block.count);
    let lines: string[];
    try {
      lines = linesIn(
        dex.blocks.lines(row.archive, block, read <= MAX_CACHED_BLOCKS, stamps),
        start - block.first,
        end - block.first,
      );
    } catch (error) {
      throw damagedArchive(row, error);
    }
    for (const [i, line] of lines.entries()) yield { index: start + i, message: parsed(row, line) };
  }
}

function parsed(row: ConversationRow, line: string): Message {
  try {
    return JSON.parse(line) as Message;
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
    // Requests only the needed blocks: those of a shared conversation may have to be fetched.
    const blocks = row.team
      ? ascending.flatMap((index) => dex.store.blocks(row.no, index, index + 1))
      : dex.store.blocks(row.no);
    yield* readMessagesAt(dex.paths.archive, row.archive, blocks, ascending);
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

/**
 * The result of `read`, or `instead` if the conversation's archive is damaged: one damaged file must not fail an answer
 * from many conversations. The answer then says so.
 */
export function unlessDamaged<T>(dex: Dex, read: () => T, instead: T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DexError) || error.code !== "damaged_archive") throw error;
    dex.notice("Archives that cannot be read were left out: `dex doctor` names them, `dex doctor --fix` repairs them.");
    return instead;
  }
}

export function* streamMessages(dex: Dex, row: ConversationRow): Generator<{ index: number; message: Message }> {
  for (let from = 0; from < row.messages; from += CHUNK_MESSAGES) {
    yield* loadMessages(dex, row, from, Math.min(row.messages, from + CHUNK_MESSAGES));
  }
}
