/**
 * The cache of a team's index: the tables of an index, filled as questions need them, and where each row comes from.
 * Segments never change, so nothing in it becomes wrong; only the list of segments is checked.
 */
import { INDEX, SHARED_SCHEMA } from "../index/schema.ts";
import type { RebuildableDatabase } from "../rebuildable.ts";

/** Raised whenever the tables change: an older cache is fetched again. */
const CACHE_VERSION = 6;

export const CACHE: RebuildableDatabase = {
  version: INDEX.version * 100 + CACHE_VERSION,
  schema: `${SHARED_SCHEMA}
CREATE TABLE buckets (
  bucket INTEGER PRIMARY KEY,
  scope TEXT NOT NULL,
  version INTEGER NOT NULL
);

CREATE TABLE shared_segments (
  id INTEGER PRIMARY KEY,
  bucket INTEGER NOT NULL,
  segment INTEGER NOT NULL,
  -- The member who wrote it.
  owner TEXT NOT NULL,
  UNIQUE (bucket, segment)
);

-- Segments that cannot be used: they are not fetched again.
CREATE TABLE refused_segments (
  bucket INTEGER NOT NULL,
  segment INTEGER NOT NULL,
  owner TEXT NOT NULL,
  PRIMARY KEY (bucket, segment)
) WITHOUT ROWID;

-- What each segment knows about its conversations.
CREATE TABLE shared_entries (
  segment INTEGER NOT NULL,
  no INTEGER NOT NULL,
  titled INTEGER,
  entry TEXT NOT NULL,
  PRIMARY KEY (no, segment)
) WITHOUT ROWID;
CREATE INDEX shared_entries_segment ON shared_entries (segment);

-- The numbers of conversations in this database.
CREATE TABLE shared_numbers (
  no INTEGER PRIMARY KEY,
  bucket INTEGER NOT NULL,
  conv INTEGER NOT NULL,
  generation INTEGER NOT NULL DEFAULT 0,
  UNIQUE (bucket, conv)
);

-- Those that the server still has, and where they come from.
CREATE TABLE shared_conversations (
  no INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  own INTEGER NOT NULL,
  machine TEXT NOT NULL,
  scope TEXT NOT NULL
);

-- Runs of documents with consecutive slots.
CREATE TABLE shared_runs (
  no INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  segment INTEGER NOT NULL,
  document INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (no, slot, segment)
) WITHOUT ROWID;

-- The block in which a term would be; null: the segment has no such block.
CREATE TABLE held_terms (
  segment INTEGER NOT NULL,
  term TEXT NOT NULL,
  first TEXT,
  PRIMARY KEY (segment, term)
) WITHOUT ROWID;

-- Segments of which all terms and vectors are here.
CREATE TABLE held_segments (segment INTEGER PRIMARY KEY);

-- The packed details of a segment's documents, by the first of them.
CREATE TABLE held_details (
  segment INTEGER NOT NULL,
  first INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (segment, first)
);

-- Blocks of archives whose bytes are here.
CREATE TABLE held_blocks (
  no INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  PRIMARY KEY (no, offset)
) WITHOUT ROWID;

-- Decisions and notes of members, those of this home's member included.
CREATE TABLE shared_notes (
  bucket INTEGER NOT NULL,
  owner TEXT NOT NULL,
  own INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (bucket, owner, kind, id)
) WITHOUT ROWID;

-- Every part that was fetched for a question, with its size, and the number of the last question that used it.
CREATE TABLE fetched (
  kind TEXT NOT NULL,
  -- The segment of a term or detail, the number of a group or of a conversation with blocks of its archive.
  owner INTEGER NOT NULL,
  part TEXT NOT NULL,
  size INTEGER NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (kind, owner, part)
) WITHOUT ROWID;
CREATE INDEX fetched_used ON fetched (used, size);
`,
  remedy: "Delete the folder `team` in DEX_HOME: dex fetches it again.",
  refills: true,
};
