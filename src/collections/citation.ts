/** How an answer names a document, or a section of it, so that it can be asked for again. */
import type { DocumentRow } from "../store/documents.ts";
import { type Library, selectCollections } from "./library.ts";

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

export function citation(
  library: Library,
  row: DocumentRow,
  slug?: string,
): { id: string; collection: string; document: string; title: string } {
  return {
    id: addressOf(library, row, slug),
    collection: nameOf(library, row.collection),
    document: row.path,
    title: row.title,
  };
}
