/** The texts of a document and their digest, in the form in which they are sent between threads. */
import { type Lines, sliceLines } from "../../documents/lines.ts";
import type { Chunk, ParsedDocument, Section } from "../../documents/model.ts";
import { firstTextLine } from "../../documents/sections.ts";
import type { DigestedChunk, DigestedDocument } from "../../store/documents.ts";

export interface DocumentTexts {
  /** The name of the file, if it is meaningful. */
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

/** The input of a digest. It has few objects, because it may cross threads: the sections are made again from their lines. */
export interface DigestJob extends Omit<ParsedDocument, "sections"> {
  path: string;
  headings: string[];
  /** Of each section, `SECTION_NUMBERS`: its level, its first line, the first line of its text, and its last line. */
  sections: Int32Array;
}

type DigestedSection = Pick<Section, "index" | "level" | "path" | "first_line" | "last_line" | "text">;

const SECTION_NUMBERS = 4;

/**
 * A few arrays of numbers, because it is sent between threads: copying an object for each chunk would take longer than
 * most of the digest.
 */
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

export function digestJob(path: string, { sections, ...document }: ParsedDocument): DigestJob {
  const numbers = new Int32Array(sections.length * SECTION_NUMBERS);
  for (const [i, section] of sections.entries()) {
    const { level, first_line, last_line } = section;
    numbers.set([level, first_line, firstTextLine(section), last_line], i * SECTION_NUMBERS);
  }
  return { path, ...document, headings: sections.map(({ heading }) => heading), sections: numbers };
}

/** The sections of the document, from its lines. */
export function sectionsOf({ headings, sections }: DigestJob, lines: Lines): DigestedSection[] {
  const above: DigestedSection[] = [];
  return headings.map((heading, index) => {
    const at = index * SECTION_NUMBERS;
    const [level = 0, first_line = 0, textLine = 0, last_line = 0] = sections.subarray(at, at + SECTION_NUMBERS);
    while (above.length > 0 && (above.at(-1)?.level ?? 0) >= level) above.pop();
    const path = level === 0 ? [] : [...(above.at(-1)?.path ?? []), heading];
    const section = { index, level, path, first_line, last_line, text: sliceLines(lines, textLine, last_line) };
    if (level > 0) above.push(section);
    return section;
  });
}

export function textsOf(
  { path, title, description, text }: DigestJob,
  { starts: lines }: Lines,
  sections: readonly DigestedSection[],
  chunks: readonly Chunk[],
): DocumentTexts {
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

/**
 * The words of a file's name: "streaming-responses" for `guides/streaming-responses.md`. Empty for a name with a number
 * or hash.
 */
function fileName(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return /\d{4}|^(index|readme)$/i.test(name) ? "" : name;
}

/**
 * Offset of the chunk in the text; -1 when the text does not contain it verbatim. Pieces of one long line follow each
 * other, so the search continues after the previous piece.
 */
function startOf({ first_line, last_line, text: own }: Chunk, text: string, starts: Uint32Array, from: number): number {
  const first = starts[first_line - 1] ?? text.length;
  const end = starts[last_line] ?? text.length;
  for (const begin of [Math.max(first, from), first]) {
    const start = text.slice(begin, end).indexOf(own);
    if (start >= 0) return begin + start;
  }
  return -1;
}
