/**
 * Messages that wait until they are complete.
 *
 * The agent writes one answer of the model as several records, one per block, with results of its tool calls between
 * them. dex holds an answer, and everything that follows it, until no record can add to it: messages leave in order,
 * each complete.
 */
import type { Message } from "../../../../conversations/model.ts";
import type { Checkpoint } from "./resume_state.ts";

interface HeldMessage extends Checkpoint {
  message: Message;
  /** The model's id of the answer, while records may add to it. */
  answer: string | undefined;
  /** The number of answers that had begun with it. */
  begun: number;
}

/**
 * An answer is complete when this many later ones have begun, or this many messages followed. Real files have another
 * answer, or a prompt, between the first record of an answer and its last.
 */
const OPEN_ANSWERS = 4;
const OPEN_MESSAGES = 64;

export class HeldMessages {
  readonly #deliver: (message: Message) => void;
  #held: HeldMessage[] = [];
  #begun = 0;

  /** `deliver` takes the messages that are complete, in order. */
  constructor(deliver: (message: Message) => void) {
    this.#deliver = deliver;
  }

  /** Adds a message whose record begins at the checkpoint. `index` counts the messages of the session with this one. */
  add(before: Checkpoint, message: Message, answer: string | undefined, index: number): void {
    if (message.role === "assistant") this.#begun += 1;
    this.#held.push({ ...before, message, answer, begun: this.#begun });
    this.#release(index);
  }

  /** The answer with this id, while records may add to it. */
  open(answer: string | undefined): Message | undefined {
    return answer === undefined ? undefined : this.#held.find((held) => held.answer === answer)?.message;
  }

  /** The earliest place from which an answer may still grow. */
  checkpoint(): Checkpoint | undefined {
    const open = this.#held.find((held) => held.answer !== undefined);
    return open && { offset: open.offset, index: open.index, state: open.state };
  }

  /** Drops everything. Returns the ids of the answers to which records may still add. */
  drop(): string[] {
    const answers = this.#held.flatMap(({ answer }) => (answer === undefined ? [] : [answer]));
    this.#held = [];
    return answers;
  }

  /** Delivers everything: no record follows. */
  finish(): void {
    for (const { message } of this.#held.splice(0)) this.#deliver(message);
  }

  #release(index: number): void {
    let done = 0;
    for (const held of this.#held) {
      if (held.answer !== undefined && this.#mayGrow(held, index)) break;
      this.#deliver(held.message);
      done += 1;
    }
    if (done > 0) this.#held.splice(0, done);
  }

  #mayGrow(held: HeldMessage, index: number): boolean {
    return this.#begun - held.begun < OPEN_ANSWERS && index - held.index <= OPEN_MESSAGES;
  }
}
