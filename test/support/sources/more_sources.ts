/**
 * One small conversation in the form of each agent whose reader is made from one of the common forms (a document, a log,
 * a database) or from the reader of another agent. Written by hand from the descriptions of the formats.
 */
import { DATABASE_WRITERS } from "./databases.ts";
import { DOCUMENT_WRITERS } from "./documents.ts";
import { FAMILY_WRITERS } from "./families.ts";
import type { Writer } from "./forms.ts";
import { LOG_WRITERS } from "./logs.ts";
import { SERIALIZED_WRITERS } from "./serialized.ts";

export const MORE_WRITERS: Readonly<Record<string, Writer>> = {
  ...DOCUMENT_WRITERS,
  ...LOG_WRITERS,
  ...DATABASE_WRITERS,
  ...SERIALIZED_WRITERS,
  ...FAMILY_WRITERS,
};
