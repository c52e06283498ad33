/** Vectors of conversations that are made after the sync (src/embedding/fill.ts). */
import type { TextEmbedder, VectorTarget } from "../../embedding/fill.ts";
import { readMessages } from "../../store/archive/archive.ts";
import type { IndexWriter } from "../../store/index_writer.ts";
import type { ConversationReader } from "../../store/ports.ts";
import type { VectorGap } from "../../store/vector_gaps.ts";
import { Digester, dialogueText } from "../recording/digest.ts";
import { busyError, type SyncPlaces, withWriter } from "../writing.ts";

const WAIT_MS = 30_000;

/** Embeds like a sync does. */
export function staticTexts(path: string): TextEmbedder {
  const digester = new Digester(path);
  if (!digester.model) throw new Error("a digester with a model file has a model");
  return { model: digester.model, embed: async (texts) => texts.map((text) => digester.vectors(text)) };
}

/** `fresh` opens the current index. */
export function conversationVectors(
  { places, now }: { places: SyncPlaces; now: () => number },
  fresh: () => ConversationReader,
): VectorTarget {
  const write = async <T>(use: (writer: IndexWriter) => T): Promise<T> => {
    const done = await withWriter({ places, now, waitMs: WAIT_MS }, (writer) => ({ result: use(writer) }));
    if (!done) throw busyError();
    return done.result;
  };
  return {
    fresh,
    texts: (gap) => textsOf(fresh(), gap, places.archive),
    fill: (model, gap, vectors) => write((writer) => writer.fillGap(model, gap, vectors)),
    drop: (keeps) => write((writer) => writer.dropVectors(keeps)),
  };
}

/** In the order of the gap. A message that no longer exists has no text. */
function textsOf(reader: ConversationReader, gap: VectorGap, archive: string): string[] {
  const wanted = new Map<number, Set<number>>();
  for (const { no, index } of gap.places) {
    if (index !== null) wanted.set(no, (wanted.get(no) ?? new Set()).add(index));
  }
  const found = new Map<string, string>();
  for (const [no, indexes] of wanted) {
    const row = reader.byNo(no);
    if (!row) continue;
    const [from, to] = [Math.min(...indexes), Math.max(...indexes) + 1];
    for (const { index, message } of readMessages(archive, row.archive, reader.blocks(no), from, to)) {
      found.set(`${no}#${index}`, dialogueText(message));
    }
  }
  return gap.places.map(({ no, index }) =>
    index === null ? (reader.storedMeta(no)?.title ?? "") : (found.get(`${no}#${index}`) ?? ""),
  );
}
