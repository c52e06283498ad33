/** A conversation as a reader returns it when it reads a whole document, and how it is passed to a sink. */
import type { ConversationMeta, Message } from "../../../conversations/model.ts";
import { ConversationWriter } from "../reading/writer.ts";
import type { Container, HistoryPlace, Sink, SourceEnv } from "../source.ts";

export interface WholeConversation {
  meta: Omit<ConversationMeta, "source">;
  messages: readonly Message[];
}

/** The parts of a source that every form shares. */
export interface SourceForm {
  /** The integration's id. */
  id: string;
  places(env: SourceEnv): HistoryPlace[];
  discover(env: SourceEnv): Container[];
}

/** False if the user excluded the conversation. */
export function writeConversation(sink: Sink, source: string, { meta, messages }: WholeConversation): boolean {
  const model = meta.model ?? messages.findLast((message) => message.model !== undefined)?.model;
  const writer = new ConversationWriter(sink, { ...meta, source, ...(model === undefined ? {} : { model }) });
  for (const message of messages) {
    if (message.parts.length === 0) continue;
    writer.message(message);
    if (writer.refused) return false;
  }
  writer.close();
  return true;
}
