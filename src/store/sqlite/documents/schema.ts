/** documents.db: everything in it comes from the sources of collections and may be deleted at any time. */
import { TEXT_SCHEMA } from "../index/schema.ts";
import type { RebuildableDatabase } from "../rebuildable.ts";

const DOCUMENT_SCHEMA = `${TEXT_SCHEMA}
CREATE TABLE collections (
  id TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  synced INTEGER,
  failed INTEGER NOT NULL,
  state TEXT
) WITHOUT ROWID;

CREATE TABLE documents (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  collection TEXT NOT NULL,
  path TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  format TEXT NOT NULL,
  hash TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  sections INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  location TEXT NOT NULL,
  UNIQUE (collection, path)
);

CREATE TABLE sections (
  no INTEGER NOT NULL,
  i INTEGER NOT NULL,
  heading TEXT NOT NULL,
  level INTEGER NOT NULL,
  path TEXT NOT NULL,
  slug TEXT NOT NULL,
  anchors TEXT NOT NULL,
  first_line INTEGER NOT NULL,
  last_line INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  PRIMARY KEY (no, i)
) WITHOUT ROWID;

-- A chunk is a stretch of its document's text; \`text\` is only there where it is not found in it as it stands.
CREATE TABLE chunks (
  no INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  section INTEGER NOT NULL,
  first_line INTEGER NOT NULL,
  last_line INTEGER NOT NULL,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  text TEXT,
  PRIMARY KEY (no, chunk)
) WITHOUT ROWID;

CREATE TABLE texts (no INTEGER PRIMARY KEY, text BLOB NOT NULL);
`;

export const DOCUMENTS: RebuildableDatabase = {
  /** Raised whenever the tables or their content change: dex then syncs the collections again. */
  version: 7,
  schema: DOCUMENT_SCHEMA,
  remedy: "Run `dex doctor --fix`: it rebuilds the index of documents from the stored texts. Nothing is lost.",
};
