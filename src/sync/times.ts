/**
 * Times that can be true. Agents write wrong ones (a zero, a clock that was off, nanoseconds taken for milliseconds),
 * and one message of the year 275760 would make its conversation the latest for ever. An impossible time is dropped: the
 * times of the other messages count, then those of the conversation, then the file's own.
 */
import type { ConversationMeta, Message } from "../conversations/model.ts";

/** No coding agent wrote anything before. */
const EARLIEST = Date.UTC(1990, 0, 1);
const DAY_MS = 86_400_000;

export class PlausibleTimes {
  readonly #fileTime: number;
  readonly #latest: number;
  #hasGood = false;
  #hasBad = false;

  constructor(fileTime: number, now = Date.now()) {
    this.#fileTime = fileTime >= EARLIEST && fileTime <= now + DAY_MS ? fileTime : now;
    this.#latest = now + DAY_MS;
  }

  /** A conversation begins. */
  begin(): void {
    this.#hasGood = false;
    this.#hasBad = false;
  }

  ofMessage(message: Message): Message {
    if (message.time === undefined) return message;
    if (this.#isPlausible(message.time)) {
      this.#hasGood = true;
      return message;
    }
    this.#hasBad = true;
    const { time: _time, ...rest } = message;
    return rest;
  }

  ofMeta(meta: ConversationMeta): ConversationMeta {
    const { created, updated, ...rest } = meta;
    if (created !== undefined && this.#isPlausible(created)) Object.assign(rest, { created });
    if (updated !== undefined && this.#isPlausible(updated)) Object.assign(rest, { updated });
    return rest;
  }

  /** When every time was impossible, the file's own stands for them. */
  ofFinished(meta: ConversationMeta): ConversationMeta {
    if (!this.#hasBad || this.#hasGood || meta.updated !== undefined || meta.created !== undefined) return meta;
    return { ...meta, updated: new Date(this.#fileTime).toISOString() };
  }

  #isPlausible(time: string): boolean {
    const ms = Date.parse(time);
    return ms >= EARLIEST && ms <= this.#latest;
  }
}
