/**
 * Documentation as dex sees it: a collection has documents, a document has sections, in the order of its text. A section
 * is a heading with what stands under it up to the next heading; what stands before the first heading is a section
 * without one.
 */

export interface Section {
  /** From 0, in the order of the text. */
  index: number;
  /** Empty: what stands before the first heading. */
  heading: string;
  /** 1 to 6; 0: before the first heading. */
  level: number;
  /** Headings from the outermost down to its own. */
  path: readonly string[];
  /** Unique in the document: the headings' slugs from the outermost on, joined by `/`; a repeated one gets `-2`. */
  slug: string;
  /** Other names that lead here: explicit ids and HTML anchors. */
  anchors: readonly string[];
  /** Lines of the whole text, from 1, both inclusive: the heading and its own text, without the sections below it. */
  first_line: number;
  last_line: number;
  /** The own text, without the heading and without the sections below it. */
  text: string;
}

export const DOCUMENT_FORMATS = ["markdown", "mdx", "rst", "asciidoc", "html", "text", "pdf"] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

export interface ParsedDocument {
  format: DocumentFormat;
  title: string;
  /** The readable text that the lines of sections count in: the file's own, or what was taken out of HTML or PDF. */
  text: string;
  sections: Section[];
  /** Words about the document that its front matter gives. */
  description?: string;
}

/** A piece of a section that is found by itself: code blocks stay whole, lists and paragraphs together where they fit. */
export interface Chunk {
  section: number;
  first_line: number;
  last_line: number;
  text: string;
}
