/**
 * Splits a selection into batches of limited size, in the given order: the first conversation that does not fit starts
 * the next batch. So a batch covers a period of time, and later conversations do not change earlier batches.
 *
 * A conversation larger than a batch is split into ranges of messages, and a message larger than a batch into parts of
 * its text. A conversation is either whole in one batch, or its parts follow each other without a gap.
 */
export interface Piece {
  /** The message's index. */
  index: number;
  /** Including its header line. */
  tokens: number;
}

export interface Unit<T> {
  of: T;
  /** Number of messages, including those that the format omits. */
  count: number;
  /** Tokens of the head above the messages, which each part repeats. */
  head: number;
  pieces: readonly Piece[];
  /** Splits the text of a message larger than a batch into parts of at most this many tokens. */
  stretches(index: number, room: number): Stretch[];
}

export interface Stretch {
  from: number;
  /** Exclusive. */
  to: number;
  tokens: number;
}

export interface Entry<T> {
  of: T;
  tokens: number;
  /** Only these messages, inclusive; absent: the whole conversation. */
  range?: { first: number; last: number };
  /** Only these characters of the single message in the range. */
  chars?: { from: number; to: number };
}

export interface Batch<T> {
  tokens: number;
  entries: Entry<T>[];
}

export interface PackLimits {
  /** Maximum tokens of a batch. */
  room: number;
  /** Maximum messages of one call. */
  maxMessages: number;
}

export function pack<T>(units: Iterable<Unit<T>>, limits: PackLimits): Batch<T>[] {
  const batches: Batch<T>[] = [];
  let open: Batch<T> = { tokens: 0, entries: [] };
  const place = (entry: Entry<T>): void => {
    if (open.entries.length > 0 && open.tokens + entry.tokens > limits.room) {
      batches.push(open);
      open = { tokens: 0, entries: [] };
    }
    open.entries.push(entry);
    open.tokens += entry.tokens;
  };
  for (const unit of units) {
    const tokens = unit.pieces.reduce((sum, piece) => sum + piece.tokens, unit.head);
    if (tokens <= limits.room) place({ of: unit.of, tokens });
    else for (const part of partsOf(unit, limits)) place(part);
  }
  if (open.entries.length > 0) batches.push(open);
  return batches;
}

/** Consecutive ranges from the first message to the last. */
function partsOf<T>(unit: Unit<T>, { room, maxMessages }: PackLimits): Entry<T>[] {
  const parts: Entry<T>[] = [];
  let first = 0;
  let tokens = unit.head;
  const close = (last: number): void => {
    if (last >= first) parts.push({ of: unit.of, tokens, range: { first, last } });
    first = last + 1;
    tokens = unit.head;
  };
  for (const piece of unit.pieces) {
    while (piece.index - first >= maxMessages) close(first + maxMessages - 1);
    if (unit.head + piece.tokens > room) {
      close(piece.index - 1);
      for (const { from, to, tokens: size } of unit.stretches(piece.index, room - unit.head)) {
        const range = { first: piece.index, last: piece.index };
        parts.push({ of: unit.of, tokens: unit.head + size, range, chars: { from, to } });
      }
      first = piece.index + 1;
      continue;
    }
    if (tokens + piece.tokens > room) close(piece.index - 1);
    tokens += piece.tokens;
  }
  while (unit.count - first > maxMessages) close(first + maxMessages - 1);
  close(unit.count - 1);
  return parts;
}
