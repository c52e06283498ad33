/** Vectors of documents that are made after the sync (src/embedding/fill.ts). */
import type { DexPaths } from "../config/paths.ts";
import type { VectorTarget } from "../embedding/fill.ts";
import type { DocumentReader, DocumentWriter } from "../store/documents.ts";
import { openDocuments, openDocumentWriter } from "../store/engine/documents.ts";
import { writeLocked } from "../store/engine/writing.ts";
import type { VectorGap } from "../store/vector_gaps.ts";
import { embeddedText } from "./reading/texts.ts";
import { documentsBusy } from "./service.ts";

const WAIT_MS = 30_000;

/** The caller closes it. There must be an index of documents. */
export function documentVectors(paths: DexPaths): VectorTarget & { close(): void } {
  let reader: DocumentReader | undefined;
  const fresh = (): DocumentReader => {
    reader?.close();
    reader = openDocuments(paths.documents, {});
    return reader;
  };
  const write = async <T>(use: (writer: DocumentWriter) => T): Promise<T> => {
    const place = { path: paths.documents, lock: paths.documentLock, waitMs: WAIT_MS };
    const open = (): DocumentWriter => openDocumentWriter(paths.documents, undefined);
    const done = await writeLocked(place, open, (writer) => ({ result: use(writer) }));
    if (!done) throw documentsBusy();
    return done.result;
  };
  return {
    fresh,
    texts: (gap) => textsOf(reader ?? fresh(), gap),
    fill: (model, gap, vectors) => write((writer) => writer.fillGap(model, gap, vectors)),
    drop: (keeps) => write((writer) => writer.dropVectors(keeps)),
    close: () => reader?.close(),
  };
}

function textsOf(reader: DocumentReader, { places }: VectorGap): string[] {
  return places.map(({ no, index }) => {
    const row = reader.document(no);
    const chunk = row && index !== null ? reader.chunks(no)[index] : undefined;
    if (!row || !chunk) return "";
    return embeddedText(row, reader.sections(no)[chunk.section]?.path, chunk.chunk, reader.chunkText(no, chunk.chunk));
  });
}
