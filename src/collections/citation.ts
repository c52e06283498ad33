/** Citations: how answers name a document or a section, in a form that can be used to request it again. */
import type { DocumentRow } from "../store/documents.ts";
import { type Library, selectCollections } from "./library.ts";

export function collectionFilter(library: Library, names: readonly string[]): { collections?: string[] } {
  const collections = selectCollections(library, names);
  return collections === undefined ? {} : { collections };
}

export function nameOf(library: Library, id: string): string {
  return library.collections.find((each) => each.id === id)?.name ?? id;
}

/** `collection:path#section`. */
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
