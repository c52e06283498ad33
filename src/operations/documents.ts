/** From what a caller typed to the document or the section that is meant; never a guess, never outside the library. */
import * as z from "zod";
import { type Library, selectCollections } from "../collections/library.ts";
import { DexError } from "../kernel/errors.ts";
import { nearest } from "../kernel/text.ts";
import type { DocumentRow, SectionRow } from "../store/documents.ts";

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
  .describe("Most tokens to return");

export function filterOf(library: Library, names: readonly string[]): { collections?: string[] } {
  const collections = selectCollections(library, names);
  return collections === undefined ? {} : { collections };
}

export function nameOf(library: Library, id: string): string {
  return library.collections.find((each) => each.id === id)?.name ?? id;
}

/** How a document, or a section of it, is cited and asked for again. */
export function addressOf(library: Library, row: DocumentRow, slug = ""): string {
  return `${nameOf(library, row.collection)}:${row.path}${slug === "" ? "" : `#${slug}`}`;
}

/** `path`, the end of one, or a title, perhaps with `collection:` before it and `#section` behind. */
export function resolveDocument(
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
  const filter = filterOf(library, collection === undefined ? [] : [collection]);
  const path = typed.replace(/^\.?\//, "");
  const rows = path === "" ? [] : library.reader.findDocuments(path, filter, most);
  if (rows.length > 0 || collection !== undefined) return rows;
  const colon = typed.indexOf(":");
  const name = typed.slice(0, colon);
  if (colon < 0 || !library.collections.some((each) => each.name === name)) return [];
  return library.reader.findDocuments(typed.slice(colon + 1), filterOf(library, [name]), most);
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

/**
 * By its exact address, an anchor, or a heading. A part of an address from its end on will do as long as it is one
 * section's alone.
 */
export function resolveSection(sections: readonly SectionRow[], typed: string): SectionRow {
  const wanted = typed.replace(/^#+\s*/, "").trim();
  const lower = wanted.toLowerCase();
  const rules: ((section: SectionRow) => boolean)[] = [
    ({ slug }) => slug === wanted,
    ({ anchors }) => anchors.includes(wanted),
    ({ path }) => path.join(" > ").toLowerCase() === lower,
    ({ heading, slug }) => heading.toLowerCase() === lower || slug.toLowerCase() === lower || ends(slug, lower),
  ];
  for (const rule of rules) {
    const found = sections.filter(rule);
    if (found.length === 1) return found[0] as SectionRow;
    if (found.length > 1) {
      throw new DexError("ambiguous_section", `"${wanted}" could be any of these:\n${candidates(found)}`, {
        hint: "Give the whole address of the one that is meant.",
      });
    }
  }
  const names = sections.flatMap(({ slug, heading }) => [slug, heading]).filter((name) => name !== "");
  const near = sections.filter(
    ({ slug, heading }) => lower !== "" && `${slug} ${heading}`.toLowerCase().includes(lower),
  );
  const meant = near.length > 0 ? `These are near:\n${candidates(near)}` : undefined;
  const closest = nearest(wanted.slice(0, 100), names);
  throw new DexError("unknown_section", `There is no section "${wanted.slice(0, 200)}" in it.`, {
    hint: meant ?? (closest ? `Did you mean ${closest}?` : "`dex docs outline` lists its sections."),
  });
}

function ends(slug: string, wanted: string): boolean {
  return wanted !== "" && slug.toLowerCase().endsWith(`/${wanted}`);
}

function candidates(sections: readonly SectionRow[]): string {
  const shown = sections.slice(0, SHOWN_CANDIDATES).map(({ slug, heading }) => `  ${slug}  ${heading}`);
  return [...shown, ...(sections.length > SHOWN_CANDIDATES ? ["  …"] : [])].join("\n");
}

/** The section and those below it: one run in the order of the text. */
export function withSubsections(sections: readonly SectionRow[], section: SectionRow): SectionRow[] {
  const run = [section];
  for (const next of sections.slice(section.index + 1)) {
    if (section.level === 0 || next.level <= section.level) break;
    run.push(next);
  }
  return run;
}
