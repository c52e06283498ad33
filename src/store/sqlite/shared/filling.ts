/** Fills the cache of a team's index with what the server sent, and drops what the server no longer has. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { SLOTS, TITLE_SLOT } from "../../../ranking/segment.ts";
import { WordOrder } from "../../../text/terms/word_order.ts";
import { ownersPlaceOf, pathInProject } from "../../shared/placing.ts";
import { combineEntries, DOCUMENTS_PER_DETAIL, type SharedEntry, type SharedTables } from "../../shared/segment.ts";
import type { BucketUpdate } from "../../shared/updates.ts";
import type { Prepare } from "../connection.ts";
import { shownTitle, timesOf } from "../index/entry.ts";
import { ENTRY_COLUMNS } from "../index/row_checksums.ts";
import { deleteOrders, writeOrder } from "../index/word_orders.ts";
import { writeNotes } from "./notes.ts";
import { firstGroup, insertShared } from "./rows.ts";

/** The folder of the cache, and the path from the folder of the archive to it. */
export interface CachePlaces {
  folder: string;
  fromArchive: string;
}

/** The name of a conversation's file with the blocks of its archive that were fetched. */
function archiveName(no: number): string {
  return `${no}.zst`;
}

export function archiveFile({ folder }: CachePlaces, no: number): string {
  return join(folder, "archive", archiveName(no));
}

export function applyUpdate(prepare: Prepare, places: CachePlaces, update: BucketUpdate): void {
  const { bucket, scope, version } = update;
  writeNotes(prepare, bucket, update.notes);
  const current = new Set(update.segments);
  for (const { id, segment } of cachedSegments(prepare, bucket)) if (!current.has(segment)) dropSegment(prepare, id);
  for (const segment of refusedSegments(prepare, bucket)) {
    if (!current.has(segment))
      prepare("DELETE FROM refused_segments WHERE bucket = ? AND segment = ?").run(bucket, segment);
  }
  for (const { segment, owner } of update.refused) refuse(prepare, bucket, segment, owner);
  const changed = new Set<number>();
  for (const { segment, owner, tables } of [...update.added].sort((a, b) => a.segment - b.segment)) {
    for (const no of addSegment(prepare, { bucket, segment, owner }, tables)) changed.add(no);
  }
  for (const { conv, owner, own, machine } of update.identities) {
    prepare("INSERT OR REPLACE INTO shared_conversations (no, owner, own, machine, scope) VALUES (?, ?, ?, ?, ?)").run(
      numberOf(prepare, bucket, conv),
      owner,
      own ? 1 : 0,
      machine,
      scope,
    );
  }
  const gone = update.gone.map((conv) => numberOf(prepare, bucket, conv));
  for (const no of gone) dropConversation(prepare, places, no);
  for (const no of changed) writeConversation(prepare, places, no);
  for (const row of prepare("SELECT no FROM shared_numbers WHERE no NOT IN (SELECT no FROM shared_entries)").all()) {
    dropConversation(prepare, places, Number(row.no));
    prepare("DELETE FROM shared_numbers WHERE no = ?").run(Number(row.no));
  }
  prepare("INSERT OR REPLACE INTO buckets (bucket, scope, version) VALUES (?, ?, ?)").run(bucket, scope, version);
}

/** Segments of a bucket that cannot be used. */
export function refusedSegments(prepare: Prepare, bucket: number): number[] {
  return prepare("SELECT segment FROM refused_segments WHERE bucket = ?")
    .all(bucket)
    .map(({ segment }) => Number(segment));
}

function refuse(prepare: Prepare, bucket: number, segment: number, owner: string): void {
  prepare("INSERT OR REPLACE INTO refused_segments (bucket, segment, owner) VALUES (?, ?, ?)").run(
    bucket,
    segment,
    owner,
  );
}

/** Removes a cached segment that turned out to be damaged. */
export function refuseCached(prepare: Prepare, places: CachePlaces, id: number): void {
  const row = prepare("SELECT bucket, segment, owner FROM shared_segments WHERE id = ?").get(id);
  if (!row) return;
  const nos = prepare("SELECT no FROM shared_entries WHERE segment = ?").all(id);
  refuse(prepare, Number(row.bucket), Number(row.segment), String(row.owner));
  dropSegment(prepare, id);
  for (const { no } of nos) {
    if (entryOf(prepare, Number(no)) === undefined) dropConversation(prepare, places, Number(no));
    else writeConversation(prepare, places, Number(no));
  }
}

