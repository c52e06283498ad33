/**
 * The documents of the current repository: its Markdown, reStructuredText and AsciiDoc files. No file declares this
 * collection, so that questions about a project are answered from its own documents from the first minute on.
 */
import type { CollectionSource } from "./source.ts";

export const OWN_DOCUMENTS = "project";

const INCLUDE = [
  "**/*.md",
  "**/*.mdx",
  "**/*.markdown",
  "**/*.rst",
  "**/*.adoc",
  "**/*.asciidoc",
  "**/README",
  "**/README.txt",
  ".agents/*.md",
  ".github/*.md",
];

/** Documents of others, test inputs, forms, and change logs, which describe past states. */
const EXCLUDE = [
  "**/vendor",
  "**/third_party",
  "**/test",
  "**/tests",
  "**/__tests__",
  "**/testdata",
  "**/fixtures",
  "**/__fixtures__",
  "**/CHANGELOG*",
  "**/CHANGES*",
  "**/HISTORY*",
  "**/changelog*",
  "**/.changeset",
  "**/ISSUE_TEMPLATE*",
  "**/PULL_REQUEST_TEMPLATE*",
  "**/pull_request_template*",
];

export function ownDocuments(root: string): CollectionSource {
  return { kind: "folder", root, include: INCLUDE.toSorted(), current: true, exclude: EXCLUDE };
}
