/**
 * The model of documentation: a collection has documents, a document has sections in the order of its text. A section is
 * a heading with the text up to the next heading; text before the first heading is a section without one.
 */

export const MAX_LEVEL = 6;

export interface Section {
  /** From 0, in the order of the text. */
  index: number;
  /** Empty for text before the first heading. */
  heading: string;
  /** 1 to 6; 0 for text before the first heading. */
  level: number;
  /** Headings from the outermost down to its own. */
  path: readonly string[];
  /** Unique in the document: the headings' slugs from the outermost on, joined by `/`; a repeated one gets `-2`. */
  slug: string;
  /** Other names of the section: explicit ids and HTML anchors. */
  anchors: readonly string[];
  /** Lines of the whole text, from 1, both inclusive: the heading and its own text, without the sections below it. */
  first_line: number;
  last_line: number;
  /** Its own text, without the heading and without subsections. */
  text: string;
}

export const DOCUMENT_FORMATS = [
  "markdown",
  "mdx",
  "rst",
  "asciidoc",
  "html",
  "notebook",
  "manual",
  "text",
  "pdf",
] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

export interface ParsedDocument {
  format: DocumentFormat;
  title: string;
  /** The readable text that line numbers refer to: the file's own, or the text extracted from HTML, a notebook or PDF. */
  text: string;
  sections: Section[];
  /** From the front matter. */
  description?: string;
}

/** A part of a section that search finds on its own: code blocks stay whole, paragraphs are grouped while they fit. */
export interface Chunk {
  section: number;
  first_line: number;
  last_line: number;
  text: string;
}
