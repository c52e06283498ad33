/** Opens documents.db. A missing file is empty, not an error. */
import type { VectorModel } from "../../../ranking/query.ts";
import type { DocumentReader, DocumentScope, DocumentWriter } from "../../documents.ts";
import { openRebuildable } from "../rebuildable.ts";
import { SqliteDocumentReader } from "./reader.ts";
import { DOCUMENTS } from "./schema.ts";
import { SqliteDocumentWriter } from "./writer.ts";

export function openDocuments(path: string, scope: DocumentScope): DocumentReader {
  return new SqliteDocumentReader(openRebuildable(DOCUMENTS, path, "read").database, scope);
}

/** The caller holds the writer's lock. */
export function openDocumentWriter(path: string, model: VectorModel | undefined): DocumentWriter {
  return new SqliteDocumentWriter(openRebuildable(DOCUMENTS, path, "write").database, model);
}
