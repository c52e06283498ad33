/**
 * The tables of a team's server. Large tables begin their primary key with \`bucket\`, a part of one project, and are
 * partitioned by it. No column holds the text of conversations: frames and blocks are compressed, as in the archive
 * and the index of one machine.
 */
export const TABLES = `
create table meta (key text primary key, value text not null);
create table team (
  team int generated always as identity primary key,
  name text not null check (length(name) between 1 and 100),
  -- Keys the hashes of tombstones.
  secret text not null default gen_random_uuid()::text || gen_random_uuid()::text,
  -- Patterns that the gate of every push applies, and the hours a newly shared project waits before its first push.
  settings jsonb not null default '{}'
);
create table member (
  member int generated always as identity primary key,
  team int not null references team,
  name text not null check (length(name) between 1 and 100),
  role text not null check (role in ('reader', 'member', 'admin')),
  created timestamptz not null default now(),
  revoked timestamptz,
  unique (team, name)
);
-- A machine of a member: a login of its own, or a token of the gateway. Until it joins, its secret is the invitation's.
create table device (
  device int generated always as identity primary key,
  member int not null references member,
  login text unique,
  token bytea unique,
  machine text,
  created timestamptz not null default now(),
  expires timestamptz,
  joined timestamptz,
  revoked timestamptz,
  check ((login is null) <> (token is null))
);
create index device_member on device (member);
create table scope (
  scope int generated always as identity primary key,
  team int not null references team,
  -- A normalised git remote, never a path.
  key text not null check (length(key) between 1 and 500),
  created timestamptz not null default now(),
  unique (team, key)
);
-- Without a member: everyone of the team.
create table share (
  scope int not null references scope,
  member int references member,
  unique nulls not distinct (scope, member)
);
create table bucket (
  bucket int generated always as identity primary key,
  scope int not null references scope,
  -- Raised by everything that readers of the bucket could notice.
  version bigint not null default 0,
  -- Raised whenever the list of segments changes; a writer of segments states which one it saw.
  index_version bigint not null default 0,
  index_lease timestamptz,
  index_device int,
  -- Something was pushed or removed that the index does not show.
  unindexed boolean not null default false,
  next_conv int not null default 1,
  messages bigint not null default 0
);
create index bucket_scope on bucket (scope);
create table conversation (
  bucket int not null,
  -- Counted from 1 in each bucket: dense, as scoring needs it.
  conv int not null,
  owner int not null,
  -- The device that writes it. Another device with a different copy begins a branch.
  device int not null,
  source text not null,
  id text not null,
  branch text not null default '',
  generation int not null default 1,
  bytes bigint not null default 0,
  -- The bytes up to the end of the last finished segment of the archive: readers use no more.
  complete bigint not null default 0,
  -- What the index covers.
  indexed_generation int not null default 0,
  indexed bigint not null default 0,
  messages int not null default 0,
  meta jsonb not null,
  pushed timestamptz not null default now(),
  primary key (bucket, conv)
) partition by hash (bucket);
create unique index conversation_identity on conversation (bucket, owner, source, id, branch);
create index conversation_owner on conversation (owner);
create table frame (
  bucket int not null,
  conv int not null,
  generation int not null,
  at bigint not null,
  data bytea not null,
  sha bytea not null,
  primary key (bucket, conv, generation, at)
) partition by hash (bucket);
create table segment (
  bucket int not null,
  id bigint not null,
  -- Of the text analysis and the packing; a reader skips versions it does not know.
  format int not null default 0,
  documents int not null default 0,
  places bytea,
  roles bytea,
  lengths bytea,
  words bigint not null default 0,
  checksum bigint not null default 0,
  ready boolean not null default false,
  device int not null,
  created timestamptz not null default now(),
  primary key (bucket, id)
) partition by hash (bucket);
create sequence segment_id;
create table term_block (
  bucket int not null,
  segment bigint not null,
  first text collate "C" not null,
  data bytea not null,
  primary key (bucket, segment, first)
) partition by hash (bucket);
create table vector_block (
  bucket int not null,
  segment bigint not null,
  model text not null,
  dims int not null,
  first int not null,
  documents int not null,
  owners bytea not null,
  codes bytea not null,
  base int not null,
  checksum bigint not null,
  primary key (bucket, segment, model, dims, first)
) partition by hash (bucket);
create table vector_rows (
  bucket int not null,
  segment bigint not null,
  id int not null,
  vectors bytea not null,
  primary key (bucket, segment, id)
) partition by hash (bucket);
-- Other packed tables of a segment's documents, by kind: the order of their words, their heads and times.
create table document_block (
  bucket int not null,
  segment bigint not null,
  kind text not null,
  first int not null,
  data bytea not null,
  primary key (bucket, segment, kind, first)
) partition by hash (bucket);
create table file (
  bucket int not null,
  conv int not null,
  path text not null,
  how text not null,
  first int not null,
  primary key (bucket, conv, path, how)
) partition by hash (bucket);
create index file_path on file (bucket, path);
create table commit (
  bucket int not null,
  conv int not null,
  first int not null,
  sha text not null,
  subject text not null,
  primary key (bucket, conv, first, sha)
) partition by hash (bucket);
create index commit_sha on commit (bucket, sha);
-- Decisions and notes that members share, with their authors.
create table note (
  bucket int not null,
  owner int not null,
  kind text not null,
  id text not null,
  body jsonb not null,
  at timestamptz not null default now(),
  primary key (bucket, owner, kind, id)
) partition by hash (bucket);
-- Conversations that were removed while segments may still have their words.
create table gone (
  bucket int not null,
  conv int not null,
  at timestamptz not null default now(),
  primary key (bucket, conv)
) partition by hash (bucket);
create table tombstone (
  team int not null references team,
  -- A keyed hash of the owner, the agent and the id.
  hash bytea not null,
  at timestamptz not null default now(),
  primary key (team, hash)
);
create table audit (
  id bigint generated always as identity primary key,
  team int not null references team,
  at timestamptz not null default now(),
  member int,
  device int,
  what text not null,
  detail jsonb not null default '{}'
);
create index audit_team on audit (team, id);
`;

/** The tables that are partitioned by bucket; a migration of a new one names it here. */
export const PARTITIONED: readonly string[] = [
  "conversation",
  "frame",
  "segment",
  "term_block",
  "vector_block",
  "vector_rows",
  "document_block",
  "file",
  "commit",
  "note",
  "gone",
];

export const PARTITIONS = 8;
/**
 * These columns are already compressed: compressing them again would cost time, and reading a part would need the
 * whole.
 */
const PACKED: readonly (readonly [string, string])[] = [
  ["frame", "data"],
  ["term_block", "data"],
  ["vector_block", "owners"],
  ["vector_block", "codes"],
  ["vector_rows", "vectors"],
  ["document_block", "data"],
];

/** The partitions of these tables. */
export function partitions(tables: readonly string[]): string {
  const statements: string[] = [];
  for (const table of tables) {
    for (let i = 0; i < PARTITIONS; i += 1) {
      statements.push(
        `create table ${table}_${i} partition of ${table} for values with (modulus ${PARTITIONS}, remainder ${i});`,
      );
      for (const [name, column] of PACKED) {
        if (name === table) statements.push(`alter table ${table}_${i} alter ${column} set storage external;`);
      }
    }
  }
  return statements.join("\n");
}
