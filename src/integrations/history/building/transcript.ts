/**
 * Builds messages from a stream of records. The last message may still grow, and the agent may take back the end.
 *
 * Reading a record needs a resume state: the few facts about earlier records. It is replaced, never changed in place,
 * so keeping the state before any record costs nothing. The mark to resume from is the first record of the last
 * message, with the state at that record: resuming there gives the same as reading the whole file.
 *
 * The last messages are held back for a while: messages that a person takes back soon are then never emitted as part of
 * the conversation. Once something else follows them, they are a branch of it that was abandoned.
 */
import type { ConversationMeta, Message, Part } from "../../../conversations/model.ts";
import type { Usage } from "../../../conversations/usage.ts";
import { defined } from "../../../kernel/defined.ts";
import { type AbandonedBranch, writeAbandoned } from "../forms/conversation.ts";
import type { Sink } from "../source.ts";

export interface Mark<State> {
  /** Byte offset of the record. Negative if it is in a file that is not read again. */
  offset: number;
  /** The number of messages before it. */
  index: number;
  state: State;
}

/** Messages from this many bytes of the file are held back. */
const HELD_BACK_BYTES = 8 << 20;
/** A file is read again with all messages held back if it goes back further than that, unless it is larger. */
const MAX_HELD_BYTES = 256 << 20;

export class Transcript<State> {
  state: State;
  /** The user excluded this conversation: the source stops reading. */
  refused = false;
  readonly #sink: Sink;
  #meta: ConversationMeta;
  #opened = false;
  /** Metadata has changed since the conversation was last opened. */
  #news = false;
  /** Messages emitted, or kept from before. */
  #count: number;
  #held: { message: Message; at: number }[] = [];
  /** The last message, while it may grow, and where it began. */
  #last: Message | undefined;
  #lastMark: Mark<State>;
  #record: { offset: number; state: State };
  #at = 0;
  /** The current record has already added to a message. */
  #touched = false;
  /** Messages from this index on were taken back; they leave when another one comes. */
  #cutAt: number | undefined;
  readonly #abandoned: AbandonedBranch[] = [];
  readonly #heldBackBytes: number;
  /** Messages were taken back that this read does not have: the file must be read whole, with all of them held back. */
  goesBackFurther = false;

  constructor(sink: Sink, meta: ConversationMeta, start: Mark<State>, heldBackBytes = HELD_BACK_BYTES) {
    this.#heldBackBytes = heldBackBytes;
    this.#sink = sink;
    this.#meta = meta;
    this.#count = start.index;
    this.state = start.state;
    this.#lastMark = start;
    this.#record = start;
  }

  /** Index of the next message to begin. */
  get position(): number {
    return this.#cutAt ?? this.#count + this.#held.length;
  }

  get meta(): Readonly<ConversationMeta> {
    return this.#meta;
  }

  learn(meta: Partial<ConversationMeta>): void {
    this.#meta = { ...this.#meta, ...defined(meta) };
    this.#news = true;
  }

  /** Must be called before a record changes the state. */
  begin(offset: number, isReadAgain = true): void {
    this.#record = { offset: isReadAgain ? offset : -1, state: this.state };
    this.#at = offset;
    this.#touched = false;
  }

  /**
   * Adds to the last message if it has the same role and id and `grow` is set; otherwise begins another one. The
   * message is kept, not copied.
   */
  add(message: Message, grow: boolean): void {
    if (message.parts.length === 0) return;
    if (this.#cutAt !== undefined) this.#takeBack(this.#cutAt);
    if (!this.#open()) return;
    if (grow && this.#last?.role === message.role && this.#last.uid === message.uid) {
      this.#last.parts.push(...message.parts);
    } else {
      // A message that begins in the middle of a record is read again with everything that the record adds to.
      if (!this.#touched) this.#lastMark = { ...this.#record, index: this.position };
      this.#release(this.#at - this.#heldBackBytes);
      this.#held.push({ message, at: this.#at });
      this.#last = message;
    }
    this.#touched = true;
  }

  /** The tokens of a request belong to the last message, so that a later read that begins there finds them again. */
  use(usage: readonly Usage[]): void {
    if (this.#last) this.#last.usage = [...(this.#last.usage ?? []), ...usage];
  }

  /** A part of the last message, for a later record that adds to it. */
  findLast(matches: (part: Part) => boolean): Part | undefined {
    return this.#last?.parts.find(matches);
  }

  /** Takes back the messages from this index on. They stay until another one follows. */
  cut(index: number): void {
    if (index < this.position) this.#cutAt = Math.min(this.#cutAt ?? index, index);
  }

  #takeBack(index: number): void {
    this.#cutAt = undefined;
    this.#last = undefined;
    const taken = this.#held.splice(Math.max(0, index - this.#count)).map(({ message }) => message);
    if (index < this.#count) this.goesBackFurther = true;
    const key = taken[0]?.uid ?? `${index}.${this.#abandoned.length}`;
    if (taken.length > 0) this.#abandoned.push({ key, messages: taken });
    if (index >= this.#count) return;
    this.#count = index;
    if (this.#opened) this.#sink.close();
    this.#opened = false;
    this.#open();
  }

  /** Emits the messages that are left. Returns where to resume; undefined if there is nothing to resume. */
  close(end: number): Mark<State> | undefined {
    // Messages that may still be taken back are read again, too.
    const mark =
      this.#last || this.#cutAt !== undefined
        ? this.#lastMark
        : { offset: end, index: this.position, state: this.state };
    this.#release(Number.POSITIVE_INFINITY);
    if (this.#news && this.#count > 0) this.#open();
    if (this.#opened) this.#sink.close(this.#known());
    if (!this.goesBackFurther && !this.refused) writeAbandoned(this.#sink, this.#meta, { abandoned: this.#abandoned });
    // A conversation without messages is read whole again: its opening must include the head of the file.
    return this.refused || this.#count === 0 ? undefined : mark;
  }

  /** Emits the messages that began before this offset. */
  #release(before: number): void {
    let count = 0;
    for (const { message, at } of this.#held) {
      if (at >= before) break;
      this.#sink.message(message);
      count += 1;
    }
    if (count === 0) return;
    this.#held = this.#held.slice(count);
    this.#count += count;
  }

  #open(): boolean {
    if (this.#opened || this.refused) return this.#opened;
    this.#opened = this.#sink.open(defined(this.#meta), { from: this.#count });
    this.refused = !this.#opened;
    this.#news = false;
    return this.#opened;
  }

  #known(): Partial<ConversationMeta> {
    const { id: _id, source: _source, ...known } = defined(this.#meta);
    return known;
  }
}

/** How many bytes are held back when a file goes back further than usual: all, unless it is too large. */
export function heldBackOf(bytes: number): number {
  return bytes <= MAX_HELD_BYTES ? Number.POSITIVE_INFINITY : HELD_BACK_BYTES;
}
