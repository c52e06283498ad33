/** Opening documents.db. Where there is none yet it is empty, not an error. */
import { DatabaseSync } from "node:sqlite";
import type { DocumentReader, DocumentScope, DocumentWriter } from "../../documents.ts";
import type { VectorModel } from "../../ports.ts";
import { corruptIndex, openForReading, openForWriting } from "../database.ts";
import { SqliteDocumentReader } from "./reader.ts";
import { DOCUMENT_SCHEMA, DOCUMENTS } from "./schema.ts";
import { SqliteDocumentWriter } from "./writer.ts";

export function openDocuments(path: string, scope: DocumentScope): DocumentReader {
  const { database, state } = openForReading(path, DOCUMENTS);
  if (state === "corrupt") throw corruptIndex(path, undefined, DOCUMENTS);
  return new SqliteDocumentReader(database ?? emptyDatabase(), scope);
}

/** The caller holds the writer's lock. */
export function openDocumentWriter(path: string, model: VectorModel | undefined): DocumentWriter {
  return new SqliteDocumentWriter(openForWriting(path, DOCUMENTS).database, model);
}

function emptyDatabase(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(DOCUMENT_SCHEMA);
  return database;
}
