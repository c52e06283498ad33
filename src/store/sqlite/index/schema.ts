/** The index: everything in it is derived from the archive and may be deleted at any time. */
import type { RebuildableDatabase } from "../rebuildable.ts";

/** Raised whenever the tables or their content change: an older index is rebuilt. */
const INDEX_VERSION = 15;

/** An index of texts: segments of terms, and the vectors of their documents. */
export const TEXT_SCHEMA = `
CREATE TABLE segments (
  id INTEGER PRIMARY KEY,
  documents INTEGER NOT NULL,
  places BLOB NOT NULL,
  roles BLOB NOT NULL,
  lengths BLOB NOT NULL,
  words INTEGER NOT NULL,
  dead BLOB,
  gone INTEGER NOT NULL DEFAULT 0,
  gone_words INTEGER NOT NULL DEFAULT 0,
  -- CRC-32 of places, roles and lengths.
  checksum INTEGER NOT NULL
);

CREATE TABLE term_blocks (
  segment INTEGER NOT NULL,
  first TEXT NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (segment, first)
) WITHOUT ROWID;

CREATE TABLE vector_blocks (
  segment INTEGER NOT NULL,
  first INTEGER NOT NULL,
  documents INTEGER NOT NULL,
  model TEXT NOT NULL,
  dims INTEGER NOT NULL,
  owners BLOB NOT NULL,
  codes BLOB NOT NULL,
  base INTEGER NOT NULL,
  -- CRC-32 of owners, codes and the block's vectors.
  checksum INTEGER NOT NULL,
  PRIMARY KEY (segment, model, dims, first)
) WITHOUT ROWID;

CREATE TABLE vector_rows (id INTEGER PRIMARY KEY, vectors BLOB NOT NULL);
`;

/** `key`: the constraint that makes conversations unique. */
const schemaWith = (key: string): string => `${TEXT_SCHEMA}
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE conversations (
  no INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  id TEXT NOT NULL,
  title TEXT NOT NULL,
  project TEXT,
  branch TEXT,
  model TEXT,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  tokens_stripped INTEGER NOT NULL,
  tokens_user INTEGER NOT NULL,
  parent TEXT,
  parent_kind TEXT,
  family TEXT,
  meta TEXT NOT NULL,
  origin TEXT,
  archive TEXT NOT NULL,
  archive_bytes INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  ${key}
);
CREATE INDEX conversations_id ON conversations (id);
CREATE INDEX conversations_updated ON conversations (updated);
CREATE INDEX conversations_parent ON conversations (parent) WHERE parent IS NOT NULL;
CREATE INDEX conversations_family ON conversations (family) WHERE family IS NOT NULL;

CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  role INTEGER NOT NULL,
  time INTEGER,
  tokens INTEGER NOT NULL,
  tokens_stripped INTEGER NOT NULL,
  tokens_user INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  usage_hash INTEGER NOT NULL,
  head TEXT NOT NULL,
  checksum INTEGER NOT NULL
);

-- The order of the words that user or assistant wrote in a message, or of a title.
CREATE TABLE word_orders (id INTEGER PRIMARY KEY, codes BLOB NOT NULL, checksum INTEGER NOT NULL);

CREATE TABLE blocks (
  no INTEGER NOT NULL,
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  length INTEGER NOT NULL,
  PRIMARY KEY (no, first)
) WITHOUT ROWID;

CREATE TABLE files (
  no INTEGER NOT NULL,
  path TEXT NOT NULL,
  how TEXT NOT NULL,
  first INTEGER NOT NULL,
  PRIMARY KEY (no, path, how)
) WITHOUT ROWID;
CREATE INDEX files_path ON files (path);

CREATE TABLE commits (
  no INTEGER NOT NULL,
  first INTEGER NOT NULL,
  sha TEXT NOT NULL,
  subject TEXT NOT NULL,
  PRIMARY KEY (no, first, sha)
) WITHOUT ROWID;

CREATE TABLE shell_calls (
  no INTEGER NOT NULL,
  first INTEGER NOT NULL,
  part INTEGER NOT NULL,
  call INTEGER NOT NULL,
  command TEXT NOT NULL,
  PRIMARY KEY (no, first, part)
) WITHOUT ROWID;

CREATE TABLE shell_results (
  no INTEGER NOT NULL,
  call INTEGER NOT NULL,
  first INTEGER NOT NULL,
  part INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  exit_code INTEGER,
  PRIMARY KEY (no, call, first, part)
) WITHOUT ROWID;

-- The tokens of requests to models. Equal keys: copies of one request, of which the sums take one.
CREATE TABLE requests (
  no INTEGER NOT NULL,
  first INTEGER NOT NULL,
  part INTEGER NOT NULL,
  key INTEGER NOT NULL,
  time INTEGER,
  model TEXT NOT NULL,
  input INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  cache_write_1h INTEGER NOT NULL,
  output INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  cost REAL,
  PRIMARY KEY (no, first, part)
) WITHOUT ROWID;
CREATE INDEX requests_key ON requests (key) WHERE key <> 0;

-- The same summed by quarter of an hour, model and size of the input: a report reads a tenth of the rows.
CREATE TABLE request_sums (
  no INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  model TEXT NOT NULL,
  size INTEGER NOT NULL,
  priced INTEGER NOT NULL,
  input INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  cache_write_1h INTEGER NOT NULL,
  output INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  cost REAL,
  PRIMARY KEY (no, slot, model, size, priced)
) WITHOUT ROWID;

-- Keys that more than one request has or had.
CREATE TABLE repeated_keys (key INTEGER PRIMARY KEY);

-- Tokens of the texts of a conversation without requests, by quarter of an hour.
CREATE TABLE text_sums (
  no INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  output INTEGER NOT NULL,
  input INTEGER NOT NULL,
  PRIMARY KEY (no, slot)
) WITHOUT ROWID;

CREATE TABLE containers (
  source TEXT NOT NULL,
  path TEXT NOT NULL,
  stamp TEXT NOT NULL,
  state TEXT,
  malformed INTEGER NOT NULL,
  left_out TEXT,
  error TEXT,
  PRIMARY KEY (source, path)
) WITHOUT ROWID;
`;

/** The same tables for conversations of several people, who may have the same one. */
export const SHARED_SCHEMA: string = schemaWith("CHECK (no > 0)");

export const INDEX: RebuildableDatabase = {
  version: INDEX_VERSION,
  schema: schemaWith("UNIQUE (source, id)"),
  remedy: "Run `dex doctor --fix`: it rebuilds the index from the archive. Nothing is lost.",
};
