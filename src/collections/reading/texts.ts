/** The texts of a document and their digest, as both cross threads. */
import type { Chunk, ParsedDocument, Section } from "../../documents/model.ts";
import type { DigestedChunk, DigestedDocument } from "../../store/documents.ts";

export interface DocumentTexts {
  /** Of the file, if it says something. */
  name: string;
  title: string;
  description: string | undefined;
  text: string;
  /** The start and the end of each section's own lines. */
  sections: Int32Array;
  /** Of each chunk; -1 if the text does not contain it verbatim. */
  starts: Int32Array;
  /** The chunks that the text does not contain, by index. */
  others: ReadonlyMap<number, string>;
  /** The headings of each chunk. */
  headings: readonly string[];
}

/** A document without the parts of its sections that are indexed as they are. */
export interface DigestJob {
  path: string;
  document: Omit<ParsedDocument, "sections"> & { sections: DigestedSection[] };
}

type DigestedSection = Pick<Section, "index" | "level" | "path" | "first_line" | "last_line" | "text">;

/** In a few arrays of numbers, because it may cross threads: copying an object for each chunk takes longer than most of it. */
export interface TextDigest {
  /** Of the whole text. */
  tokens: number;
  /** Compressed with zstd. */
  text: Uint8Array<ArrayBuffer>;
  /** The tokens of each section. */
  sections: Int32Array<ArrayBuffer>;
  /**
   * Of each chunk, `CHUNK_NUMBERS`: its section, first and last line, start and length, its words, and the lengths of its
   * parts of `terms` and `vectors`.
   */
  chunks: Int32Array<ArrayBuffer>;
  /** The chunks that the text does not contain, by index. */
  others: ReadonlyMap<number, string>;
  /** Of all chunks: alternating numbers of terms and their weights in quarters. */
  terms: Uint32Array<ArrayBuffer>;
  vectors: Int8Array<ArrayBuffer>;
}

export const CHUNK_NUMBERS = 8;

export function digestJob(path: string, document: ParsedDocument): DigestJob {
  const sections = document.sections.map(
    ({ index, level, path, first_line, last_line, text }): DigestedSection => ({
      index,
      level,
      path,
      first_line,
      last_line,
      text,
    }),
  );
  return { path, document: { ...document, sections } };
}

export function textsOf({ path, document }: DigestJob, chunks: readonly Chunk[]): DocumentTexts {
  const { title, description, text, sections } = document;
  const lines = lineStarts(text);
  const own = new Int32Array(sections.length * 2);
  for (const [i, { first_line, last_line }] of sections.entries()) {
    own[i * 2] = lines[first_line - 1] ?? text.length;
    own[i * 2 + 1] = lines[last_line] ?? text.length;
  }
  const places = new Int32Array(chunks.length);
  const others = new Map<number, string>();
  let from = 0;
  for (const [i, chunk] of chunks.entries()) {
    const start = startOf(chunk, text, lines, from);
    if (start < 0) others.set(i, chunk.text);
    else from = start + chunk.text.length;
    places[i] = start;
  }
  const headings = chunks.map(({ section }) => headingsOf(title, sections[section]?.path));
  return { name: fileName(path), title, description, text, sections: own, starts: places, others, headings };
}

/** The indexed form of a document. `names`: of the terms in the digest. */
export function digestedDocument(
  { title, description, format, sections }: ParsedDocument,
  digest: TextDigest,
  names: readonly string[],
): DigestedDocument {
  const { tokens, text, chunks: numbers, others } = digest;
  const chunks: DigestedChunk[] = [];
  let term = 0;
  let vector = 0;
  for (let at = 0, i = 0; at < numbers.length; at += CHUNK_NUMBERS, i += 1) {
    const terms = digest.terms.subarray(term, term + (numbers[at + 6] as number));
    const vectors = digest.vectors.subarray(vector, vector + (numbers[at + 7] as number));
    term += terms.length;
    vector += vectors.length;
    chunks.push({
      section: numbers[at] as number,
      first_line: numbers[at + 1] as number,
      last_line: numbers[at + 2] as number,
      start: numbers[at + 3] as number,
      length: numbers[at + 4] as number,
      text: others.get(i) ?? null,
      digest: { length: numbers[at + 5] as number, terms, ...(vectors.length === 0 ? {} : { vectors }) },
    });
  }
  const rows = sections.map(({ text: _, ...section }, i) => ({ ...section, tokens: digest.sections[i] as number }));
  return { title, description, format, tokens, text, sections: rows, chunks, names };
}

/** The text of an indexed chunk that models embed: the same as when it was indexed. */
export function embeddedText(
  document: { title: string; description: string | null },
  headings: readonly string[] | undefined,
  chunk: number,
  text: string,
): string {
  const { title } = document;
  return embedded(title, headingsOf(title, headings), aboutOf(document, chunk), text);
}

export function embedded(title: string, headings: string, about: string, text: string): string {
  return `${headings === "" ? title : headings}\n${about}${text}`;
}

/** The description is searchable through the first chunk. */
export function aboutOf({ description }: { description?: string | null | undefined }, chunk: number): string {
  return chunk === 0 && description ? `${description}\n` : "";
}

/** The headings down to the chunk's own, without a first one that only repeats the title. */
function headingsOf(title: string, path: readonly string[] = []): string {
  return (path[0] === title ? path.slice(1) : path).join("\n");
}

/** `guides/streaming-responses.md` gives streaming-responses; names with a number or hash give nothing. */
function fileName(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return /\d{4}|^(index|readme)$/i.test(name) ? "" : name;
}

/** Offset of each line. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * Offset of the chunk in the text; -1 when the text does not contain it verbatim. Pieces of one long line follow each
 * other, so the search continues after the previous piece.
 */
function startOf(
  { first_line, last_line, text: own }: Chunk,
  text: string,
  starts: readonly number[],
  from: number,
): number {
  const first = starts[first_line - 1] ?? text.length;
  const end = starts[last_line] ?? text.length;
  for (const begin of [Math.max(first, from), first]) {
    const start = text.slice(begin, end).indexOf(own);
    if (start >= 0) return begin + start;
  }
  return -1;
}