export function cachedSegments(prepare: Prepare, bucket: number): { id: number; segment: number }[] {
  return prepare("SELECT id, segment FROM shared_segments WHERE bucket = ? ORDER BY id")
    .all(bucket)
    .map((row) => ({ id: Number(row.id), segment: Number(row.segment) }));
}

/** Removes everything of a bucket that is no longer visible. */
export function dropBucket(prepare: Prepare, places: CachePlaces, bucket: number): void {
  for (const { id } of cachedSegments(prepare, bucket)) dropSegment(prepare, id);
  for (const row of prepare("SELECT no FROM shared_numbers WHERE bucket = ?").all(bucket)) {
    dropConversation(prepare, places, Number(row.no));
  }
  prepare("DELETE FROM shared_numbers WHERE bucket = ?").run(bucket);
  writeNotes(prepare, bucket, []);
  prepare("DELETE FROM refused_segments WHERE bucket = ?").run(bucket);
  prepare("DELETE FROM buckets WHERE bucket = ?").run(bucket);
}

/** The conversations of the segment. */
function addSegment(
  prepare: Prepare,
  { bucket, segment, owner }: { bucket: number; segment: number; owner: string },
  tables: SharedTables,
): number[] {
  const inserted = prepare("INSERT INTO shared_segments (bucket, segment, owner) VALUES (?, ?, ?)");
  const id = Number(inserted.run(bucket, segment, owner).lastInsertRowid);
  const numbers = new Map<number, number>();
  const known = (conv: number): number => {
    const no = numbers.get(conv) ?? numberOf(prepare, bucket, conv);
    numbers.set(conv, no);
    return no;
  };
  const places = tables.places.slice();
  for (let at = 0; at < places.length; at += 2) places[at] = known(places[at] as number);
  insertShared(prepare, id, tables, places);
  writeRuns(prepare, id, places);
  const insert = prepare("INSERT INTO shared_entries (segment, no, titled, entry) VALUES (?, ?, ?, ?)");
  for (const entry of tables.entries) insert.run(id, known(entry.conv), entry.titled, JSON.stringify(entry));
  return [...numbers.values()];
}

function numberOf(prepare: Prepare, bucket: number, conv: number): number {
  const row = prepare("SELECT no FROM shared_numbers WHERE bucket = ? AND conv = ?").get(bucket, conv);
  if (row) return Number(row.no);
  return Number(prepare("INSERT INTO shared_numbers (bucket, conv) VALUES (?, ?)").run(bucket, conv).lastInsertRowid);
}

function writeRuns(prepare: Prepare, segment: number, places: Uint32Array): void {
  const insert = prepare("INSERT INTO shared_runs (no, slot, segment, document, count) VALUES (?, ?, ?, ?, ?)");
  let start = 0;
  const documents = places.length / 2;
  for (let document = 1; document <= documents; document += 1) {
    const continues =
      document < documents &&
      places[document * 2] === places[start * 2] &&
      places[document * 2 + 1] === (places[start * 2 + 1] as number) + document - start;
    if (continues) continue;
    insert.run(places[start * 2] as number, places[start * 2 + 1] as number, segment, start, document - start);
    start = document;
  }
}

function dropSegment(prepare: Prepare, id: number): void {
  for (const table of [
    ...["term_blocks", "vector_blocks", "held_terms", "held_segments", "held_details", "shared_runs"],
    "shared_entries",
  ]) {
    prepare(`DELETE FROM ${table} WHERE segment = ?`).run(id);
  }
  prepare("DELETE FROM vector_rows WHERE id >= ? AND id < ?").run(firstGroup(id), firstGroup(id + 1));
  prepare("DELETE FROM fetched WHERE kind IN ('term', 'absent', 'detail') AND owner = ?").run(id);
  prepare("DELETE FROM fetched WHERE kind = 'group' AND owner >= ? AND owner < ?").run(
    firstGroup(id),
    firstGroup(id + 1),
  );
  prepare("DELETE FROM segments WHERE id = ?").run(id);
  prepare("DELETE FROM shared_segments WHERE id = ?").run(id);
}

