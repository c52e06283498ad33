/** Resolves a typed path, title or address to a document or section. Never guesses, never leaves the library. */
import { resolve } from "node:path";
import * as z from "zod";
import { addressOf, collectionFilter } from "../../collections/citation.ts";
import { isCollection, type Library } from "../../collections/library.ts";
import { findSection } from "../../documents/find.ts";
import { DexError } from "../../kernel/errors.ts";
import { pathBelow } from "../../kernel/files/paths.ts";
import type { DocumentRow, DocumentScope, SectionRow } from "../../store/documents.ts";

const MAX_SHOWN_CANDIDATES = 12;
const MAX_COLLECTIONS = 100;

export const collectionsField = z
  .array(z.string())
  .max(MAX_COLLECTIONS)
  .default([])
  .describe("Only these collections, by name; the name of a package chooses its best version");

export const collectionField = z.string().optional().describe("Its collection, if the path is ambiguous");

/** Documents are read to be cited, so the default must fit an agent's context. */
export const readTokensField = z
  .int("must be a whole number")
  .min(1, "must be positive")
  .default(10_000)
  .describe("Maximum tokens to return");

/** Shared by all verbs about one document. */
export const ONE_DOCUMENT = {
  readOnly: true,
  idempotent: true,
  syncBefore: "documents",
  traced: true,
  queryField: "document",
  toolset: "documents",
} as const;

/** The document, its sections, and the chosen section if one was typed, separately or after the path. */
export function resolvePart(
  library: Library,
  typed: { document: string; collection?: string | undefined; section?: string | undefined },
  cwd: string,
): { row: DocumentRow; sections: SectionRow[]; section: SectionRow | undefined } {
  const { row, section: inAddress } = resolveDocument({ library, collection: typed.collection, cwd }, typed.document);
  const sections = library.reader.sections(row.no);
  const address = typed.section ?? inAddress;
  return { row, sections, section: address === undefined ? undefined : resolveSection(sections, address) };
}

interface Place {
  library: Library;
  collection: string | undefined;
  cwd: string;
}

/**
 * Accepts a path in a collection, the end of a path or a title, optionally with `collection:` before and `#section` after
 * it, and the path of the file on disk.
 */
function resolveDocument(place: Place, typed: string): { row: DocumentRow; section: string | undefined } {
  const { library } = place;
  const whole = find(place, typed);
  const hash = typed.indexOf("#");
  if (whole.length > 0 || hash < 0) return { row: only(library, typed, whole), section: undefined };
  const document = typed.slice(0, hash);
  const section = typed.slice(hash + 1);
  return {
    row: only(library, document, find(place, document)),
    section: section === "" ? undefined : section,
  };
}

function find({ library, collection, cwd }: Place, typed: string): DocumentRow[] {
  const max = MAX_SHOWN_CANDIDATES + 1;
  const filter = collectionFilter(library, collection === undefined ? [] : [collection]);
  const path = typed.replace(/^\.?\//, "");
  const rows = path === "" ? [] : library.reader.findDocuments(path, filter, max);
  // Without `./`, `../` or `/` before it, the path in a collection is meant first.
  const isNamed = !/^\.{0,2}\//.test(typed) && rows.some((row) => row.path === path);
  const file = isNamed ? undefined : onDisk(library, resolve(cwd, typed), filter);
  if (file) return [file];
  if (rows.length > 0 || collection !== undefined) return rows;
  const colon = typed.indexOf(":");
  const name = typed.slice(0, colon);
  if (colon < 0 || !isCollection(library, name)) return [];
  return library.reader.findDocuments(typed.slice(colon + 1), collectionFilter(library, [name]), max);
}

/** The document of a file, from the first collection that covers it. */
function onDisk(library: Library, file: string, filter: DocumentScope): DocumentRow | undefined {
  for (const { id, source } of library.collections) {
    const path = source.kind === "folder" ? pathBelow(source.root, file) : undefined;
    if (path === undefined || path === "" || filter.collections?.includes(id) === false) continue;
    const [row] = library.reader.findDocuments(path, { collections: [id] }, 1);
    if (row?.path === path) return row;
  }
  return undefined;
}

function only(library: Library, typed: string, rows: readonly DocumentRow[]): DocumentRow {
  const [first] = rows;
  if (!first) {
    throw new DexError("unknown_document", `No collection here has a document "${typed.slice(0, 200)}".`, {
      hint: "`dex docs documents` lists all documents; `dex docs search` finds passages.",
    });
  }
  if (rows.length === 1) return first;
  const shown = rows.slice(0, MAX_SHOWN_CANDIDATES).map((row) => `  ${addressOf(library, row)}  ${row.title}`);
  if (rows.length > MAX_SHOWN_CANDIDATES) shown.push("  …");
  throw new DexError("ambiguous_document", `"${typed.slice(0, 200)}" could be any of these:\n${shown.join("\n")}`, {
    hint: "Give more of the path, with its collection: name:path.",
  });
}

/** Accepts the exact address, an anchor, a heading, or the end of an address if it is unique. */
function resolveSection(sections: readonly SectionRow[], typed: string): SectionRow {
  const found = findSection(
    sections.map((section) => ({ ...section, text: "" })),
    typed,
  );
  const shown = typed.trim().slice(0, 200);
  if ("section" in found) return sections[found.section.index] as SectionRow;
  if ("candidates" in found) {
    const lines = found.candidates.slice(0, MAX_SHOWN_CANDIDATES).map(({ slug, heading }) => `  ${slug}  ${heading}`);
    if (found.candidates.length > MAX_SHOWN_CANDIDATES) lines.push("  …");
    throw new DexError("ambiguous_section", `"${shown}" could be any of these:\n${lines.join("\n")}`, {
      hint: "Give the whole address.",
    });
  }
  throw new DexError("unknown_section", `The document has no section "${shown}".`, {
    hint: found.near.length > 0 ? `Did you mean ${found.near.join(", ")}?` : "`dex docs outline` lists its sections.",
  });
}

/** The section followed by its subsections. */
export function withSubsections(sections: readonly SectionRow[], { index, level }: SectionRow): SectionRow[] {
  let last = index;
  while (level > 0 && (sections[last + 1]?.level ?? 0) > level) last += 1;
  return sections.slice(index, last + 1);
}
