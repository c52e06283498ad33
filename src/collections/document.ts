/** From a file's bytes to what the store takes: secrets leave first, then the text is parsed and cut into chunks. */
import { chunksOf } from "../documents/chunks.ts";
import { decodeText } from "../documents/decode.ts";
import type { Chunk, ParsedDocument } from "../documents/model.ts";
import {
  formatOfName,
  isPdf,
  MAX_TEXT_BYTES,
  type ParseResult,
  parseDecoded,
  parseDocument,
} from "../documents/parse.ts";
import { redactText } from "../redact/redact.ts";

export interface Clean {
  bytes: Uint8Array;
  redactions: number;
  /** The bytes are plain text, whatever the name says. */
  text?: true;
}

export type Read =
  | { parsed: ParsedDocument; chunks: readonly Chunk[]; redactions: number; replaced: number }
  | { skipped: string; why: "binary" | "too_large" | "empty" | "unreadable" };

/** What may be written of a file. Only a PDF with secrets changes its form: its text is kept in place of it. */
export async function withoutSecrets(path: string, bytes: Uint8Array): Promise<Clean> {
  if (isPdf(path, bytes)) {
    const read = await parseDocument(path, bytes);
    const { text, count } = "document" in read ? redactText(read.document.text, "printed") : { text: "", count: 0 };
    return count === 0 ? { bytes, redactions: 0 } : { bytes: Buffer.from(text), redactions: count, text: true };
  }
  const decoded = decodeText(bytes);
  if (!decoded) return { bytes, redactions: 0 };
  const { text, count } = redactText(decoded.text, "printed");
  return count === 0 ? { bytes, redactions: 0 } : { bytes: Buffer.from(text), redactions: count };
}

/** Of bytes that may hold secrets. Text is decoded once. */
export async function readDocument(path: string, bytes: Uint8Array): Promise<Read> {
  const plain = bytes.length <= MAX_TEXT_BYTES && formatOfName(path) !== "pdf" && !isPdf(path, bytes);
  const decoded = plain ? decodeText(bytes) : undefined;
  if (!decoded) return parseClean(path, await withoutSecrets(path, bytes));
  const { text, count } = redactText(decoded.text);
  return chunked(await parseDecoded(path, { ...decoded, text }), count);
}

/** Of bytes that hold none. */
export async function parseClean(path: string, { bytes, redactions, text }: Clean): Promise<Read> {
  return chunked(await parseDocument(text ? `${path}.txt` : path, bytes), redactions);
}

function chunked(read: ParseResult, redactions: number): Read {
  if (!("document" in read)) return { skipped: read.reason, why: read.skipped };
  return { parsed: read.document, chunks: chunksOf(read.document), redactions, replaced: read.replaced };
}
