/**
 * Splitting a selection into batches that fit, in the order given: a batch is closed by the first conversation that no
 * longer fits. So a batch is a stretch of time, and conversations that come later leave the earlier batches as they are.
 *
 * A conversation larger than a batch is split into ranges of messages, a message larger than a batch into stretches of
 * its text. Each conversation is whole in one batch, or its parts follow each other without a gap.
 */
export interface Piece {
  /** The message's index. */
  index: number;
  /** With what stands around it. */
  tokens: number;
}

export interface Unit<T> {
  of: T;
  /** Messages in it, also those of which the format leaves nothing. */
  count: number;
  /** Tokens of what stands above the messages, in each part again. */
  head: number;
  pieces: readonly Piece[];
  /** The text of a message that is larger than a batch, in stretches of at most so many tokens. */
  stretches(index: number, room: number): Stretch[];
}

export interface Stretch {
  from: number;
  /** Behind its last character. */
  to: number;
  tokens: number;
}

export interface Entry<T> {
  of: T;
  tokens: number;
  /** Only these messages, both included; absent: the whole conversation. */
  range?: { first: number; last: number };
  /** Only these characters of the range's one message. */
  chars?: { from: number; to: number };
}

export interface Batch<T> {
  tokens: number;
  entries: Entry<T>[];
}

export interface PackLimits {
  /** Tokens a batch may have. */
  room: number;
  /** Messages that one call can ask for. */
  longest: number;
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

/** Ranges that follow each other from the first message to the last. */
function partsOf<T>(unit: Unit<T>, { room, longest }: PackLimits): Entry<T>[] {
  const parts: Entry<T>[] = [];
  let first = 0;
  let tokens = unit.head;
  const close = (last: number): void => {
    if (last >= first) parts.push({ of: unit.of, tokens, range: { first, last } });
    first = last + 1;
    tokens = unit.head;
  };
  for (const piece of unit.pieces) {
    while (piece.index - first >= longest) close(first + longest - 1);
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
  while (unit.count - first > longest) close(first + longest - 1);
  close(unit.count - 1);
  return parts;
}
