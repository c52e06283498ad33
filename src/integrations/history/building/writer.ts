/** Passes one conversation to a sink. It opens at its first message; one without messages is never opened. */
import type { ConversationMeta, Message } from "../../../conversations/model.ts";
import { defined } from "../../../kernel/defined.ts";
import { isOwnFolder } from "../reading/own_folder.ts";
import type { Sink } from "../source.ts";

export class ConversationWriter {
  readonly #sink: Sink;
  readonly #meta: ConversationMeta;
  readonly #from: number;
  #opened = false;
  /** The user excluded this conversation: the source stops reading and keeps no state. */
  refused = false;
  /** Index of the next message. */
  index: number;

  constructor(sink: Sink, meta: ConversationMeta, from = 0) {
    this.#sink = sink;
    this.#meta = defined({ ...meta, ...(isOwnFolder(meta.project) ? { headless: true } : {}) });
    this.#from = from;
    this.index = from;
  }

  message(message: Message): void {
    if (!this.#open()) return;
    const given = withModel(message, this.#meta.model);
    this.#sink.message(Object.values(given).includes(undefined) ? defined(given) : given);
    this.index += 1;
  }

  /** Ends the conversation. New metadata is passed on even without a message, if the conversation is already known. */
  close(meta: Partial<ConversationMeta> = {}): void {
    const metaChanges = defined(meta);
    if (!this.#opened && this.#from > 0 && Object.keys(metaChanges).length > 0) this.#open();
    if (this.#opened) this.#sink.close(metaChanges);
  }

  #open(): boolean {
    if (this.#opened || this.refused) return this.#opened;
    this.#opened = this.#sink.open(this.#meta, { from: this.#from });
    this.refused = !this.#opened;
    return this.#opened;
  }
}

/** Tokens whose model neither they nor their message name are of the conversation's model. */
function withModel(message: Message, model: string | undefined): Message {
  const { usage } = message;
  if (usage === undefined || model === undefined || message.model !== undefined) return message;
  return { ...message, usage: usage.map((each) => ({ model, ...each })) };
}
