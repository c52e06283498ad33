/** The database of a project's code: everything in it is derived from the project's files. */
import { TEXT_SCHEMA } from "../index/schema.ts";
import type { RebuildableDatabase } from "../rebuildable.ts";

/** Raised whenever the tables, or the facts read from files, change: an older database is rebuilt. */
export const CODE_VERSION = 33;

export interface TableIndex {
  name: string;
  sql: string;
}

export const EDGE_INDEX: TableIndex = {
  name: "edges_dst",
  sql: "CREATE INDEX edges_dst ON edges (dst, relation)",
};
export const NAME_INDEX: TableIndex = {
  name: "entities_name",
  sql: "CREATE INDEX entities_name ON entities (name)",
};

const CODE_SCHEMA = `${TEXT_SCHEMA}
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE files (
  no INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  language TEXT NOT NULL,
  hash TEXT NOT NULL,
  stamp TEXT NOT NULL,
  lines INTEGER NOT NULL,
  test INTEGER NOT NULL,
  module TEXT NOT NULL,
  edges TEXT NOT NULL DEFAULT '',
  unresolved INTEGER NOT NULL DEFAULT 0,
  missing TEXT NOT NULL DEFAULT '[]',
  external TEXT NOT NULL DEFAULT '[]'
);

-- Apart from the files, so that looking at stamps does not read it.
CREATE TABLE facts (
  file INTEGER PRIMARY KEY,
  outside TEXT NOT NULL,
  inside TEXT NOT NULL
);

-- What the edges of a file were worked out from: src/code/resolving/project/dependencies.ts.
CREATE TABLE needs (
  file INTEGER PRIMARY KEY,
  keys BLOB NOT NULL
);

CREATE TABLE entities (
  no INTEGER PRIMARY KEY,
  file INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  parent INTEGER,
  kind INTEGER NOT NULL,
  name TEXT NOT NULL,
  qualified TEXT NOT NULL,
  exported INTEGER NOT NULL,
  signature TEXT NOT NULL,
  doc TEXT NOT NULL,
  first_line INTEGER NOT NULL,
  last_line INTEGER NOT NULL,
  hash TEXT NOT NULL
);
CREATE INDEX entities_file ON entities (file, slot);
${NAME_INDEX.sql};

CREATE TABLE edges (
  file INTEGER NOT NULL,
  src INTEGER NOT NULL,
  dst INTEGER NOT NULL,
  relation INTEGER NOT NULL,
  resolution INTEGER NOT NULL,
  confidence REAL NOT NULL,
  line INTEGER NOT NULL,
  count INTEGER NOT NULL,
  lines TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (file, src, relation, dst, resolution)
) WITHOUT ROWID;
${EDGE_INDEX.sql};

CREATE TABLE skipped (
  path TEXT PRIMARY KEY,
  stamp TEXT NOT NULL,
  reason TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE links (
  src INTEGER NOT NULL,
  dst INTEGER NOT NULL,
  weight REAL NOT NULL,
  PRIMARY KEY (src, dst)
) WITHOUT ROWID;
`;

export const CODE: RebuildableDatabase = {
  version: CODE_VERSION,
  schema: CODE_SCHEMA,
  remedy: "Run `dex doctor --fix`: it rebuilds the database from the project's files. Nothing is lost.",
  refills: true,
  finishedByCommit: true,
};
