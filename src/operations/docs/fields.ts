/** From what a caller typed to the document or the section that is meant; never a guess, never outside the library. */
import * as z from "zod";
import { addressOf, collectionFilter } from "../../collections/citation.ts";
import type { Library } from "../../collections/library.ts";
import { findSection } from "../../documents/find.ts";
import { DexError } from "../../kernel/errors.ts";
import type { DocumentRow, SectionRow } from "../../store/documents.ts";

const SHOWN_CANDIDATES = 12;
const MOST_COLLECTIONS = 100;

export const collectionsField = z
  .array(z.string())
  .max(MOST_COLLECTIONS)
  .default([])
  .describe("Only these collections, by name");

export const collectionField = z.string().optional().describe("Its collection, where the path alone is not clear");

/** Documents are read to be cited: what is returned without being asked for must fit an agent's context. */
export const readTokensField = z
  .int("must be a whole number")
  .min(1, "must be positive")
  .default(10_000)
  .describe("Maximum tokens to return");

/** What is alike in all verbs that are asked for one document. */
export const ONE_DOCUMENT = {
  readOnly: true,
  idempotent: true,
  fresh: "documents",
  traced: true,
  asks: "document",
  toolset: "documents",
} as const;

/** The document, its sections, and the one of them that is meant, if one was typed: alone or behind the path. */
export function resolvePart(
  library: Library,
  typed: { document: string; collection?: string | undefined; section?: string | undefined },
): { row: DocumentRow; sections: SectionRow[]; section: SectionRow | undefined } {
  const { row, section: inAddress } = resolveDocument(library, typed.document, typed.collection);
  const sections = library.reader.sections(row.no);
  const address = typed.section ?? inAddress;
  return { row, sections, section: address === undefined ? undefined : resolveSection(sections, address) };
}

/** `path`, the end of one, or a title, perhaps with `collection:` before it and `#section` behind. */
function resolveDocument(
  library: Library,
  typed: string,
  collection: string | undefined,
): { row: DocumentRow; section: string | undefined } {
  const whole = find(library, typed, collection);
  const hash = typed.indexOf("#");
  if (whole.length > 0 || hash < 0) return { row: only(library, typed, whole), section: undefined };
  const document = typed.slice(0, hash);
  const section = typed.slice(hash + 1);
  return {
    row: only(library, document, find(library, document, collection)),
    section: section === "" ? undefined : section,
  };
}

function find(library: Library, typed: string, collection: string | undefined): DocumentRow[] {
  const most = SHOWN_CANDIDATES + 1;
  const filter = collectionFilter(library, collection === undefined ? [] : [collection]);
  const path = typed.replace(/^\.?\//, "");
  const rows = path === "" ? [] : library.reader.findDocuments(path, filter, most);
  if (rows.length > 0 || collection !== undefined) return rows;
  const colon = typed.indexOf(":");
  const name = typed.slice(0, colon);
  if (colon < 0 || !library.collections.some((each) => each.name === name)) return [];
  return library.reader.findDocuments(typed.slice(colon + 1), collectionFilter(library, [name]), most);
}

function only(library: Library, typed: string, rows: readonly DocumentRow[]): DocumentRow {
  const [first] = rows;
  if (!first) {
    throw new DexError("unknown_document", `There is no document "${typed.slice(0, 200)}" here.`, {
      hint: "`dex docs documents` lists them; `dex docs search` finds them by what they say.",
    });
  }
  if (rows.length === 1) return first;
  const shown = rows.slice(0, SHOWN_CANDIDATES).map((row) => `  ${addressOf(library, row)}  ${row.title}`);
  if (rows.length > SHOWN_CANDIDATES) shown.push("  …");
  throw new DexError("ambiguous_document", `"${typed.slice(0, 200)}" could be any of these:\n${shown.join("\n")}`, {
    hint: "Give more of the path, with its collection: name:path.",
  });
}

/** By its exact address, an anchor, a heading, or the end of an address as long as it is one section's alone. */
function resolveSection(sections: readonly SectionRow[], typed: string): SectionRow {
  const found = findSection(
    sections.map((section) => ({ ...section, text: "" })),
    typed,
  );
  const shown = typed.trim().slice(0, 200);
  if ("section" in found) return sections[found.section.index] as SectionRow;
  if ("candidates" in found) {
    const lines = found.candidates.slice(0, SHOWN_CANDIDATES).map(({ slug, heading }) => `  ${slug}  ${heading}`);
    if (found.candidates.length > SHOWN_CANDIDATES) lines.push("  …");
    throw new DexError("ambiguous_section", `"${shown}" could be any of these:\n${lines.join("\n")}`, {
      hint: "Give the whole address of the one that is meant.",
    });
  }
  throw new DexError("unknown_section", `There is no section "${shown}" in it.`, {
    hint: found.near.length > 0 ? `Near are ${found.near.join(", ")}.` : "`dex docs outline` lists its sections.",
  });
}

/** The section and those below it: one run in the order of the text. */
export function withSubsections(sections: readonly SectionRow[], { index, level }: SectionRow): SectionRow[] {
  let last = index;
  while (level > 0 && (sections[last + 1]?.level ?? 0) > level) last += 1;
  return sections.slice(index, last + 1);
}
