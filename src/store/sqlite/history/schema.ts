/**
 * The database of a repository's history. Everything in it comes from git and the archive: it is rebuilt, never
 * migrated.
 */
import type { RebuildableDatabase } from "../rebuildable.ts";

/** Raised whenever the tables or their content change. */
const HISTORY_VERSION = 12;

export const HISTORY: RebuildableDatabase = {
  version: HISTORY_VERSION,
  remedy: "Run `dex doctor --fix`: it rebuilds the database from git and the archive. Nothing is lost.",
  refills: true,
  schema: `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Numbers are never given again: what was read out of commits goes on from the last number it saw.
CREATE TABLE commits (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  sha TEXT NOT NULL UNIQUE,
  parents INTEGER NOT NULL,
  authored INTEGER NOT NULL,
  time INTEGER NOT NULL,
  author TEXT NOT NULL,
  email TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  file_count INTEGER NOT NULL,
  boundary INTEGER NOT NULL
);
CREATE INDEX commits_time ON commits (time DESC, sha);

CREATE TABLE paths (
  no INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  now INTEGER NOT NULL,
  -- The number of commits that changed the file under any of its names and say something about pairs of files.
  touches INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX paths_now ON paths (now);

CREATE TABLE changes (
  path INTEGER NOT NULL,
  commit_no INTEGER NOT NULL,
  old INTEGER,
  added INTEGER,
  deleted INTEGER,
  PRIMARY KEY (path, commit_no)
) WITHOUT ROWID;
CREATE INDEX changes_commit ON changes (commit_no);

CREATE TABLE decisions (
  id TEXT NOT NULL,
  origin TEXT NOT NULL,
  owner TEXT NOT NULL,
  place TEXT NOT NULL,
  text TEXT NOT NULL,
  because TEXT,
  alternatives TEXT NOT NULL,
  files TEXT NOT NULL,
  symbols TEXT NOT NULL,
  score REAL NOT NULL,
  time INTEGER NOT NULL,
  status TEXT NOT NULL,
  PRIMARY KEY (id, owner)
) WITHOUT ROWID;
CREATE INDEX decisions_owner ON decisions (owner);

CREATE TABLE outcomes (
  no INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  place TEXT NOT NULL,
  runner TEXT NOT NULL,
  file TEXT,
  name TEXT,
  status TEXT NOT NULL,
  message TEXT,
  total INTEGER,
  time INTEGER NOT NULL,
  folder TEXT,
  scope TEXT
);
CREATE INDEX outcomes_owner ON outcomes (owner);

CREATE TABLE runs (
  no INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  place TEXT NOT NULL,
  command TEXT NOT NULL,
  failed INTEGER NOT NULL,
  edited INTEGER NOT NULL,
  message TEXT,
  time INTEGER NOT NULL
);
CREATE INDEX runs_command ON runs (command, time DESC);
CREATE INDEX runs_owner ON runs (owner);

CREATE TABLE undone (
  no INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  place TEXT NOT NULL,
  kind TEXT NOT NULL,
  path TEXT NOT NULL,
  after INTEGER,
  text TEXT NOT NULL,
  time INTEGER NOT NULL
);
CREATE INDEX undone_path ON undone (path, time DESC);
CREATE INDEX undone_owner ON undone (owner);

-- Texts that conversations replaced, as hashes: the opposite replacement in a later conversation takes one back.
CREATE TABLE replacements (
  no INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  place TEXT NOT NULL,
  path TEXT NOT NULL,
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  request TEXT NOT NULL,
  time INTEGER NOT NULL
);
CREATE INDEX replacements_path ON replacements (path, before, after);
CREATE INDEX replacements_owner ON replacements (owner);

CREATE TABLE sessions (
  owner TEXT PRIMARY KEY,
  messages INTEGER NOT NULL,
  did TEXT NOT NULL,
  open TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE edits (
  owner TEXT NOT NULL,
  path TEXT NOT NULL,
  place TEXT NOT NULL,
  time INTEGER NOT NULL,
  PRIMARY KEY (owner, path)
) WITHOUT ROWID;

CREATE TABLE neighbours (path TEXT PRIMARY KEY, list TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE line_counts (
  path TEXT PRIMARY KEY,
  blob TEXT NOT NULL,
  last TEXT NOT NULL,
  commits TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE marks (
  kind TEXT NOT NULL,
  owner TEXT NOT NULL,
  messages INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (kind, owner)
) WITHOUT ROWID;
`,
};
