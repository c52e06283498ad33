/** Merges metadata that an agent keeps beside its transcript into the conversations that a reader passes on. */
import type { ConversationMeta } from "../../../conversations/model.ts";
import { defined } from "../../../kernel/defined.ts";
import type { Sink } from "../source.ts";

/** A sink that adds the known fields to every conversation; they win over those of the transcript. */
export function withSideMetadata(sink: Sink, known: Partial<ConversationMeta>): Sink {
  const fields = defined(known);
  return {
    open: (meta, options) => sink.open({ ...meta, ...fields }, options),
    message: (message) => sink.message(message),
    close: (meta) => sink.close({ ...meta, ...fields }),
    malformed: (where, what) => sink.malformed(where, what),
    ...(sink.rejoined ? { rejoined: (source: string, id: string) => sink.rejoined?.(source, id) } : {}),
    ...(sink.progress ? { progress: (share: number) => sink.progress?.(share) } : {}),
  };
}
