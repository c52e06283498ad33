/**
 * Statements that read a team's index. Row-level security leaves the buckets that the member may see. Lists are JSON: an
 * array of arrays, whose elements each statement names.
 */

/** Pairs of a bucket and a segment. */
const PAIRS = "select (q->>0)::int as bucket, (q->>1)::bigint as segment from jsonb_array_elements($1::jsonb) q";

/**
 * Triples: a bucket, a segment and a number. Each is looked up by its key (`offset 0`): PostgreSQL does not know how
 * few are requested, and a join of its choice would read the whole table.
 */
const TRIPLES =
  "select (q->>0)::int as bucket, (q->>1)::bigint as segment, (q->>2)::int as number from jsonb_array_elements($1::jsonb) q";

export const FINDING_STATEMENTS = {
  visibleBuckets:
    "select b.bucket, s.key as scope, b.version from dex.bucket b join dex.scope s using (scope) order by b.bucket",
  segmentList:
    "select bucket, id as segment, documents, owner from dex.segment where bucket in (select (q#>>'{}')::int from jsonb_array_elements($1::jsonb) q) and format = $2 order by id",
  goneConversations:
    "select bucket, conv, owner = dex.me() as own from dex.gone where bucket in (select (q#>>'{}')::int from jsonb_array_elements($1::jsonb) q)",
  // The latest notes of each member, without oversized ones, so that one member cannot crowd out the others.
  sharedNotes: `select bucket, owner, kind, id, body, (extract(epoch from at) * 1000)::bigint as at from (
      select n.*, row_number() over (partition by bucket, owner order by n.at desc, kind, id) as place from dex.note n
        where bucket in (select (q#>>'{}')::int from jsonb_array_elements($1::jsonb) q)) n
      where place <= 2000 and pg_column_size(body) <= 32768 order by n.at desc limit 20000`,
  segmentTables: `with asked as (${PAIRS}) select s.bucket, s.id as segment, s.documents, s.places, s.roles, s.lengths, s.words, s.checksum from asked a join dex.segment s on s.bucket = a.bucket and s.id = a.segment`,
  segmentVectors: `with asked as (${PAIRS}) select v.bucket, v.segment, v.model, v.dims, v.first, v.documents, v.owners, v.codes, v.base, v.checksum from asked a join dex.vector_block v using (bucket, segment) order by v.base, v.first`,
  segmentEntries: `with asked as (${PAIRS})
    select a.bucket, a.segment, r.data from asked a cross join lateral (
      select d.first, d.data from dex.document_block d
        where d.bucket = a.bucket and d.segment = a.segment and d.kind = 'entries' offset 0) r order by r.first`,
  identities:
    "select conv, owner, device from dex.conversation where bucket = $1 and conv in (select (q#>>'{}')::int from jsonb_array_elements($2::jsonb) q)",
  // Sends each block once, with the first of its requested terms.
  termBlocks: `with asked as materialized (
      select (q->>0)::int as bucket, (q->>1)::bigint as segment, q->>2 as term from jsonb_array_elements($1::jsonb) q),
    found as materialized (
      select a.*, (select b.first from dex.term_block b where b.bucket = a.bucket and b.segment = a.segment
        and b.first <= a.term collate "C" order by b.first desc limit 1) as first from asked a),
    counted as (
      select f.*, row_number() over (partition by f.bucket, f.segment, f.first order by f.term) as place from found f)
    select c.bucket, c.segment, c.term, c.first, case when c.place = 1 and c.first is not null then (
      select b.data from dex.term_block b where b.bucket = c.bucket and b.segment = c.segment and b.first = c.first) end as data
    from counted c`,
  vectorGroups: `with asked as (${TRIPLES})
    select a.bucket, a.segment, a.number as id, r.vectors from asked a cross join lateral (
      select v.vectors from dex.vector_rows v
        where v.bucket = a.bucket and v.segment = a.segment and v.id = a.number offset 0) r`,
  segmentDetails: `with asked as (${TRIPLES})
    select a.bucket, a.segment, a.number as first, r.data from asked a cross join lateral (
      select d.data from dex.document_block d where d.bucket = a.bucket and d.segment = a.segment
        and d.kind = 'detail' and d.first = a.number offset 0) r`,
  // A block may continue in the next row.
  archiveBlocks: `with asked as materialized (
      select (q->>0)::int as bucket, (q->>1)::int as conv, (q->>2)::int as generation, (q->>3)::bigint as place,
        (q->>4)::bigint as size from jsonb_array_elements($1::jsonb) q)
    select a.bucket, a.conv, a.place, (
      select string_agg(substring(f.data from greatest(a.place - f.at, 0)::int + 1
          for (least(a.place + a.size, f.at + length(f.data)) - greatest(a.place, f.at))::int), ''::bytea order by f.at)
        from dex.frame f where f.bucket = a.bucket and f.conv = a.conv and f.generation = a.generation
          and f.at < a.place + a.size and f.at >= (select coalesce(max(g.at), 0) from dex.frame g where g.bucket = a.bucket
            and g.conv = a.conv and g.generation = a.generation and g.at <= a.place)) as data
    from asked a`,
  bucketsToIndex: "select bucket, bytes from dex.lagging()",
  // Only the member's own conversations: each member writes their own part of the index.
  unindexed:
    "select conv, generation, complete, indexed_generation, indexed from dex.conversation where bucket = $1 and owner = dex.me() and complete > 0 and (indexed_generation <> generation or indexed < complete) order by conv limit $2",
  pushedBytes:
    "select at, data from dex.frame where bucket = $1 and conv = $2 and generation = $3 and at >= $4 and at < $5 order by at",
  allTerms: "select first, data from dex.term_block where bucket = $1 and segment = $2 order by first",
  allGroups: "select id, vectors from dex.vector_rows where bucket = $1 and segment = $2 order by id",
  allDetails:
    "select first, data from dex.document_block where bucket = $1 and segment = $2 and kind = 'detail' order by first",
} as const satisfies Record<string, string>;