/** Drops its texts and words. Its number stays as long as segments have documents of it. */
function dropConversation(prepare: Prepare, places: CachePlaces, no: number): void {
  for (const table of ["conversations", "shared_conversations", "blocks", "files", "commits"]) {
    prepare(`DELETE FROM ${table} WHERE no = ?`).run(no);
  }
  deleteOrders(prepare, no, 0, SLOTS);
  dropDetails(prepare, no);
  dropBlocks(prepare, places, no);
}

/** The packed details that have a message of it. */
function dropDetails(prepare: Prepare, no: number): void {
  for (const { segment, document, count } of prepare(
    "SELECT segment, document, count FROM shared_runs WHERE no = ?",
  ).all(no)) {
    const values = [Number(segment), Number(document) - DOCUMENTS_PER_DETAIL, Number(document) + Number(count)];
    prepare("DELETE FROM held_details WHERE segment = ? AND first > ? AND first < ?").run(...values);
    prepare(
      "DELETE FROM fetched WHERE kind = 'detail' AND owner = ? AND CAST(part AS INTEGER) > ? AND CAST(part AS INTEGER) < ?",
    ).run(...values);
  }
}

/** The fetched blocks of its archive. */
function dropBlocks(prepare: Prepare, places: CachePlaces, no: number): void {
  prepare("DELETE FROM held_blocks WHERE no = ?").run(no);
  prepare("DELETE FROM fetched WHERE kind = 'archive' AND owner = ?").run(no);
  rmSync(archiveFile(places, no), { force: true });
}

export function entryOf(prepare: Prepare, no: number): SharedEntry | undefined {
  return prepare("SELECT entry FROM shared_entries WHERE no = ? ORDER BY segment")
    .all(no)
    .map((row) => JSON.parse(String(row.entry)) as SharedEntry)
    .reduce<SharedEntry | undefined>((known, entry) => (known ? combineEntries(known, entry) : entry), undefined);
}

/** Writes the row of a conversation, and what its segments know about it. */
function writeConversation(prepare: Prepare, places: CachePlaces, no: number): void {
  const entry = entryOf(prepare, no);
  const known = prepare("SELECT scope FROM shared_conversations WHERE no = ?").get(no);
  if (!entry || !known) return;
  const { meta, totals, generation } = entry;
  const before = Number(prepare("SELECT generation FROM shared_numbers WHERE no = ?").get(no)?.generation);
  if (before !== generation) {
    // A new generation is a new file; a new conversation has no file yet.
    if (before !== 0) dropBlocks(prepare, places, no);
    prepare("UPDATE shared_numbers SET generation = ? WHERE no = ?").run(generation, no);
  }
  const times = timesOf(meta, totals.first, totals.last);
  // A time in the future would keep the conversation at the top of every list.
  const [created, updated] = [times.created, times.updated].map((time) => Math.min(time, Date.now())) as [
    number,
    number,
  ];
  const columns = [...ENTRY_COLUMNS, "checksum", "no"];
  prepare(
    `INSERT OR REPLACE INTO conversations (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  ).run(
    meta.source,
    meta.id,
    shownTitle(meta, totals.prompt),
    meta.project ?? null,
    meta.branch ?? null,
    meta.model ?? null,
    created,
    updated,
    totals.messages,
    totals.tokens,
    totals.tokens_stripped,
    totals.tokens_user,
    meta.parent ?? null,
    meta.parent_kind ?? null,
    meta.family ?? null,
    JSON.stringify(meta),
    null,
    `${places.fromArchive}/archive/${archiveName(no)}`,
    entry.bytes,
    0,
    no,
  );
  for (const table of ["blocks", "files", "commits"]) prepare(`DELETE FROM ${table} WHERE no = ?`).run(no);
  const block = prepare("INSERT INTO blocks (no, first, count, offset, length) VALUES (?, ?, ?, ?, ?)");
  for (const each of entry.blocks) block.run(no, each.first, each.count, each.offset, each.length);
  const file = prepare("INSERT OR IGNORE INTO files (no, path, how, first) VALUES (?, ?, ?, ?)");
  const place = ownersPlaceOf(meta, String(known.scope));
  for (const { path, how, first } of entry.files) file.run(no, place ? pathInProject(path, place) : path, how, first);
  const commit = prepare("INSERT OR IGNORE INTO commits (no, first, sha, subject) VALUES (?, ?, ?, ?)");
  for (const each of entry.commits) commit.run(no, each.first, each.sha, each.subject);
  writeOrder(prepare, no, TITLE_SLOT, new WordOrder().of(meta.title ?? ""));
}
