/** Reads a document from bytes: removes secrets and parses the text. */
import { decodeText } from "../../documents/decode.ts";
import type { ParsedDocument } from "../../documents/model.ts";
import {
  formatOfName,
  isPdf,
  MAX_TEXT_BYTES,
  NOT_A_NOTEBOOK,
  type ParseResult,
  parseDecoded,
  parseDocument,
  readableText,
} from "../../documents/parse.ts";
import { redactText } from "../../redact/redact.ts";

export interface RedactedFile {
  bytes: Uint8Array;
  redactions: number;
  /** The bytes are plain text, whatever the name says. */
  text?: true;
}

export type DocumentReading =
  | { parsed: ParsedDocument; redactions: number; replaced: number }
  | { skipped: string; why: "binary" | "too_large" | "empty" | "unreadable" };

/**
 * The bytes that may be stored. A PDF with secrets is stored as its redacted text, a notebook as its
 * redacted Markdown; other files keep their format.
 */
export async function redactFile(path: string, bytes: Uint8Array): Promise<RedactedFile> {
  if (isPdf(path, bytes)) {
    const read = await parseDocument(path, bytes);
    const { text, count } = "document" in read ? redactText(read.document.text, "printed") : { text: "", count: 0 };
    return count === 0 ? { bytes, redactions: 0 } : { bytes: Buffer.from(text), redactions: count, text: true };
  }
  const decoded = decodeText(bytes);
  if (!decoded) return { bytes, redactions: 0 };
  // The lines of a secret are separate strings of a notebook's file.
  const cells = formatOfName(path) === "notebook" ? await readableText(path, decoded) : undefined;
  if (cells) {
    const { text, count } = redactText(cells.text, "printed");
    return { bytes: Buffer.from(text), redactions: count, text: true };
  }
  const { text, count } = redactText(decoded.text, "printed");
  return count === 0 ? { bytes, redactions: 0 } : { bytes: Buffer.from(text), redactions: count };
}

/** For bytes that may contain secrets. Text is decoded once. */
export async function readDocument(path: string, bytes: Uint8Array): Promise<DocumentReading> {
  const plain = bytes.length <= MAX_TEXT_BYTES && formatOfName(path) !== "pdf" && !isPdf(path, bytes);
  const decoded = plain ? decodeText(bytes) : undefined;
  if (!decoded) return parseRedacted(path, await redactFile(path, bytes));
  const readable = await readableText(path, decoded);
  if (!readable) return readingOf(NOT_A_NOTEBOOK, 0);
  const { text, count } = redactText(readable.text);
  return readingOf(await parseDecoded(path, { ...decoded, text }), count);
}

/** For bytes that are already redacted. */
export async function parseRedacted(path: string, { bytes, redactions, text }: RedactedFile): Promise<DocumentReading> {
  const markdown = text && formatOfName(path) === "notebook" ? decodeText(bytes) : undefined;
  if (markdown) return readingOf(await parseDecoded(path, markdown), redactions);
  return readingOf(await parseDocument(text ? `${path}.txt` : path, bytes), redactions);
}

function readingOf(read: ParseResult, redactions: number): DocumentReading {
  if (!("document" in read)) return { skipped: read.reason, why: read.skipped };
  return { parsed: read.document, redactions, replaced: read.replaced };
}
