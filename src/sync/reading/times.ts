/**
 * Drops implausible times. Agents write wrong ones (zero, a wrong clock, nanoseconds as milliseconds), and a message from
 * the year 275760 would make its conversation the latest forever. Instead the times of the other messages count, then
 * those of the conversation, then the file's own.
 */
import type { ConversationMeta, Message } from "../../conversations/model.ts";

/** Coding agents did not exist before. */
const EARLIEST = Date.UTC(1990, 0, 1);
const DAY_MS = 86_400_000;

export class PlausibleTimes {
  readonly #fileTime: number;
  readonly #latest: number;
  #hasPlausible = false;
  #hasImplausible = false;

  constructor(fileTime: number, now = Date.now()) {
    this.#fileTime = fileTime >= EARLIEST && fileTime <= now + DAY_MS ? fileTime : now;
    this.#latest = now + DAY_MS;
  }

  /** Resets for a new conversation. */
  begin(): void {
    this.#hasPlausible = false;
    this.#hasImplausible = false;
  }

  ofMessage(message: Message): Message {
    if (message.time === undefined) return message;
    if (this.#isPlausible(message.time)) {
      this.#hasPlausible = true;
      return message;
    }
    this.#hasImplausible = true;
    const { time: _time, ...rest } = message;
    return rest;
  }

  ofMeta(meta: ConversationMeta): ConversationMeta {
    const { created, updated, ...rest } = meta;
    if (created !== undefined && this.#isPlausible(created)) Object.assign(rest, { created });
    if (updated !== undefined && this.#isPlausible(updated)) Object.assign(rest, { updated });
    return rest;
  }

  /** If every time was implausible, uses the file's own. */
  ofFinished(meta: ConversationMeta): ConversationMeta {
    if (!this.#hasImplausible || this.#hasPlausible || meta.updated !== undefined || meta.created !== undefined)
      return meta;
    return { ...meta, updated: new Date(this.#fileTime).toISOString() };
  }

  #isPlausible(time: string): boolean {
    const ms = Date.parse(time);
    return ms >= EARLIEST && ms <= this.#latest;
  }
}
