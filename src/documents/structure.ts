/** The structure that the reader of a format finds in a text: headings, anchors, paragraphs that may be headings. */

export interface FoundHeading {
  heading: string;
  level: number;
  /** Lines of the heading itself, from 1, both inclusive: with its underline and overline. */
  first_line: number;
  last_line: number;
}

/** A name for a line: an explicit id, an HTML anchor, a label. */
export interface FoundAnchor {
  name: string;
  line: number;
}

/** A paragraph of bold text, without its marks. */
export interface BoldParagraph {
  text: string;
  line: number;
}

export interface FoundStructure {
  /** In the order of the text, not overlapping. */
  headings: readonly FoundHeading[];
  /** In the order of the text; those that divide a section become headings. */
  boldParagraphs?: readonly BoldParagraph[];
  /** In the order of the text. */
  anchors?: readonly FoundAnchor[];
  /** The first line that belongs to a section, after the front matter. */
  from?: number;
}
