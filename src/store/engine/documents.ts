/** The documents in the engine in use. */
export { openDocuments, openDocumentWriter } from "../sqlite/documents/open.ts";
