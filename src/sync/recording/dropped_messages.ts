/**
 * How many messages the agent has dropped from the start of each conversation of a container: a reader that resumes counts
 * only those that its file still has, and the archive has the others before them. Stored with the reader's state.
 */
import { asNumber, asObject, isObject, type Json } from "../../kernel/json.ts";

const FIELD = "dropped_messages";

export class DroppedMessages {
  readonly #counts = new Map<string, number>();

  /** `state`: as it was stored after the last read. */
  constructor(state: Json | undefined) {
    for (const [id, count] of Object.entries(asObject(asObject(state)[FIELD]))) this.set(id, asNumber(count) ?? 0);
  }

  /** The position in the archive of the message that the reader calls `index`. */
  position(id: string, index: number): number {
    return index === 0 ? 0 : index + (this.#counts.get(id) ?? 0);
  }

  set(id: string, count: number): void {
    if (count > 0) this.#counts.set(id, count);
    else this.#counts.delete(id);
  }

  /** The reader's new state, to be stored. */
  storedWith(state: Json): Json {
    if (!isObject(state)) return state;
    const { [FIELD]: _, ...own } = state;
    return this.#counts.size === 0 ? own : { ...own, [FIELD]: Object.fromEntries(this.#counts) };
  }
}
