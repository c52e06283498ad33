/** Reads one document from bytes to its digest. Runs in the main thread or a worker. */
import type { DigestedDocument } from "../../store/documents.ts";
import type { DocumentDigester } from "./digest.ts";
import { type DocumentReading, parseRedacted, readDocument } from "./document.ts";

export interface ReadJob {
  path: string;
  bytes: Uint8Array;
  /** From the archive, so already redacted; `text`: plain text regardless of its name. */
  archived?: { text: boolean };
}

export type ReadResult =
  | { digested: DigestedDocument; redactions: number; replaced: number }
  | Extract<DocumentReading, { skipped: string }>;

export async function readDigested(
  digester: DocumentDigester,
  { path, bytes, archived }: ReadJob,
): Promise<ReadResult> {
  const read = archived
    ? await parseRedacted(path, { bytes, redactions: 0, ...(archived.text ? { text: true } : {}) })
    : await readDocument(path, bytes);
  if ("skipped" in read) return read;
  const { parsed, chunks, redactions, replaced } = read;
  return { digested: digester.digest(path, parsed, chunks), redactions, replaced };
}
