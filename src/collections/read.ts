/** One document on its way from bytes to what the index keeps of it, in whatever thread. */
import type { DigestedDocument } from "../store/documents.ts";
import type { DocumentDigester } from "./digest.ts";
import { parseClean, type Read, readDocument } from "./document.ts";

export interface ReadJob {
  path: string;
  bytes: Uint8Array;
  /** What was kept: it holds no secrets any more; `text` where it is plain text, whatever the name says. */
  kept?: { text: boolean };
}

export type ReadResult =
  | { digested: DigestedDocument; redactions: number; replaced: number }
  | Extract<Read, { skipped: string }>;

export async function readDigested(digester: DocumentDigester, { path, bytes, kept }: ReadJob): Promise<ReadResult> {
  const read = kept
    ? await parseClean(path, { bytes, redactions: 0, ...(kept.text ? { text: true } : {}) })
    : await readDocument(path, bytes);
  if ("skipped" in read) return read;
  const { parsed, chunks, redactions, replaced } = read;
  return { digested: digester.digest(path, parsed, chunks), redactions, replaced };
}
