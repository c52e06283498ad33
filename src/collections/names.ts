/** Which names lead to which collections from where the process runs. */
import type { DexPaths } from "../config/paths.ts";
import { openDocuments } from "../store/sqlite/open_documents.ts";
import type { NamedCollection } from "./library.ts";

export async function knownCollections({ paths }: { paths: DexPaths }): Promise<NamedCollection[]> {
  const reader = openDocuments(paths.documents, {});
  try {
    return reader.collections().map(({ id, source }) => ({ name: id, id, source, origin: "global" }));
  } finally {
    reader.close();
  }
}
